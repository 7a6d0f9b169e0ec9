package dev.kiln.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kiln.console.Outputs;
import dev.kiln.model.KilnException;
import java.io.BufferedReader;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OutputsTest {
    @TempDir
    private Path folder;

    /** Two Kilns that begin in one second must not mix their evidence. */
    @Test
    void noTwoGetOneFolder() throws Exception {
        Path results = folder.resolve("results");
        Set<Path> made = new ConcurrentSkipListSet<>();
        Callable<Boolean> one = () -> made.add(new Outputs(results).fresh("mix"));
        try (var kilns = Executors.newVirtualThreadPerTaskExecutor()) {
            for (var each : kilns.invokeAll(Stream.generate(() -> one).limit(20).toList())) {
                assertThat(each.get()).isTrue();
            }
        }
        assertThat(made).hasSize(20).allMatch(Files::isDirectory);
    }

    /** Each would take the runs of the other for its own. */
    @Test
    void noTwoGoOnInOneFolder() {
        Path search = folder.resolve("results/search");
        int found = Outputs.alone(search, () -> {
            assertThatThrownBy(() -> Outputs.alone(search, () -> 1))
                    .isInstanceOf(KilnException.class)
                    .hasMessage("another Kiln works in " + search);
            return 3;
        });
        assertThat(found).isEqualTo(3);
        assertThat(search).as("made for nothing").doesNotExist();
    }

    /** The kernel keeps two processes apart. It takes a lock back where its process closes the same file anywhere. */
    @Test
    void anotherProcessIsKeptOut() throws Exception {
        Path soak = folder.resolve("soak");
        Process kiln = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin/java").toString(),
                        "-cp",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        Working.class.getName(),
                        soak.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (BufferedReader said = kiln.inputReader()) {
            assertThat(said.readLine()).isEqualTo("inside");
            assertThatThrownBy(() -> Outputs.alone(soak, () -> 1)).hasMessage("another Kiln works in " + soak);
        } finally {
            kiln.destroyForcibly();
        }
    }

    /** Works in a folder, says so, and goes on until it is ended. */
    static final class Working {
        private Working() {}

        public static void main(String[] args) {
            Outputs.alone(Path.of(args[0]), () -> {
                System.out.println("inside");
                LockSupport.park();
                return 0;
            });
        }
    }

    /** As beside --out /tmp/app.aot: whoever made it first owns what the JVM is to run. */
    @ParameterizedTest
    @ValueSource(strings = {"rwxrwxrwx", "rwxrwx---", "rwx---rwx"})
    void aFolderThatOthersCanWriteIsNoneForWhatIsRun(String permissions) throws Exception {
        Path training = folder.resolve("app.aot.training");
        Outputs.makeOwn(training, "--out");
        Outputs.makeOwn(training, "--out");
        Files.setPosixFilePermissions(training, PosixFilePermissions.fromString(permissions));
        assertThatThrownBy(() -> Outputs.makeOwn(training, "--out"))
                .isInstanceOf(KilnException.class)
                .hasMessageStartingWith("others can write " + training + " (owner ");
    }

    /** One that opened the file, and locked it after the Kiln before had deleted it, worked beside one that made a new file. */
    @Test
    void theFileOfOneThatEndsLocksNobodyIn() throws Exception {
        Path soak = Files.createDirectory(folder.resolve("soak"));
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        AtomicInteger worked = new AtomicInteger();
        Callable<Boolean> kiln = () -> {
            for (int i = 0; i < 500; i++) {
                try {
                    worked.addAndGet(Outputs.alone(soak, () -> {
                        most.accumulateAndGet(inside.incrementAndGet(), Math::max);
                        return inside.getAndDecrement();
                    }));
                } catch (KilnException another) {
                    assertThat(another).hasMessage("another Kiln works in " + soak);
                }
            }
            return true;
        };
        try (var kilns = Executors.newFixedThreadPool(4)) {
            for (var each : kilns.invokeAll(List.of(kiln, kiln, kiln, kiln))) {
                assertThat(each.get()).isTrue();
            }
        }
        assertThat(most).as("at once").hasValue(1);
        assertThat(worked.get()).isPositive();
        assertThat(soak).isEmptyDirectory();
    }

    @Test
    void aFolderIsFreeWhenItsKilnHasEnded() throws Exception {
        Path soak = Files.createDirectory(folder.resolve("soak"));
        Path elsewhere = Files.writeString(folder.resolve("elsewhere"), "precious");
        assertThat(Outputs.alone(soak, () -> 1) + Outputs.alone(soak, () -> 2)).isEqualTo(3);
        assertThat(soak).isEmptyDirectory();
        Files.createSymbolicLink(soak.resolve(".kiln-at-work"), elsewhere);
        assertThatThrownBy(() -> Outputs.alone(soak, () -> 1)).hasMessageContaining("it is a link");
        assertThat(elsewhere).hasContent("precious");
    }

    /** The name can be guessed, and results may be where others write too. */
    @Test
    void noLinkIsAFolderOfItsOwn() throws Exception {
        Path results = Files.createDirectory(folder.resolve("results"));
        Path elsewhere = Files.createDirectory(folder.resolve("elsewhere"));
        String now = new Outputs(results).folder("mix").getFileName().toString();
        String next = now.substring(0, now.length() - 1);
        for (String second : List.of("0", "1", "2", "3", "4", "5", "6", "7", "8", "9")) {
            Files.createSymbolicLink(results.resolve(next + second), elsewhere);
        }
        Path made = new Outputs(results).fresh("mix");
        assertThat(Files.isDirectory(made, LinkOption.NOFOLLOW_LINKS)).isTrue();
        assertThat(elsewhere).isEmptyDirectory();
    }
}
