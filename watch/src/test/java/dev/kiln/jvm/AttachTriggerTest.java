package dev.kiln.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.files.Held;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class AttachTriggerTest {
    private static final String NAME = ".attach_pid7";

    @TempDir
    private Path tmp;

    /** A starved JVM takes seconds to open its socket, and who waits types Ctrl-C. */
    @ParameterizedTest
    @ValueSource(strings = {"TERM", "INT"})
    void aSignalTakesTheFileAway(String signal) throws Exception {
        Process kiln = new ProcessBuilder(
                        "env",
                        "--default-signal=INT",
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        Waiting.class.getName(),
                        tmp.toString())
                .redirectErrorStream(true)
                .start();
        try {
            assertThat(kiln.getInputStream().read()).isEqualTo('.');
            assertThat(tmp.resolve(NAME)).exists();
            new ProcessBuilder("kill", "-" + signal, Long.toString(kiln.pid()))
                    .start()
                    .waitFor();
            kiln.waitFor();
            assertThat(tmp).isEmptyDirectory();
        } finally {
            kiln.destroyForcibly();
        }
    }

    @Test
    void anotherProgramsFileStays() throws Exception {
        Path others = Files.createFile(tmp.resolve(NAME));
        try (AttachTrigger trigger = AttachTrigger.make(Held.below(tmp, "."), NAME)) {
            assertThat(trigger.isAnothers()).isTrue();
        }
        assertThat(others).exists();
        Files.delete(others);
        try (AttachTrigger trigger = AttachTrigger.make(Held.below(tmp, "."), NAME)) {
            assertThat(trigger.isAnothers()).isFalse();
            assertThat(others).exists();
        }
        assertThat(others).doesNotExist();
    }

    /** Has the file, and waits for a JVM. */
    static final class Waiting {
        private Waiting() {}

        public static void main(String[] args) throws IOException, InterruptedException {
            try (AttachTrigger trigger = AttachTrigger.make(Held.below(Path.of(args[0]), "."), NAME)) {
                System.out.print(trigger.isAnothers() ? "!" : ".");
                System.out.flush();
                Thread.sleep(600_000);
            }
        }
    }
}
