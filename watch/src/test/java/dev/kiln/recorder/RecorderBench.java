package dev.kiln.recorder;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.evidence.RunReader;
import dev.kiln.evidence.RunWriter;
import dev.kiln.host.process.Launcher;
import dev.kiln.host.process.Launcher.LaunchSpec;
import dev.kiln.host.process.OrphanRegistry;
import dev.kiln.host.process.PinnedProcess;
import dev.kiln.jvm.Jdk;
import dev.kiln.jvm.JdkFinder;
import dev.kiln.model.CpuAssignment;
import dev.kiln.model.experiment.Experiment.Runs;
import dev.kiln.model.experiment.Protocol;
import dev.kiln.model.load.LoadSpec;
import dev.kiln.model.load.LoadSpec.HttpCall;
import dev.kiln.model.run.Course;
import dev.kiln.model.run.Machine;
import dev.kiln.model.run.RunEvidence;
import dev.kiln.model.run.RunInfo;
import dev.kiln.model.run.Treatment;
import dev.kiln.testing.SmallProgram;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** A RecorderBench launches what a test of the recorder watches, and reads what came of it, in a folder of the test's own. */
final class RecorderBench implements AutoCloseable {
    /** Has threads come and go, garbage and a child. It asks for a collection again and again, with time to look at it between. */
    private static final String BUSY = """
            public class Busy {
                public static void main(String[] args) throws Exception {
                    Thread idle = new Thread(() -> java.util.concurrent.locks.LockSupport.park(), "executor-thread-idle");
                    idle.setDaemon(true);
                    idle.start();
                    new ProcessBuilder("sh", "-c", "i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done").start();
                    for (int i = 0; ; i++) {
                        Thread thread = new Thread(Busy::work, "executor-thread-" + i);
                        thread.start();
                        thread.join();
                        if (i % 8 == 3) {
                            System.gc();
                            // Several looks at the JVM see it before the next collection; of a crowded machine, some time.
                            Thread.sleep(400);
                        }
                        if (i == 3) {
                            System.out.println("warm");
                        }
                    }
                }

                static void work() {
                    StringBuilder text = new StringBuilder();
                    for (int i = 0; i < 300_000; i++) {
                        text.append(Integer.toHexString(i * 31));
                        if (text.length() > 1000) {
                            text = new StringBuilder();
                        }
                    }
                }
            }
            """;

    private final Path directory;
    private final OrphanRegistry registry;
    private final Launcher launcher;

    RecorderBench(Path directory) {
        this.directory = directory;
        this.registry = new OrphanRegistry(directory.resolve("state"));
        this.launcher = new Launcher(registry, note -> {});
    }

    /** A runtime without tools has no jshell to be asked. */
    static Stream<Jdk> jdks() {
        return new JdkFinder()
                .find().stream()
                        .filter(jdk ->
                                jdk.feature() >= 17 && Files.exists(jdk.java().resolveSibling("jshell")));
    }

    /** Compiled once for all tests and all JDKs. */
    private static final class Classes {
        static final Path FOLDER = compiled();

        private static Path compiled() {
            try {
                Path folder = Files.createTempDirectory("kiln-busy");
                SmallProgram.compile(folder, "Busy", BUSY);
                for (String file : List.of("", "Busy.java", "Busy.class")) {
                    folder.resolve(file).toFile().deleteOnExit();
                }
                return folder;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    static List<String> busy(Jdk jdk, String... flags) {
        return Stream.of(
                        Stream.of(jdk.java().toString()),
                        Stream.of(flags),
                        Stream.of("-cp", Classes.FOLDER.toString(), "Busy"))
                .flatMap(part -> part)
                .toList();
    }

    PinnedProcess launch(List<String> command) {
        return launcher.start(new LaunchSpec("target", command, directory.resolve("out")));
    }

    PinnedProcess launchBusy(Jdk jdk, String... flags) {
        return launch(busy(jdk, flags));
    }

    /** What the target has said so far. */
    String output() throws IOException {
        Path out = directory.resolve("out");
        return Files.exists(out) ? Files.readString(out) : "";
    }

    void awaitOutput() throws Exception {
        while (output().isEmpty()) {
            Thread.sleep(20);
        }
    }

    Path run() {
        return directory.resolve("run");
    }

    RunWriter writer() {
        RunWriter writer = new RunWriter(run());
        writer.write(info());
        return writer;
    }

    /** Reads what is recorded so far: a run is readable while it goes on. */
    RunEvidence read() {
        return RunReader.read(run());
    }

    /** Waits until the run has this, as long as its target lives. */
    void awaitRecorded(RunWriter writer, PinnedProcess target, Predicate<RunEvidence> there) throws Exception {
        while (!there.test(read())) {
            assertThat(target.isAlive()).isTrue();
            Thread.sleep(20);
            writer.flush();
        }
    }

    /** Records a target until the run has this, and ends both. */
    Recording.RecordingResult record(PinnedProcess target, RecorderSpec spec, Predicate<RunEvidence> there)
            throws Exception {
        try (RunWriter writer = writer()) {
            Recorder recorder = Recorder.start(spec, writer);
            awaitRecorded(writer, target, there);
            return recorder.stop();
        } finally {
            target.stop(Duration.ZERO);
        }
    }

    static RecorderSpec spec(PinnedProcess target) {
        return new RecorderSpec(
                target.pid(),
                target.launchNanos(),
                Map.of("kiln", ProcessHandle.current().pid()),
                false);
    }

    static RecorderSpec asking(PinnedProcess target) {
        return new RecorderSpec(target.pid(), target.launchNanos(), Map.of(), true);
    }

    static void signal(String name, PinnedProcess target) throws Exception {
        assertThat(new ProcessBuilder("kill", "-" + name, Long.toString(target.pid()))
                        .start()
                        .waitFor())
                .isZero();
    }

    static RunInfo info() {
        return new RunInfo(
                "test",
                new RunInfo.Which("test", List.of("test"), "test", 1, 1, 1),
                new RunInfo.Launch(0, 0, List.of(), Map.of(), Treatment.NONE, Optional.empty()),
                new Machine(
                        Optional.empty(),
                        new Machine.HostInfo("", "", 1, 1, "", Map.of()),
                        new CpuAssignment(List.of(), List.of(), List.of(), false, List.of()),
                        Optional.empty()),
                new RunInfo.Plan(
                        new LoadSpec(
                                List.of(HttpCall.get(URI.create("http://localhost:1/"))),
                                1,
                                OptionalDouble.empty(),
                                Duration.ZERO),
                        new Protocol("custom", List.of()),
                        Runs.fixed(1),
                        "none",
                        Optional.empty()),
                new Course(
                        OptionalLong.empty(),
                        OptionalLong.empty(),
                        List.of(),
                        Course.Outcome.RUNNING,
                        Optional.empty(),
                        Optional.empty(),
                        List.of(),
                        OptionalLong.empty(),
                        List.of(),
                        Set.of()),
                new RunInfo.Limits(List.of(), List.of(), Optional.empty()));
    }

    @Override
    public void close() {
        launcher.close();
        registry.close();
    }
}
