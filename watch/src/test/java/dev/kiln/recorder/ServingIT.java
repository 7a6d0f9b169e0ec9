package dev.kiln.recorder;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.evidence.RunReader;
import dev.kiln.evidence.RunWriter;
import dev.kiln.host.process.Launcher.LaunchSpec;
import dev.kiln.host.process.Launching;
import dev.kiln.host.process.PinnedProcess;
import dev.kiln.host.process.Ports;
import dev.kiln.jvm.JdkFinder;
import dev.kiln.model.run.RunEvidence;
import dev.kiln.model.run.RunInfo.NotRecorded;
import dev.kiln.model.run.Sample.CompilerSample;
import dev.kiln.model.run.Sample.PartSample;
import dev.kiln.model.run.Sample.ThreadRole;
import dev.kiln.model.run.Sample.ThreadSample;
import dev.kiln.testing.FullRun;
import dev.kiln.testing.SmallProgram;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** What is recorded is the process that serves, wherever it stands below what was launched. */
@Timeout(300)
@Execution(ExecutionMode.CONCURRENT)
class ServingIT extends Launching {
    /**
     * A JVM that starts the JVM that serves, after a while, and replaces it when it is told to: as Apache Tika's server
     * does.
     */
    private static final String FORKS = """
            import java.io.*;
            import java.net.*;
            import java.nio.file.*;

            class Forks {
                public static void main(String[] args) throws Exception {
                    if (args[0].equals("serve")) {
                        serve(Integer.parseInt(args[1]));
                    }
                    Thread.sleep(Long.parseLong(args[1]));
                    for (int child = 1; ; child++) {
                        Process process = new ProcessBuilder(
                                        System.getProperty("java.home") + "/bin/java",
                                        "-Dchild=" + child,
                                        "-cp",
                                        System.getProperty("java.class.path"),
                                        "Forks",
                                        "serve",
                                        args[0])
                                .inheritIO()
                                .start();
                        Path replace = Path.of(args[2]);
                        while (!Files.exists(replace)) {
                            Thread.sleep(20);
                        }
                        Files.delete(replace);
                        process.destroy();
                        process.waitFor();
                    }
                }

                static void serve(int port) throws Exception {
                    ServerSocket server = new ServerSocket();
                    if (Boolean.getBoolean("shared")) {
                        server.setOption(StandardSocketOptions.SO_REUSEPORT, true);
                    }
                    server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
                    System.out.println("serving " + ProcessHandle.current().pid());
                    while (true) {
                        Socket socket = server.accept();
                        new Thread(() -> {
                            try (socket) {
                                while (socket.getInputStream().read() >= 0) {
                                    socket.getOutputStream().write(work());
                                }
                            } catch (IOException e) {
                                return;
                            }
                        }).start();
                    }
                }

                static int work() {
                    StringBuilder text = new StringBuilder();
                    for (int i = 0; i < 20_000; i++) {
                        text.append(Integer.toHexString(i * 31));
                        if (text.length() > 1000) {
                            text = new StringBuilder();
                        }
                    }
                    return text.length() & 1;
                }
            }
            """;

    private static final String IDLE =
            "class Idle { public static void main(String[] a) throws Exception { Thread.sleep(60_000); } }";

    @TempDir
    private static Path classes = Path.of("");

    private final int port = Ports.free();

    @BeforeAll
    static void compile() throws IOException {
        SmallProgram.compile(classes, "Forks", FORKS);
        SmallProgram.compile(classes, "Idle", IDLE);
    }

    private PinnedProcess launch(List<String> command) {
        return launcher.start(new LaunchSpec("target", command, directory.resolve("out")));
    }

    private static List<String> java(String flag, String... words) {
        return Stream.of(
                        Stream.of(JdkFinder.current().java().toString(), flag, "-cp", classes.toString()),
                        Stream.of(words))
                .flatMap(part -> part)
                .toList();
    }

    private List<String> forks(long delayMillis) {
        return forks(port, delayMillis);
    }

    private List<String> forks(int on, long delayMillis) {
        return java(
                "-Dparent=yes",
                "Forks",
                Integer.toString(on),
                Long.toString(delayMillis),
                directory.resolve("replace").toString());
    }

    private Recorder record(PinnedProcess target, RunWriter writer) {
        writer.write(RecorderBench.info());
        return Recorder.start(
                new RecorderSpec(target.pid(), target.launchNanos(), Map.of(), true).serving(Set.of(port)), writer);
    }

    /** What a recorder told at its end, and what it wrote. */
    private record Recorded(Recording.RecordingResult result, RunEvidence evidence) {}

