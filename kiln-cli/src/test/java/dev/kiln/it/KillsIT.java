package dev.kiln.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.host.process.Killed;
import dev.kiln.it.Kiln.Answer;
import dev.kiln.testing.FullRun;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Whatever is killed, and whenever: the code, the message, the evidence, and nothing left behind. */
@Execution(ExecutionMode.CONCURRENT)
@TestInstance(TestInstance.Lifecycle.PER_METHOD)
final class KillsIT extends InSandbox {
    private static final String TARGET = "target:\n  command: " + Kiln.CURVE_SERVER + "\n";
    private static final String LOAD = "load:\n  url: http://localhost:${port}/\n  connections: 5\nruns: 1\n";
    private static final String POSTGRES = "database:\n  script: fill.sql\n";

    @FullRun
    @Test
    void aRunWhosePartsAreKilledFailsAndTheNextGoesOn() {
        Kiln kiln = start(TARGET
                + "variants:\n  target:\n  database:\n  driver:\n"
                + LOAD
                + POSTGRES
                + "protocol: [{load: 120s}, {pause: 1s}, {load: 120s}]\n");
        List<String> left = new ArrayList<>(List.of("target", "database", "driver"));
        while (!left.isEmpty()) {
            kiln.await("load on one of " + left, () -> left.stream().anyMatch(sandbox::isLoaded));
            String variant = left.stream().filter(sandbox::isLoaded).findFirst().orElseThrow();
            Kiln.kill("KILL", pid(variant));
            left.remove(variant);
        }
        Answer answer = kiln.end();
        assertThat(answer.exit()).as(answer.err()).isEqualTo(1);
        assertThat(answer.humane()).as(answer.err()).isTrue();
        assertThat(answer.err())
                .contains("target run 1: the target " + Killed.text())
                .contains("database run 1: PostgreSQL died during the run")
                .containsPattern("driver run 1: the load driver \\(process \\d+\\) " + Pattern.quote(Killed.text()));
        assertNothingLeft();
        assertReported("the target " + Killed.text(), "PostgreSQL died during the run", "the load driver");
    }

    private long pid(String part) {
        Predicate<String> isIt = switch (part) {
            case "target" -> command -> command.contains("dev.kiln.fixtures.CurveServer");
            case "driver" -> command -> command.contains("dev.kiln.load.driver.DriverMain");
            default -> command -> command.contains("bin/postgres -D");
        };
        return sandbox.processes().stream()
                .filter(isIt)
                .map(process -> Long.parseLong(process.substring(0, process.indexOf(' '))))
                .findFirst()
                .orElseThrow();
    }

    @Test
    @FullRun
    void ctrlCInLoadWithADatabase() {
        Kiln kiln = start(TARGET + LOAD + POSTGRES + "protocol: [{load: 120s}]\n");
        kiln.await("load", sandbox::isLoaded).signal("INT");
        assertInterrupted(kiln.end(), 130);
        assertReported("interrupted");
    }

    @FullRun
    @Test
    void termInAPause() {
        Kiln kiln = start(TARGET + LOAD + "protocol: [{load: 1s}, {pause: 120s}, {load: 1s}]\n");
        kiln.awaitSaid("pausing").signal("TERM");
        assertInterrupted(kiln.end(), 143);
        assertReported("interrupted");
    }

    @FullRun
    @Test
    void ctrlCWhileTheTargetStarts() {
        Kiln kiln = start(TARGET + "  arguments: --no-listen\n" + LOAD);
        kiln.await("the target", () -> !sandbox.pids("CurveServer").isEmpty()).signal("INT");
        assertInterrupted(kiln.end(), 130);
        assertReported("interrupted");
    }

    @FullRun
    @Test
    void ctrlCWhileTheDriverWarmsUp() {
        Kiln kiln = startWarmingUp();
        kiln.awaitSaid("warming up")
                .await("the driver", () -> !sandbox.pids("DriverMain").isEmpty())
                .signal("INT");
        Answer answer = kiln.end();
        assertThat(answer.exit()).as(answer.err()).isEqualTo(130);
        assertThat(answer.err()).contains("kiln: interrupted").doesNotContain("load driver (");
        assertThat(answer.humane()).as(answer.err()).isTrue();
        assertNothingLeft();
        assertThat(sandbox.results()).isEmptyDirectory();
    }

