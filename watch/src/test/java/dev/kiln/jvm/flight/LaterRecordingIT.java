package dev.kiln.jvm.flight;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kiln.jvm.Jdk;
import dev.kiln.jvm.JdkFinder;
import dev.kiln.jvm.flight.FlightRecording.Digested;
import dev.kiln.model.run.FlightDigest.TierShare;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Recordings of live JVMs that were launched without one. */
class LaterRecordingIT {
    private static final long LONG = 60_000;

    private final List<Process> started = new ArrayList<>();

    @TempDir
    private Path folder;

    static Stream<Jdk> jdks() {
        return ChurnRecording.jdks();
    }

    @AfterEach
    void endAll() throws Exception {
        for (Process process : started) {
            process.destroyForcibly().waitFor();
            Files.deleteIfExists(Path.of("/tmp/.java_pid" + process.pid()));
        }
    }

    /** Launches one that has compiled for a while. */
    private Process churning(Jdk jdk, List<String> flags) throws Exception {
        Process process = ChurnRecording.start(jdk, folder, LONG, flags);
        started.add(process);
        Thread.sleep(2_000);
        return process;
    }

    /** What was compiled before is in no event, and yet each sample has its tier. */
    @ParameterizedTest
    @MethodSource("jdks")
    void aJvmThatRunsIsRecordedForAWhile(Jdk jdk) throws Exception {
        Process process = churning(jdk, List.of("-Dpassword=hunter2"));
        Instant zero = Instant.now();
        Digested digested;
        try (LaterRecording recording = new LaterRecording(process.pid(), folder)) {
            assertThat(recording.begin(() -> false)).isEmpty();
            Thread.sleep(2_000);
            assertThat(recording.end()).isEmpty();
            digested = recording.digest(zero);
        }

        assertThat(process.isAlive()).isTrue();
        assertThat(folder.resolve("recording.jfr")).isNotEmptyFile();
        assertThat(folder.resolve("flight.jfc")).isNotEmptyFile();
        assertThat(Files.readString(folder.resolve("recording.jfr"), StandardCharsets.ISO_8859_1))
                .as("arguments may be secrets")
                .doesNotContain("hunter2");
        // Here methods are compiled anew all the time, and what was thrown away in between is not in the list of the
        // end.
        assertThat(digested.gaps()).allMatch(gap -> gap.contains("count for no tier"));
        assertThat(digested.digest().tiers().stream()
                        .mapToInt(tier -> tier.c1() + tier.c2() + tier.inlined())
                        .sum())
                .isPositive();
        assertThat(digested.digest().tiers()).extracting(TierShare::timeNanos).allMatch(at -> at < 20_000_000_000L);
        assertThat(digested.digest().hot()).anyMatch(method -> method.level() > 0);
    }

    @Test
    void aRecordingOfTheUsersOwnIsLeftAlone() throws Exception {
        // Killed, the JVM leaves what it has recorded.
        Process process = churning(
                JdkFinder.current(),
                List.of("-XX:StartFlightRecording=name=own", "-XX:FlightRecorderOptions=repository=" + folder));
        try (LaterRecording recording = new LaterRecording(process.pid(), folder)) {
            assertThat(recording.begin(() -> false))
                    .contains("the target has a flight recording of its own, which Kiln leaves alone");
        }
        assertThat(process.isAlive()).isTrue();
    }

    @Test
    void aTargetThatHasAnotherFileSystemIsLeftAlone() throws Exception {
        List<String> unshare = List.of("unshare", "--mount", "sh", "-c");
        assumeTrue(run(unshare, "mount -t tmpfs tmpfs /mnt") == 0, "not permitted to mount");
        Path closing = Files.createDirectory(folder.resolve("closing"));
        Path java = Files.writeString(
                folder.resolve("java"),
                "#!/bin/sh\nmount -t tmpfs tmpfs " + closing + " && exec "
                        + JdkFinder.current().java() + " \"$@\"\n");
        List<String> command = new ArrayList<>(unshare);
        command.add(
                "exec sh " + java + " -Xmx48m -cp " + ChurnRecording.classes() + " dev.kiln.fixtures.Churn " + LONG);
        Process process = new ProcessBuilder(command).start();
        started.add(process);
        Thread.sleep(2_000);
        try (LaterRecording recording = new LaterRecording(process.pid(), closing)) {
            assertThat(recording.begin(() -> false)).contains("the target has another file system, without " + closing);
        }
        assertThat(process.isAlive()).isTrue();
    }

    private static int run(List<String> begin, String last) throws Exception {
        List<String> command = new ArrayList<>(begin);
        command.add(last);
        return new ProcessBuilder(command).start().waitFor();
    }

    @Test
    void whoDoesNotWantItAnyMoreIsNotKeptWaitingByFurtherQuestions() throws Exception {
        Process process = churning(JdkFinder.current(), List.of());
        AtomicInteger asked = new AtomicInteger();
        try (LaterRecording recording = new LaterRecording(process.pid(), folder)) {
            assertThat(recording.begin(() -> asked.incrementAndGet() == 3))
                    .contains("Kiln was interrupted before it had begun");
            assertThat(asked).hasValue(3);
            assertThat(recording.begin(() -> false)).as("there is none yet").isEmpty();
        }
    }

    @Test
    void aJvmThatDoesNotAnswerHasNone() throws Exception {
        Process process = churning(JdkFinder.current(), List.of("-XX:+DisableAttachMechanism"));
        try (LaterRecording recording = new LaterRecording(process.pid(), folder)) {
            assertThat(recording.begin(() -> false)).map(String::isBlank).isEqualTo(Optional.of(false));
        }
        assertThat(process.isAlive()).isTrue();
    }
}
