package dev.kiln.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OrphanRegistryTest {
    @TempDir
    Path directory;

    /** A Kiln that starts a child (which starts another), makes a directory, and waits to be killed. */
    static final class DoomedKiln {
        private DoomedKiln() {}

        public static void main(String[] args) throws Exception {
            Path directory = Path.of(args[0]);
            OrphanRegistry registry = new OrphanRegistry(directory.resolve("state"));
            Path made = Files.createDirectories(directory.resolve("kiln-made/deep"));
            Files.writeString(made.resolve("file"), "x");
            registry.directory(directory.resolve("kiln-made"));
            new Launcher(registry)
                    .start(new LaunchSpec(
                            "target",
                            List.of("sh", "-c", "sleep 1000 & echo $!; wait"),
                            Map.of(),
                            Optional.empty(),
                            List.of(),
                            directory.resolve("out"),
                            Optional.empty()));
            while (!Files.exists(directory.resolve("out")) || Files.size(directory.resolve("out")) == 0) {
                Thread.sleep(5);
            }
            System.out.println(Files.readString(directory.resolve("out")).strip());
            Thread.sleep(Long.MAX_VALUE);
        }
    }

    @Test
    void whatAKilledKilnLeftIsCleared() throws Exception {
        Process kiln = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        DoomedKiln.class.getName(),
                        directory.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (BufferedReader output =
                        new BufferedReader(new InputStreamReader(kiln.getInputStream(), StandardCharsets.UTF_8));
                OrphanRegistry mine = new OrphanRegistry(directory.resolve("state"))) {
            ProcessHandle grandchild =
                    ProcessHandle.of(Long.parseLong(output.readLine())).orElseThrow();
            assertThat(mine.sweep()).isEmpty();
            assertThat(grandchild.isAlive()).isTrue();

            kiln.destroyForcibly().waitFor();
            assertThat(mine.sweep())
                    .hasSize(2)
                    .anyMatch(done -> done.startsWith("ended the target"))
                    .anyMatch(done -> done.startsWith("deleted " + directory.resolve("kiln-made")));
            assertThat(ProcFs.ofThisMachine().stat(grandchild.pid()).filter(stat -> !stat.isDead()))
                    .isEmpty();
            assertThat(directory.resolve("kiln-made")).doesNotExist();
            assertThat(mine.sweep()).isEmpty();
        } finally {
            kiln.destroyForcibly();
        }
    }

    @Test
    void nothingIsLeftAfterAnOrderlyEnd() throws Exception {
        Path state = directory.resolve("state");
        try (OrphanRegistry registry = new OrphanRegistry(state)) {
            registry.directory(directory.resolve("kiln-x"));
            try (Stream<Path> files = Files.list(state)) {
                assertThat(files).hasSize(1);
            }
        }
        assertThat(state).isEmptyDirectory();
    }

    @Test
    void aStrangerWithTheSamePidIsSpared() throws Exception {
        Process stranger = new ProcessBuilder("sleep", "1000").start();
        try (OrphanRegistry mine = new OrphanRegistry(directory)) {
            // A dead Kiln, and a child whose pid was given to the stranger later.
            Files.writeString(
                    directory.resolve("999999999-1.running"),
                    "boot " + OrphanRegistry.bootId(ProcFs.ofThisMachine()) + "\nchild " + stranger.pid()
                            + " 1 target\ndirectory " + directory.resolve("precious") + "\nchild nonsense\n");
            Files.createDirectory(directory.resolve("precious"));
            assertThat(mine.sweep()).isEmpty();
            assertThat(stranger.isAlive()).isTrue();
            assertThat(directory.resolve("precious")).exists();
            assertThat(directory.resolve("999999999-1.running")).doesNotExist();
        } finally {
            stranger.destroyForcibly();
        }
    }
}