    @FullRun
    @Test
    void aDriverKilledWhileItWarmsUp() {
        Kiln kiln = startWarmingUp();
        kiln.awaitSaid("warming up")
                .await("the driver", () -> !sandbox.pids("DriverMain").isEmpty());
        Kiln.kill("KILL", pid("driver"));
        Answer answer = kiln.end();
        assertThat(answer.exit()).as(answer.err()).isEqualTo(3);
        assertThat(answer.err())
                // It may be gone before its status could be kept.
                .containsPattern("kiln: the load driver \\(process \\d+\\) .*signal 9, SIGKILL");
        assertThat(answer.humane()).as(answer.err()).isTrue();
        assertNothingLeft();
    }

    @Test
    void killedInLoad() throws IOException {
        // A shell between: its child does not die with Kiln by itself.
        Kiln kiln = start("target:\n  command: [sh, -c, '" + Kiln.CURVE_SERVER + "; true']\n"
                + LOAD
                + POSTGRES
                + "protocol: [{load: 120s}]\n");
        kiln.await("load", sandbox::isLoaded).signal("KILL");
        assertThat(kiln.end().exit()).isEqualTo(137);
        assertNothingLeftAfterNextStart();
        assertReported("the end of the run was not recorded: Kiln was killed");
    }

    @FullRun
    @Test
    void killedWhileTheDatabaseIsPrepared() throws IOException {
        Kiln kiln = start(TARGET + LOAD + POSTGRES);
        kiln.await("initdb", () -> !sandbox.pids("initdb").isEmpty()).signal("KILL");
        assertThat(kiln.end().exit()).isEqualTo(137);
        assertNothingLeftAfterNextStart();
    }

    @FullRun
    @Test
    void killedWhileTheDriverWarmsUp() throws IOException {
        Kiln kiln = startWarmingUp();
        kiln.awaitSaid("warming up")
                .await("the driver", () -> !sandbox.pids("DriverMain").isEmpty())
                .signal("KILL");
        assertThat(kiln.end().exit()).isEqualTo(137);
        assertNothingLeftAfterNextStart();
    }

    private Kiln start(String experiment) {
        return start(experiment, sandbox.jvm());
    }

    /** With a warm-up of the load driver that is not over before the test interrupts it. */
    private Kiln startWarmingUp() {
        ProcessBuilder jvm = sandbox.jvm();
        jvm.command()
                .replaceAll(word -> word.startsWith("-D" + Sandbox.WARM_UP) ? "-D" + Sandbox.WARM_UP + "=100" : word);
        return start(TARGET + LOAD, jvm);
    }

    private Kiln start(String experiment, ProcessBuilder jvm) {
        sandbox.file("fill.sql", "create table fruit (name text); insert into fruit values ('apple');");
        Path file = sandbox.file("kills.yaml", experiment);
        return Kiln.start(
                sandbox,
                jvm,
                "run",
                file.toString(),
                "--results",
                sandbox.results().toString());
    }

    private void assertInterrupted(Answer answer, int code) {
        assertThat(answer.exit()).as(answer.err()).isEqualTo(code);
        assertThat(answer.err()).contains("kiln: interrupted; what was recorded is in " + sandbox.results());
        assertThat(answer.humane()).as(answer.err()).isTrue();
        assertNothingLeft();
    }

    private void assertNothingLeft() {
        sandbox.awaitNoProcess();
        assertThat(sandbox.remains()).isEmpty();
    }

    private void assertNothingLeftAfterNextStart() throws IOException {
        // The next start has something to say of its own, soon.
        try (ServerSocket taken = new ServerSocket(0)) {
            Path other = sandbox.file("next.yaml", """
                    target:
                      command: sleep 1
                    load:
                      url: http://localhost:%d/
                    """.formatted(taken.getLocalPort()));
            Answer next = Kiln.start(
                            sandbox,
                            "run",
                            other.toString(),
                            "--results",
                            sandbox.results().toString())
                    .end();
            assertThat(next.exit()).as(next.err()).isEqualTo(3);
        }
        assertNothingLeft();
    }

    /** What there is can be read, and says why it is no good. */
    private void assertReported(String... reasons) {
        Answer report = Kiln.inProcess("report", sandbox.results().toString());
        assertThat(report.exit()).as(report.err()).isEqualTo(1);
        assertThat(report.err().lines())
                .hasSize(reasons.length)
                .allMatch(line -> line.startsWith("kiln: left out: ")
                        && Stream.of(reasons).anyMatch(line::contains));
        String text = report.out().replaceAll("\\s+", " ");
        assertThat(text).contains("invalid").contains(reasons);
    }
}
