package dev.kiln.host.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kiln.host.container.Containers;
import dev.kiln.host.proc.HostFacts;
import dev.kiln.host.proc.ProcFs;
import dev.kiln.host.process.Launcher.LaunchSpec;
import dev.kiln.model.experiment.Where.ContainerEngine;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.CountDownLatch;
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
            new Launcher(registry, note -> {})
                    .start(new LaunchSpec(
                            "target", List.of("sh", "-c", "sleep 1000 & echo $!; wait"), directory.resolve("out")));
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
            assertThat(mine.sweep(Containers::removeOrphan, said -> {})).isEmpty();
            assertThat(grandchild.isAlive()).isTrue();

            kiln.destroyForcibly().waitFor();
            assertThat(mine.sweep(Containers::removeOrphan, said -> {}))
                    .hasSize(2)
                    .anyMatch(done -> done.startsWith("ended the target"))
                    .anyMatch(done -> done.startsWith("deleted " + directory.resolve("kiln-made")));
            assertThat(ProcFs.ofThisMachine().stat(grandchild.pid()).filter(stat -> !stat.isDead()))
                    .isEmpty();
            assertThat(directory.resolve("kiln-made")).doesNotExist();
            assertThat(mine.sweep(Containers::removeOrphan, said -> {})).isEmpty();
        } finally {
            kiln.destroyForcibly();
        }
    }

    /** Earlier Kilns made it so under the umask 002. */
    @Test
    void aFolderIntoWhichTheGroupCouldWriteIsTakenFromIt() throws Exception {
        Path state = Files.createDirectory(directory.resolve("state"));
        Files.setPosixFilePermissions(state, PosixFilePermissions.fromString("rwxrwxr-x"));
        Path left = Files.createDirectory(directory.resolve("kiln-left"));
        Path book = Files.writeString(
                state.resolve("999999999-1" + OrphanBook.SUFFIX), "boot an earlier one\ndirectory " + left + "\n");
        Files.setPosixFilePermissions(book, PosixFilePermissions.fromString("rw-------"));

        try (OrphanRegistry mine = new OrphanRegistry(state)) {
            assertThat(Files.getPosixFilePermissions(state)).isEqualTo(PosixFilePermissions.fromString("rwx------"));
            assertThat(mine.sweep(Containers::removeOrphan, said -> {}))
                    .containsExactly("deleted " + left + " that a killed Kiln had left");
        }
    }

    /** A process that is killed may finish some files. */
    @Test
    void aFolderIntoWhichSomethingIsStillWrittenGoesToo() throws Exception {
        Path made = Files.createDirectories(directory.resolve("kiln-made"));
        Path state = Files.createDirectories(directory.resolve("state"));
        Files.writeString(state.resolve("999999999-1" + OrphanBook.SUFFIX), "boot x\ndirectory " + made + "\n");
        CountDownLatch writing = new CountDownLatch(1);
        Thread dying = Thread.ofPlatform().start(() -> {
            long end = System.nanoTime() + 100_000_000;
            for (int i = 0; System.nanoTime() < end; i++) {
                try {
                    Files.writeString(made.resolve("file-" + i), "x");
                } catch (IOException e) {
                    return;
                }
                writing.countDown();
            }
        });
        writing.await();
        try (OrphanRegistry mine = new OrphanRegistry(state)) {
            assertThat(mine.sweep(Containers::removeOrphan, said -> {}))
                    .containsExactly("deleted " + made + " that a killed Kiln had left");
        }
        dying.join();
        assertThat(made).doesNotExist();
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

    /** Clears away what a dead Kiln left, and closes its own book, in the order of its lines. */
    static final class Sweeper {
        private Sweeper() {}

        public static void main(String[] args) {
            try (OrphanRegistry registry = new OrphanRegistry(Path.of(args[0]))) {
                registry.sweep(Containers::removeOrphan, said -> {}).forEach(System.out::println);
                registry.container(ContainerEngine.DOCKER, "kiln-own");
                registry.kept(
                        "kiln-own",
                        Containers.removeOrphan(ContainerEngine.DOCKER, "kiln-own")
                                .refusal()
                                .orElse("removed"));
                registry.remaining().forEach(System.out::println);
            }
        }
    }

    /** Whether docker is installed or not: nothing listens there. */
    @Test
    void aContainerIsNotForgottenWhileItsRuntimeDoesNotAnswer() throws Exception {
        Path dead = Files.writeString(directory.resolve("999999999-1.running"), "container docker kiln-dead\n");
        ProcessBuilder builder = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Sweeper.class.getName(),
                        directory.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment().put("DOCKER_HOST", "tcp://127.0.0.1:1");
        Process sweeper = builder.start();
        List<String> said = new String(sweeper.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                .lines()
                .toList();

        assertThat(sweeper.waitFor()).isZero();
        assertThat(said)
                .satisfiesExactly(
                        swept -> assertThat(swept)
                                .startsWith("could not remove the container kiln-dead that a killed Kiln had left: ")
                                .endsWith("by hand: docker rm --force kiln-dead"),
                        own -> assertThat(own)
                                .startsWith("could not remove the container kiln-own: ")
                                .endsWith("by hand: docker rm --force kiln-own"));
        assertThat(dead).exists();
        try (Stream<Path> books = Files.list(directory)) {
            assertThat(books).as("its own, and the dead one's").hasSize(2);
        }
    }

    @Test
    void aContainerThatIsNotThereIsGone() throws Exception {
        assumeTrue(Programs.find("podman").isPresent(), "podman is not installed");
        Path dead = Files.writeString(directory.resolve("999999999-1.running"), "container podman kiln-none\n");
        try (OrphanRegistry mine = new OrphanRegistry(directory)) {
            assertThat(mine.sweep(Containers::removeOrphan, said -> {})).isEmpty();
        }
        assertThat(dead).doesNotExist();
    }

    @Test
    void theBookIsKeptAsLongAsSomethingIsInIt() throws Exception {
        Path state = directory.resolve("state");
        Path left = Files.createDirectory(directory.resolve("kiln-left"));
        try (OrphanRegistry registry = new OrphanRegistry(state)) {
            registry.directory(left);
            registry.cgroup(directory.resolve("kiln-never-made"));
            assertThat(registry.remaining())
                    .containsExactly("could not remove the folder " + left + "; the next Kiln tries again, or by hand:"
                            + " rm -r " + left);
        }
        assertThat(state).isNotEmptyDirectory();
        try (OrphanRegistry next = new OrphanRegistry(state)) {
            Files.delete(left);
            assertThat(next.remaining()).isEmpty();
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
                    "boot " + HostFacts.bootId(ProcFs.ofThisMachine()) + "\nchild " + stranger.pid()
                            + " 1 target\ndirectory " + directory.resolve("precious") + "\nchild nonsense\n");
            Files.createDirectory(directory.resolve("precious"));
            assertThat(mine.sweep(Containers::removeOrphan, said -> {})).isEmpty();
            assertThat(stranger.isAlive()).isTrue();
            assertThat(directory.resolve("precious")).exists();
            assertThat(directory.resolve("999999999-1.running")).doesNotExist();
        } finally {
            stranger.destroyForcibly();
        }
    }
}
