package dev.kiln.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kiln.host.proc.ProcFs;
import dev.kiln.host.process.Niceness;
import dev.kiln.it.Kiln.Answer;
import dev.kiln.jvm.AttachSocket;
import dev.kiln.jvm.DiagnosticCommands;
import dev.kiln.jvm.Jdk;
import dev.kiln.jvm.JdkFinder;
import dev.kiln.testing.FullRun;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Remedies are applied, and taken back however the doctor ends. */
@Execution(ExecutionMode.CONCURRENT)
final class DoctorFixIT extends InSandbox {
    static java.util.stream.Stream<Jdk> jdks() {
        return LivingJvm.jdks();
    }

    private static List<Integer> nices(LivingJvm jvm) {
        return jvm.compilers().stream().map(jvm::nice).distinct().toList();
    }

    private static long directives(LivingJvm jvm) {
        try (AttachSocket socket = new AttachSocket(ProcFs.ofThisMachine(), jvm.pid(), Duration.ofSeconds(30))) {
            return new DiagnosticCommands(socket)
                    .raw("Compiler.directives_print")
                    .told()
                    .orElseThrow()
                    .lines()
                    .filter(line -> line.startsWith("Directive:"))
                    .count();
        }
    }

    private Kiln fixing(LivingJvm jvm, String fix, String length) {
        return Kiln.start(
                sandbox, "doctor", Long.toString(jvm.pid()), "--fix", fix, "--fix-for", length, "--for", "2s", "--yes");
    }

    @Test
    void reniceIsAppliedAndTakenBack() {
        assumeTrue(Niceness.mayFavour(), "not permitted to raise priorities");
        try (LivingJvm jvm =
                LivingJvm.start(sandbox, JdkFinder.current(), List.of(), List.of(), "2", "500", "1000", "much")) {
            Kiln kiln = fixing(jvm, "renice", "8s").awaitSaid("applied renice");
            Waiting.until("all compilers to be favoured", () -> nices(jvm).equals(List.of(-20)));
            Answer answer = kiln.end();
            assertThat(answer.exit()).isIn(0, 6, 7, 8);
            assertThat(answer.err()).contains("undid renice");
            assertThat(answer.out()).contains("before: ", "after:  ");
            assertThat(nices(jvm)).containsExactly(0);
            assertThat(sandbox.remains()).isEmpty();
        }
    }

    @Test
    void aKilledDoctorsReniceIsTakenBack() {
        assumeTrue(Niceness.mayFavour(), "not permitted to raise priorities");
        try (LivingJvm jvm =
                LivingJvm.start(sandbox, JdkFinder.current(), List.of(), List.of(), "2", "500", "1000", "much")) {
            Kiln kiln = fixing(jvm, "renice", "300s").awaitSaid("applied renice");
            Waiting.until("all compilers to be favoured", () -> nices(jvm).equals(List.of(-20)));
            kiln.signal("KILL").end();
            Waiting.until("the bystander to take it back", () -> nices(jvm).equals(List.of(0)));
            Waiting.until("its note to go", () -> sandbox.remains().isEmpty());
        }
    }

    @ParameterizedTest
    @FullRun
    @MethodSource("jdks")
    void foregroundCompilationIsAppliedAndTakenBack(Jdk jdk) {
        try (LivingJvm jvm = LivingJvm.start(sandbox, jdk, List.of(), List.of(), "1", "500", "5000")) {
            Kiln kiln = fixing(jvm, "compile-in-foreground", "15s").awaitSaid("applied compile-in-foreground");
            assertThat(directives(jvm)).isEqualTo(2);
            assertThat(kiln.end().err()).contains("undid compile-in-foreground");
            assertThat(directives(jvm)).isEqualTo(1);
        }
    }

    @Test
    void aKilledDoctorsDirectiveIsTakenBack() {
        try (LivingJvm jvm = LivingJvm.start(sandbox, JdkFinder.current(), List.of(), List.of(), "1", "500", "5000")) {
            Kiln kiln = fixing(jvm, "compile-in-foreground", "300s").awaitSaid("applied");
            assertThat(directives(jvm)).isEqualTo(2);
            kiln.signal("KILL").end();
            Waiting.until("the bystander to take it back", () -> directives(jvm) == 1);
        }
    }

    @FullRun
    @Test
    void nothingIsTakenBackOfAJvmThatDied() {
        try (LivingJvm jvm = LivingJvm.start(sandbox, JdkFinder.current(), List.of(), List.of(), "1", "500", "5000")) {
            Kiln kiln = fixing(jvm, "compile-in-foreground", "300s").awaitSaid("applied");
            Kiln.kill("KILL", jvm.pid());
            String said = kiln.end().err();
            assertThat(said).contains("process " + jvm.pid() + " has ended, so there is nothing to undo");
            assertThat(said).doesNotContain("kiln: undid", "could not undo");
            assertThat(sandbox.remains()).isEmpty();
        }
    }

    @Test
    void nothingIsChangedUnasked() {
        try (LivingJvm jvm = LivingJvm.start(sandbox, JdkFinder.current(), List.of(), List.of(), "1", "500", "5000")) {
            Answer answer = Kiln.start(sandbox, "doctor", Long.toString(jvm.pid()), "--fix", "renice", "--for", "2s")
                    .end();
            assertThat(answer.exit()).isEqualTo(2);
            assertThat(answer.err()).contains("give --yes");
            assertThat(nices(jvm)).containsExactly(0);
        }
    }
}
