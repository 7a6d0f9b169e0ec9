package dev.kiln.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.console.ShutdownHook;
import dev.kiln.files.OutputFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a signal leaves that comes at a bad moment: nothing of what was half done, and no message of a bug. */
class EndedIT {
    private final Sandbox sandbox = new Sandbox();

    @AfterEach
    void leaveNothing() {
        sandbox.awaitNoProcess();
        sandbox.close();
    }

    private List<Path> files(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> !file.equals(folder)).toList();
        }
    }

    private Process started(Class<?> main, Path out, String... words) throws IOException {
        ProcessBuilder jvm = sandbox.jvm(List.of("env"), System.getProperty("java.class.path"), main.getName());
        List<String> command = new ArrayList<>(jvm.command());
        command.addAll(List.of(words));
        return jvm.command(command)
                .redirectErrorStream(true)
                .redirectOutput(out.toFile())
                .start();
    }

    /** HalfAFile writes the beginning of a file, and then nothing. */
    static final class HalfAFile {
        public static void main(String[] args) throws IOException {
            OutputFile.replace(Path.of(args[0]), out -> {
                out.write("half".getBytes(StandardCharsets.UTF_8));
                System.out.println("begun");
                while (true) {
                    LockSupport.park();
                }
            });
        }
    }

    @Test
    void halfAFileIsRemoved() throws Exception {
        Path out = sandbox.root().resolve("out.txt");
        Process writing = started(
                HalfAFile.class, out, sandbox.results().resolve("report.html").toString());
        Waiting.until("it to begin", () -> out.toFile().length() > 0);
        assertThat(files(sandbox.results())).hasSize(1);
        writing.destroy();
        writing.waitFor();
        assertThat(files(sandbox.results())).isEmpty();
    }

    /** TooLate begins something while it is ended already. */
    static final class TooLate {
        public static void main(String[] args) throws InterruptedException {
            CountDownLatch ending = new CountDownLatch(1);
            Runtime.getRuntime().addShutdownHook(new Thread(() -> {
                ending.countDown();
                LockSupport.parkNanos(500_000_000);
            }));
            Thread.ofPlatform().daemon().start(() -> System.exit(0));
            ending.await();
            ShutdownHook.of("kiln-too-late", () -> {}).close();
            System.out.println("begun");
        }
    }

    @Test
    void whatBeginsWhileKilnEndsDoesNotBegin() throws Exception {
        Path out = sandbox.root().resolve("out.txt");
        assertThat(started(TooLate.class, out).waitFor()).isZero();
        assertThat(out).isEmptyFile();
    }

    /** Meanwhile is ended while it begins something. */
    static final class Meanwhile {
        public static void main(String[] args) {
            List<String> begun = new CopyOnWriteArrayList<>();
            try (ShutdownHook hook = ShutdownHook.of("kiln-meanwhile", () -> System.out.println("undid " + begun))) {
                hook.begin(() -> {
                    begun.add("one");
                    Thread.ofPlatform().daemon().start(() -> System.exit(0));
                    LockSupport.parkNanos(500_000_000);
                    begun.add("two");
                    return begun;
                });
                while (true) {
                    LockSupport.park();
                }
            }
        }
    }

    /** A doctor that was ended between its first and its second thread left the first as it was then. */
    @Test
    void whatBeginsIsUndoneAsAWhole() throws Exception {
        Path out = sandbox.root().resolve("out.txt");
        assertThat(started(Meanwhile.class, out).waitFor()).isZero();
        assertThat(out).content().isEqualToIgnoringNewLines("undid [one, two]");
    }

    /** The runs that are there would pass for all of them. */
    @Test
    void anImportThatIsEndedLeavesNothing() throws Exception {
        String rows = IntStream.range(0, 400_000).mapToObj(i -> i + ",100\n").collect(Collectors.joining());
        List<String> words =
                new ArrayList<>(List.of("import", "--results", sandbox.results().toString()));
        for (int run = 1; run <= 20; run++) {
            words.add(sandbox.file("load-run" + run + ".csv", "time,requests\n" + rows)
                    .toString());
        }
        Kiln importing = Kiln.start(sandbox, words.toArray(String[]::new));
        importing
                .await("the second run", () -> importing.err().contains("imported load 1"))
                .signal("TERM")
                .end();
        assertThat(files(sandbox.results())).isEmpty();
    }
}
