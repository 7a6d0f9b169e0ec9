package dev.kiln.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.model.run.StartupEvidence.StartSample.StartPhase;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** On what the JVMs of the files' names printed; only the form of the Leyden block is taken from its source. */
class StartupLogTest {
    @Test
    void readsThePhasesOf17() {
        List<StartPhase> phases = StartupLog.parse(text("startuptime-17.0.15.txt"));

        assertThat(phases)
                .extracting(StartPhase::name)
                .containsExactly(
                        "StubRoutines generation 1",
                        "Genesis",
                        "Interpreter generation",
                        "StubRoutines generation 2",
                        "MethodHandles adapters generation",
                        "Start VMThread",
                        "Initialize java.lang classes",
                        "Initialize java.lang.invoke classes",
                        "Initialize module system",
                        "Create VM");
        assertThat(phases).allMatch(phase -> phase.nanos() > 0 && phase.nanos() < 10_000_000_000L);
    }

    @Test
    void addsUpWhat25SaysSeveralTimes() {
        String log = text("startuptime-25.0.3.txt");
        String name = "SharedRuntime generate_throw_exception";

        assertThat(log.lines().filter(line -> line.contains(name))).hasSizeGreaterThan(1);
        assertThat(StartupLog.parse(log))
                .extracting(StartPhase::name)
                .doesNotHaveDuplicates()
                .contains(name, "Create VM");
        assertThat(StartupLog.parse("[startuptime] a, 0.0000010 secs\n[startuptime] a, 0.0000020 secs\n"))
                .containsExactly(new StartPhase("a", 3_000));
    }

    @Test
    void needsNoDecorations() {
        assertThat(StartupLog.parse(text("startuptime-25.0.3-undecorated.txt")))
                .extracting(StartPhase::name)
                .contains("Genesis", "Create VM");
    }

    @Test
    void readsTheBlocksOfLeydenBuildsAndNothingElseThatLooksLikeATime() {
        assertThat(StartupLog.parse(text("init-leyden.txt")))
                .containsExactly(
                        new StartPhase("SC Load Time", 202_000_000),
                        new StartPhase("nmethod register", 135_000_000),
                        new StartPhase("find cached code", 7_000_000));
    }

    @Test
    void findsNothingInOtherOutput() {
        assertThat(StartupLog.parse("Started App in 1.234 seconds\nload: 0.100 s\n"))
                .isEmpty();
        assertThat(StartupLog.parse("")).isEmpty();
    }

    private static String text(String resource) {
        try (InputStream in = StartupLogTest.class.getResourceAsStream(resource)) {
            return new String(Objects.requireNonNull(in, resource).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
