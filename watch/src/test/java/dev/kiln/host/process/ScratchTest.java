package dev.kiln.host.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ScratchTest {
    @TempDir
    private Path outside;

    @Test
    void itIsOfThisUserAloneAndGoesWithAllInIt() throws Exception {
        Path precious = Files.writeString(outside.resolve("precious"), "precious");
        Path folder;
        Process writer;
        try (Scratch scratch = Scratch.make("test")) {
            folder = scratch.folder();
            assertThat(folder.getFileName().toString()).startsWith("kiln-test-");
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder)))
                    .isEqualTo("rwx------");
            Files.writeString(Files.createDirectories(folder.resolve("a/b")).resolve("c"), "");
            Files.createSymbolicLink(folder.resolve("link"), outside);
            writer = scratch.start(new ProcessBuilder("sleep", "600"));
        }
        assertThat(folder).doesNotExist();
        assertThat(writer.isAlive()).isFalse();
        assertThat(precious).hasContent("precious");
    }

    @ParameterizedTest
    @ValueSource(strings = {"TERM", "INT", "HUP"})
    void aSignalLeavesNeitherItNorWhoWritesIntoIt(String signal) throws Exception {
        String classPath = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        Process kiln = new ProcessBuilder(
                        "env",
                        "--default-signal=INT,HUP",
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Djava.io.tmpdir=" + outside,
                        "-cp",
                        classPath,
                        Kept.class.getName())
                .redirectErrorStream(true)
                .start();
        try (BufferedReader said =
                new BufferedReader(new InputStreamReader(kiln.getInputStream(), StandardCharsets.UTF_8))) {
            long writer = Long.parseLong(said.readLine());
            assertThat(outside).isNotEmptyDirectory();
            new ProcessBuilder("kill", "-" + signal, Long.toString(kiln.pid()))
                    .start()
                    .waitFor();
            kiln.waitFor();
            assertThat(outside).isEmptyDirectory();
            assertThat(ProcessHandle.of(writer).filter(ProcessHandle::isAlive)).isEmpty();
        } finally {
            kiln.destroyForcibly();
        }
    }

    /** Has a folder, with a process in it whose pid it prints, and waits. */
    static final class Kept {
        private Kept() {}

        public static void main(String[] args) throws IOException, InterruptedException {
            try (Scratch scratch = Scratch.make("test")) {
                Files.writeString(scratch.folder().resolve("half"), "");
                Process writer = scratch.start(new ProcessBuilder(
                        List.of("sh", "-c", "while :; do echo >" + scratch.folder() + "/more; done")));
                System.out.println(writer.pid());
                Thread.sleep(600_000);
            }
        }
    }
}
