package dev.kiln.recorder;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.evidence.EvidenceSink;
import dev.kiln.host.process.Launcher.LaunchSpec;
import dev.kiln.host.process.Launching;
import dev.kiln.host.process.PinnedProcess;
import dev.kiln.jvm.Jdk;
import dev.kiln.jvm.JdkFinder;
import dev.kiln.model.run.RunInfo.NotRecorded;
import dev.kiln.model.run.Sample;
import dev.kiln.model.run.Sample.BlockedSample;
import dev.kiln.recorder.RecorderSpec.ThreadDumping;
import dev.kiln.recorder.Recording.DumpTimes;
import dev.kiln.testing.SmallProgram;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

@Execution(ExecutionMode.CONCURRENT)
class RecorderDumpsIT extends Launching {
    /** Threads wait in four ways, and virtual ones where there are some. */
    private static final String WAITS = """
            import java.net.ServerSocket;
            import java.net.Socket;
            import java.util.concurrent.Semaphore;

            public class Waits {
                static final Object LOCK = new Object();
                static final Semaphore PERMITS = new Semaphore(0);

                interface Body { void run() throws Exception; }

                static Runnable of(Body body) {
                    return () -> {
                        try {
                            body.run();
                        } catch (Exception e) {
                            throw new IllegalStateException(e);
                        }
                    };
                }

                static void hold() throws Exception { synchronized (LOCK) { Thread.sleep(600_000); } }
                static void enter() { synchronized (LOCK) { System.out.println("in"); } }
                static void permit() throws Exception { PERMITS.acquire(); }
                static void doze() throws Exception { Thread.sleep(600_000); }
                static void deep(int frames) throws Exception {
                    if (frames == 0) {
                        PERMITS.acquire();
                    } else {
                        deep(frames - 1);
                    }
                }

                static void ask(int port) throws Exception { new Socket("127.0.0.1", port).getInputStream().read(); }

                public static void main(String[] args) throws Exception {
                    ServerSocket silent = new ServerSocket(0);
                    new Thread(of(Waits::hold), "holder").start();
                    Thread.sleep(300);
                    for (int i = 1; i <= 4; i++) {
                        new Thread(of(Waits::enter), "request-" + i).start();
                    }
                    new Thread(of(Waits::permit), "permit-1").start();
                    new Thread(of(Waits::doze), "doze, \\"ü\\"-1").start();
                    new Thread(of(() -> ask(silent.getLocalPort())), "ask-1").start();
                    for (int i = 0; i < Integer.getInteger("more", 0); i++) {
                        new Thread(of(() -> deep(Integer.getInteger("frames", 1))), "more-" + i).start();
                    }
                    if (Runtime.version().feature() >= 21 && !Boolean.getBoolean("platform")) {
                        java.lang.reflect.Method start = Thread.class.getMethod("startVirtualThread", Runnable.class);
                        for (int i = 0; i < 3; i++) {
                            start.invoke(null, of(Waits::permit));
                            start.invoke(null, of(Waits::enter));
                            if (!"false".equals(System.getProperty("sockets"))) {
                                start.invoke(null, of(() -> ask(silent.getLocalPort())));
                            }
                        }
                    }
                    Thread.sleep(500);
                    System.out.println("waits");
                    Thread.sleep(600_000);
                }
            }
            """;

    /** JDK 25 may crash while it writes such a dump: it must never be asked for one. */
    private static final NotRecorded VIRTUAL_GAP = new NotRecorded(
            NotRecorded.VIRTUAL_DUMPS,
            "from JDK 25 on the JVM can crash while it dumps virtual threads (JDK-8364343): Kiln does not ask");

    /** A starved machine answers late, and a dump that is never taken must not hold up all tests. */
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    @TempDir
    private static Path classes = Path.of("");

    private final List<BlockedSample> rows = Collections.synchronizedList(new ArrayList<>());

    @BeforeAll
    static void compile() throws IOException {
        SmallProgram.compile(classes, "Waits", WAITS);
    }

