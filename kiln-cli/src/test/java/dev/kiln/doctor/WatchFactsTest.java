package dev.kiln.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.host.proc.ProcFs;
import dev.kiln.model.LiveProcess;
import dev.kiln.model.run.Course.Outcome;
import dev.kiln.model.run.Machine.JvmInfo;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WatchFactsTest {
    private static final long SECOND = 1_000_000_000;

    @TempDir
    private Path root = Path.of("");

    @BeforeEach
    void aMachineThatHasBeenUpForAHundredSeconds() throws IOException {
        write("uptime", "100.00 50.00\n");
        write("42/cmdline", "java\0-XX:AOTCache=/x/app.aot\0Main\0");
    }

    private void write(String path, String text) throws IOException {
        Path file = root.resolve("proc").resolve(path);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    /** Of a process that began at second 90, and was found at second 93. */
    private WatchFacts facts() {
        return new WatchFacts(
                new ProcFs(root),
                new LiveProcess(42, 9000, 42, "me", Optional.empty(), Optional.empty(), "Main", 3, 10),
                "test",
                List.of());
    }

    @Test
    void timesCountFromTheLaunchHoweverLongAgoTheProcessWasFound() {
        long before = System.nanoTime();
        long launch = facts().launchNanos();
        assertThat(launch).isBetween(before - 10 * SECOND, System.nanoTime() - 10 * SECOND);
    }

    @Test
    void theFlagsOfTheJvmTellWhetherItReplaysTraining() {
        assertThat(replays("25.0.3+9-LTS", "-Xmx1g")).contains(true);
        assertThat(replays("25.0.3+9-LTS", "-XX:-AOTReplayTraining")).contains(false);
        assertThat(replays("24.0.2+12", "-Xmx1g")).isEmpty();
        assertThat(replays(Optional.empty())).as("whose flags are not known").isEmpty();
    }

    private Optional<Boolean> replays(String version, String flag) {
        return replays(Optional.of(new JvmInfo("/jdk", version, "vendor", List.of(flag), List.of())));
    }

    private Optional<Boolean> replays(Optional<JvmInfo> jvm) {
        return facts().info(Outcome.RUNNING, List.of(), jvm)
                .treatment()
                .aot()
                .orElseThrow()
                .replaysTraining();
    }
}