    /** What happens while it records. */
    private interface Meanwhile {
        void happens(Recorder recorder) throws Exception;
    }

    /** Records a target, and ends both. */
    private Recorded recorded(PinnedProcess target, Meanwhile meanwhile) throws Exception {
        Path run = directory.resolve("run");
        Recording.RecordingResult result;
        try (RunWriter writer = new RunWriter(run)) {
            Recorder recorder = record(target, writer);
            meanwhile.happens(recorder);
            result = recorder.stop();
        } finally {
            target.stop(Duration.ZERO);
        }
        return new Recorded(result, RunReader.read(run));
    }

    /** Waits until it says that another program serves. */
    private static void awaitStranger(Recorder recorder) throws Exception {
        while (recorder.notRecorded().stream().noneMatch(gap -> gap.what().startsWith("CPU, threads"))) {
            Thread.sleep(100);
        }
    }

    /** Pids of those that have served so far. */
    private List<Long> serving() throws IOException {
        try (Stream<String> lines = Files.lines(directory.resolve("out"))) {
            return lines.filter(line -> line.startsWith("serving "))
                    .map(line -> Long.parseLong(line.substring("serving ".length())))
                    .toList();
        }
    }

    private void awaitServing(int processes) throws Exception {
        while (!Files.exists(directory.resolve("out")) || serving().size() < processes) {
            Thread.sleep(20);
        }
    }