    static Stream<Jdk> jdks() {
        return RecorderBench.jdks();
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void aDumpSaysWhatThreadsWaitFor(Jdk jdk) throws Exception {
        PinnedProcess target = launch(jdk);
        Recording.RecordingResult result;
        try {
            Recorder recorder = Recorder.start(spec(target), sink());
            recorder.dumpThreads(often());
            awaitDumps(1);
            result = recorder.stop();
        } finally {
            target.stop(Duration.ZERO);
        }
        assertThat(result.notRecorded())
                .filteredOn(
                        one -> one.what().equals("thread dumps") || one.what().contains("virtual threads"))
                .isEqualTo(jdk.feature() < 25 ? List.of() : List.of(VIRTUAL_GAP));
        assertThat(rows).extracting(BlockedSample::timeNanos).isSorted();
        long first = rows.getFirst().timeNanos();
        assertThat(rows)
                .filteredOn(row -> row.timeNanos() == first)
                .filteredOn(
                        row -> row.frame().startsWith("Waits.") && !row.pool().equals("main"))
                .extracting(RecorderDumpsIT::shown)
                .containsExactlyInAnyOrderElementsOf(expected(dumpsVirtual(jdk)));
        assertThat(rows)
                .filteredOn(row -> row.timeNanos() == first
                        && row.detail().equals("read")
                        && row.frame().isEmpty())
                .as("what a JVM counts of its virtual threads where Kiln does not dump them")
                .extracting(RecorderDumpsIT::shown)
                .isEqualTo(
                        jdk.feature() < 25
                                ? List.of()
                                : List.of("virtual 3 NETWORK  | read", "virtual 0 IDLE  | read"));
        List<Path> made = foldersMade();
        assertThat(made.isEmpty()).isEqualTo(!dumpsVirtual(jdk));
        assertThat(made).noneMatch(Files::exists);
        assertThat(registry.remaining()).isEmpty();
    }

    private static boolean dumpsVirtual(Jdk jdk) {
        return jdk.feature() >= 21 && jdk.feature() < 25;
    }

    private static List<String> expected(boolean virtual) {
        List<String> rows = new ArrayList<>(List.of(
                "request 4 MONITOR Waits.enter | java.lang.Object, held by holder at Waits.hold",
                "holder 1 SLEEP Waits.hold | ",
                "permit 1 PARK Waits.permit | java.util.concurrent.Semaphore$NonfairSync",
                "doze, \"ü\" 1 SLEEP Waits.doze | ",
                "ask 1 SOCKET Waits.ask | read"));
        if (virtual) {
            rows.addAll(List.of(
                    "virtual 3 PARK Waits.permit | java.util.concurrent.Semaphore$NonfairSync",
                    "virtual 3 MONITOR Waits.enter | java.lang.Object, held by holder at Waits.hold",
                    "virtual 3 SOCKET Waits.ask | read"));
        }
        return rows;
    }

    /** The question for pollers would start their threads: it is not asked where there are none. */
    @Test
    void virtualThreadsThatDoNotReadAreCountedWithoutAnotherThreadInTheJvm() throws Exception {
        PinnedProcess target = launch(JdkFinder.current(), "-Dsockets=false");
        List<String> names;
        try {
            Recorder recorder = Recorder.start(spec(target), sink());
            recorder.dumpThreads(often());
            awaitDumps(1);
            recorder.stop();
            names = threadNames(target);
        } finally {
            target.stop(Duration.ZERO);
        }
        assertThat(rows)
                .filteredOn(row -> row.timeNanos() == rows.getFirst().timeNanos() && row.virtual())
                .extracting(RecorderDumpsIT::shown)
                .containsExactly("virtual 0 NETWORK  | read", "virtual 0 IDLE  | read");
        assertThat(names).contains("Attach Listener").noneMatch(name -> name.contains("Poller"));
    }

    private static List<String> threadNames(PinnedProcess target) throws IOException {
        try (Stream<Path> tasks = Files.list(Path.of("/proc/" + target.pid() + "/task"))) {
            List<String> names = new ArrayList<>();
            for (Path task : tasks.toList()) {
                names.add(Files.readString(task.resolve("comm")).strip());
            }
            return names;
        }
    }

    @Test
    void withoutThreadDumpsTheJvmIsNotAskedForThem() throws Exception {
        PinnedProcess target = launch(JdkFinder.current());
        try {
            Recorder recorder = Recorder.start(spec(target).with(ThreadDumping.NONE), sink());
            recorder.dumpThreads(DumpTimes.within(System.nanoTime(), Duration.ofMillis(400), 3));
            Thread.sleep(500);
            assertThat(recorder.stop().notRecorded())
                    .extracting(NotRecorded::what)
                    .noneMatch(what -> what.contains("thread dump"));
        } finally {
            target.stop(Duration.ZERO);
        }
        assertThat(rows).isEmpty();
    }

    @Test
    void aJvmThatCannotBeAskedIsAGapWithItsReason() throws Exception {
        PinnedProcess target = launch(JdkFinder.current(), "-XX:+DisableAttachMechanism");
        try {
            Recorder recorder = Recorder.start(spec(target), sink());
            recorder.dumpThreads(DumpTimes.within(System.nanoTime(), Duration.ofMillis(400), 3));
            Thread.sleep(500);
            assertThat(recorder.stop().notRecorded())
                    .contains(new NotRecorded("thread dumps", "the JVM runs with -XX:+DisableAttachMechanism"));
        } finally {
            target.stop(Duration.ZERO);
        }
        assertThat(rows).isEmpty();
    }

    /**
     * 200 stacks of 45 frames stop a JVM for about 10 ms. These have ten times as many frames, so that one of them is over
     * either limit on any machine.
     */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            -XX:+UsePerfData | a dump stopped the JVM for [0-9]+ ms
            -XX:-UsePerfData | a dump was answered after [0-9]+ ms
            """)
    void afterADumpThatTakesLongTheNextOneComesLater(String flag, String why) throws Exception {
        PinnedProcess target =
                launch(JdkFinder.current(), flag, "-Dplatform=true", "-Dmore=200", "-Dframes=900", "-Xss2m");
        List<NotRecorded> missing;
        try {
            Recorder recorder = Recorder.start(spec(target), sink());
            recorder.dumpThreads(often());
            awaitDumps(1);
            // Another one would come within a second.
            Thread.sleep(2000);
            missing = recorder.stop().notRecorded();
        } finally {
            target.stop(Duration.ZERO);
        }
        assertThat(dumps()).isEqualTo(1);
        assertThat(missing)
                .filteredOn(one -> one.what().startsWith("thread dumps, "))
                .as("more than 200 ms end them")
                .singleElement()
                .satisfies(one -> assertThat(one.why())
                        .matches("(Kiln took no more, because )?" + why
                                + "(: Kiln left some out, so that they take at most 1 % of the time"
                                + "|, and the limit is 200 ms)"));
    }

    @Test
    void aProcessOfMoreThan400ThreadsIsNotDumped() throws Exception {
        PinnedProcess target = launch(JdkFinder.current(), "-Dplatform=true", "-Dmore=400");
        List<NotRecorded> missing;
        try {
            Recorder recorder = Recorder.start(spec(target), sink());
            recorder.dumpThreads(often());
            Thread.sleep(2000);
            missing = recorder.stop().notRecorded();
        } finally {
            target.stop(Duration.ZERO);
        }
        assertThat(rows).isEmpty();
        assertThat(missing)
                .filteredOn(one -> one.what().equals("thread dumps"))
                .singleElement()
                .satisfies(one -> assertThat(one.why())
                        .matches("the process has so many threads that a dump would stop it for some 2[0-9] ms, and the"
                                + " limit is 20 ms"));
    }

    /** The answer of a stopped JVM comes when the load is over. Dumps of virtual threads would lie further apart. */
    @Test
    void anAnswerThatComesAfterTheLoadIsNotOfTheLoad() throws Exception {
        PinnedProcess target = launch(JdkFinder.current(), "-Dplatform=true");
        try {
            Recorder recorder = Recorder.start(spec(target), sink());
            recorder.dumpThreads(soon(Duration.ofMinutes(1)));
            awaitDumps(1);
            RecorderBench.signal("STOP", target);
            recorder.dumpThreads(soon(Duration.ofMillis(300)));
            // The next dump comes no sooner than a second after this one.
            Thread.sleep(1200);
            RecorderBench.signal("CONT", target);
            // Dumps are taken one after the other, so the one before has been answered by then.
            recorder.dumpThreads(soon(Duration.ofMinutes(1)));
            long from = System.nanoTime();
            while (dumps() == 1 && System.nanoTime() - from < 30_000_000_000L) {
                Thread.sleep(20);
            }
            Thread.sleep(200);
            List<NotRecorded> missing = recorder.stop().notRecorded();
            // A machine that is starved stops the target for long, and then there is no third one.
            assertThat(dumps()).isLessThanOrEqualTo(2);
            assertThat(dumps() == 2 || missing.toString().contains("the limit is"))
                    .isTrue();
        } finally {
            target.stop(Duration.ZERO);
        }
    }

    /** Returns one moment, at once, in a load that ends after this time. */
    private static DumpTimes soon(Duration length) {
        return new DumpTimes(List.of(System.nanoTime()), System.nanoTime() + length.toNanos());
    }

    private static DumpTimes often() {
        return DumpTimes.within(System.nanoTime(), Duration.ofMinutes(2), 240);
    }

    private long dumps() {
        synchronized (rows) {
            return rows.stream().map(BlockedSample::timeNanos).distinct().count();
        }
    }

    private void awaitDumps(int count) throws InterruptedException {
        long from = System.nanoTime();
        while (dumps() < count) {
            assertThat(System.nanoTime() - from)
                    .as("waiting for dump %d, with %d so far", count, dumps())
                    .isLessThan(PATIENCE.toNanos());
            Thread.sleep(20);
        }
        // The rows of one dump come one after the other.
        Thread.sleep(200);
    }

    private static String shown(BlockedSample row) {
        // Which of the threads is first through a line does not matter, nor do lines.
        return (row.virtual() ? "virtual" : row.pool()) + " " + row.threads() + " " + row.kind() + " "
                + row.frame().replaceFirst(":\\d+$", "") + " | " + row.detail().replaceFirst(":\\d+$", "");
    }

    private RecorderSpec spec(PinnedProcess target) {
        return new RecorderSpec(target.pid(), target.launchNanos(), Map.of(), false)
                .with(new ThreadDumping(true, Optional.of(registry)));
    }

    private EvidenceSink sink() {
        return new EvidenceSink() {
            @Override
            public void append(Sample sample) {
                if (sample instanceof BlockedSample row) {
                    rows.add(row);
                }
            }

            @Override
            public void flush() {
                // Nothing is held back.
            }
        };
    }

    private PinnedProcess launch(Jdk jdk, String... flags) throws Exception {
        List<String> command = new ArrayList<>(List.of(jdk.java().toString()));
        command.addAll(List.of(flags));
        command.addAll(List.of("-cp", classes.toString(), "Waits"));
        PinnedProcess target = launcher.start(new LaunchSpec("target", command, directory.resolve("out")));
        while (!Files.exists(directory.resolve("out"))
                || !Files.readString(directory.resolve("out")).contains("waits")) {
            assertThat(target.isAlive()).isTrue();
            Thread.sleep(20);
        }
        return target;
    }

    /** Returns the folders that were noted, so that a killed Kiln leaves none. */
    private List<Path> foldersMade() throws IOException {
        try (Stream<Path> notes = Files.list(directory.resolve("state"))) {
            List<Path> made = new ArrayList<>();
            for (Path note : notes.toList()) {
                Files.readAllLines(note).stream()
                        .filter(line -> line.startsWith("directory ") && line.contains("/kiln-threads-"))
                        .forEach(line -> made.add(Path.of(line.substring("directory ".length()))));
            }
            return made;
        }
    }
}