    /** One connection that asks again a moment after each answer: a CPU that is never idle would slow the tests beside it. */
    private void load(Duration time) throws Exception {
        long end = System.nanoTime() + time.toNanos();
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            while (System.nanoTime() < end) {
                socket.getOutputStream().write(1);
                assertThat(socket.getInputStream().read()).isNotNegative();
                Thread.sleep(2);
            }
        }
    }

    private static List<Integer> tids(RunEvidence evidence) {
        return evidence.threads().stream().map(ThreadSample::tid).distinct().toList();
    }

    /** The first thread of a process has its pid. */
    private static void assertIsOf(RunEvidence evidence, long... pids) {
        int[] wanted = Arrays.stream(pids).mapToInt(Math::toIntExact).toArray();
        assertThat(tids(evidence)).contains(Arrays.stream(wanted).boxed().toArray(Integer[]::new));
    }

    @Test
    void theForkedJvmIsRecordedAndNothingOfItsParent() throws Exception {
        PinnedProcess target = launch(forks(2_500));
        Recorded recorded = recorded(target, recorder -> {
            awaitServing(1);
            load(Duration.ofSeconds(4));
        });

        RunEvidence evidence = recorded.evidence();
        long child = serving().getFirst();
        assertIsOf(evidence, child);
        assertThat(tids(evidence)).doesNotContain(Math.toIntExact(target.pid()));
        assertThat(recorded.result().jvm().orElseThrow().flags())
                .contains("-Dchild=1")
                .doesNotContain("-Dparent=yes");
        long c2 = evidence.threads().stream()
                .filter(sample -> sample.role() == ThreadRole.C2)
                .mapToLong(ThreadSample::cpuNanos)
                .max()
                .orElseThrow();
        assertThat(c2).isPositive();
        assertThat(recorded.result().notRecorded())
                .extracting(NotRecorded::why)
                .contains("only the process that serves is recorded in detail, process " + child);
        assertThat(recorded.result().notes()).noneMatch(note -> note.contains("replaced"));
    }

    /** Counters of a JVM begin at zero: without the old ones, figures between two looks would be negative. */
    @Test
    void theOneThatReplacesItInTheMiddleIsRecordedFromThenOn() throws Exception {
        PinnedProcess target = launch(forks(0));
        Recorded recorded = recorded(target, recorder -> {
            awaitServing(1);
            load(Duration.ofSeconds(3));
            Files.createFile(directory.resolve("replace"));
            awaitServing(2);
            load(Duration.ofSeconds(3));
        });

        RunEvidence evidence = recorded.evidence();
        List<Long> children = serving();
        assertIsOf(evidence, children.getFirst(), children.getLast());
        assertThat(tids(evidence)).doesNotContain(Math.toIntExact(target.pid()));
        assertThat(evidence.compiler()).extracting(CompilerSample::compilations).isSorted();
        assertThat(recorded.result().jvm().orElseThrow().flags()).contains("-Dchild=2");
        assertThat(recorded.result().notes())
                .anyMatch(note -> note.startsWith("the process that serves was replaced: process " + children.getLast()
                        + " after " + children.getFirst() + ", seen "));
    }

    /** What was launched hands over to a daemon that runs already: its own figures are not those of what serves. */
    @Test
    void whatServesElsewhereHasNoFigures() throws Exception {
        PinnedProcess daemon = launch(forks(0));
        awaitServing(1);
        PinnedProcess target =
                launcher.start(new LaunchSpec("target", forks(Ports.free(), 60_000), directory.resolve("other")));
        Recorded recorded;
        try {
            recorded = recorded(target, recorder -> {
                awaitStranger(recorder);
                load(Duration.ofSeconds(3));
            });
        } finally {
            daemon.stop(Duration.ZERO);
        }

        RunEvidence evidence = recorded.evidence();
        assertThat(parts(evidence)).isZero();
        assertThat(evidence.threads()).isEmpty();
        assertThat(evidence.compiler()).isEmpty();
        assertThat(evidence.memory()).isEmpty();
        assertThat(evidence.jit()).isEmpty();
        assertThat(recorded.result().jvm()).isEmpty();
        assertThat(recorded.result().notRecorded())
                .extracting(NotRecorded::what)
                .contains("CPU, threads, JIT and memory of what serves");
    }

    /** It cannot listen as long as the other program does. */
    @FullRun
    @Test
    void theOneThatServesAfterAllIsTakenUpAgain() throws Exception {
        PinnedProcess daemon = launch(forks(0));
        awaitServing(1);
        PinnedProcess target = launch(forks(0));
        Recorded recorded;
        try {
            recorded = recorded(target, recorder -> {
                awaitStranger(recorder);
                daemon.stop(Duration.ZERO);
                Files.createFile(directory.resolve("replace"));
                awaitServing(2);
                load(Duration.ofSeconds(8));
            });
        } finally {
            daemon.stop(Duration.ZERO);
        }

        RunEvidence evidence = recorded.evidence();
        assertIsOf(evidence, serving().getLast());
        assertThat(parts(evidence)).isPositive();
        assertThat(recorded.result().jvm().orElseThrow().flags()).contains("-Dchild=2");
        assertThat(recorded.result().notRecorded())
                .filteredOn(gap -> gap.what().equals("CPU, threads, JIT and memory of what serves"))
                .singleElement()
                .satisfies(gap -> assertThat(gap.why())
                        .matches(
                                "of the first \\d+ s: another program listened on the port of the load, before process "
                                        + serving().getLast() + " of the target did"));
    }

    @Test
    void severalThatServeAtOnceAreTold() throws Exception {
        String one = String.join(" ", java("-Dshared=true", "Forks", "serve", Integer.toString(port)));
        PinnedProcess target = launch(List.of("sh", "-c", one + " & " + one + "; true"));
        awaitServing(2);
        List<Socket> all = new ArrayList<>();
        Recorded recorded;
        try {
            // The kernel gives each to one of the two, by chance.
            for (int i = 0; i < 32; i++) {
                all.add(new Socket(InetAddress.getLoopbackAddress(), port));
            }
            recorded = recorded(target, recorder -> load(Duration.ofSeconds(3)));
        } finally {
            for (Socket each : all) {
                each.close();
            }
            target.stop(Duration.ZERO);
        }
        assertThat(recorded.result().notes())
                .filteredOn(note -> note.contains("processes of the target serve"))
                .singleElement()
                .satisfies(note -> {
                    assertThat(note).startsWith("2 processes of the target serve; recorded in detail is process ");
                    assertThat(serving()).anyMatch(pid -> note.contains("process " + pid + ": "));
                });
    }

    private static int parts(RunEvidence evidence) {
        return (int) evidence.parts().stream()
                .map(PartSample::part)
                .filter(RecorderSpec.TARGET::equals)
                .count();
    }

    /** A shell that stays around it, and a second child that only watches. */
    @Test
    void belowAScriptTheOneThatListensIsRecorded() throws Exception {
        String idle = String.join(" ", java("-Dserves=no", "Idle"));
        String serves = String.join(" ", java("-Dserves=yes", "Forks", "serve", Integer.toString(port)));
        PinnedProcess target = launch(List.of("sh", "-c", idle + " & sleep 1; " + serves + "; true"));
        Recorded recorded = recorded(target, recorder -> {
            awaitServing(1);
            load(Duration.ofSeconds(3));
        });
        assertIsOf(recorded.evidence(), serving().getFirst());
        assertThat(recorded.result().jvm().orElseThrow().flags()).contains("-Dserves=yes");
    }
}
