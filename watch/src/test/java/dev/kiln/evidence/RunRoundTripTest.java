package dev.kiln.evidence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kiln.evidence.LoadFile.CallFile;
import dev.kiln.files.OutputFile;
import dev.kiln.model.KilnException;
import dev.kiln.model.experiment.Experiment.Runs;
import dev.kiln.model.load.LoadBin.CallBin;
import dev.kiln.model.load.LoadSpec;
import dev.kiln.model.load.LoadSpec.Feed;
import dev.kiln.model.load.LoadSpec.Replay;
import dev.kiln.model.load.LoadSpec.Step;
import dev.kiln.model.load.LoadSpec.Variables;
import dev.kiln.model.load.Sending.Http2;
import dev.kiln.model.load.Sending.Success;
import dev.kiln.model.run.Attached;
import dev.kiln.model.run.Attached.Restarted;
import dev.kiln.model.run.Course;
import dev.kiln.model.run.Course.OutOfMemory;
import dev.kiln.model.run.Course.StartPhase;
import dev.kiln.model.run.Machine.LoadHost;
import dev.kiln.model.run.RunEvidence;
import dev.kiln.model.run.RunInfo;
import dev.kiln.model.run.Sample.BlockedSample;
import dev.kiln.model.run.Treatment;
import dev.kiln.model.run.WaitKind;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

class RunRoundTripTest {
    @TempDir
    Path directory;

    @Test
    void theEventLoopsOfAPhaseTheEndOfABoostAndThePhasesOfAStartAreReadBack() {
        RunInfo info = Samples.info("spring", 1, 1000);
        Course course = info.course();
        Course.PhaseTime phase = new Course.PhaseTime(
                "warm-up",
                true,
                1_000,
                OptionalLong.of(2_000),
                Optional.of(new Course.Unserved(3, 0, 0, 7, Optional.of(new Course.Hung(2, 5)))),
                Optional.empty(),
                Optional.of(List.of(0.83, 0.79)));
        Course twoLoops = new Course(
                course.readyNanos(),
                course.firstResponseNanos(),
                List.of(phase),
                course.outcome(),
                course.outcomeDetail(),
                course.referenceEnd(),
                course.repeatedFor(),
                OptionalLong.of(30_000),
                List.of(new StartPhase("Create VM", 51_000_000)),
                Set.of(OutOfMemory.METASPACE, OutOfMemory.HEAP));
        RunInfo.Typed typed = new RunInfo.Typed(List.of("java", "-Dport=${port}"), Map.of("A", "b"));
        Attached attached = new Attached("port:8080", 4711, 10_920_000_000_000L, 750_000_000_000L);
        Restarted restarted = new Restarted("port:8080", 4712, List.of("systemctl", "restart", "shop"), 120_000_000L);
        Path run = directory.resolve("spring/1");
        try (RunWriter writer = new RunWriter(run)) {
            writer.write(new RunInfo(
                    info.kilnVersion(),
                    info.which(),
                    new RunInfo.Launch(
                            0,
                            1000,
                            info.command(),
                            info.launch().environment(),
                            Treatment.NONE,
                            Optional.empty(),
                            Optional.of(typed),
                            Optional.of(attached),
                            Optional.of(restarted),
                            1),
                    info.machine(),
                    info.plan(),
                    twoLoops,
                    info.limits()));
        }
        assertThat(RunReader.read(run).info().phases()).containsExactly(phase);
        assertThat(RunReader.read(run).info().course().boostEndNanos()).hasValue(30_000);
        assertThat(RunReader.read(run).info().course().startupPhases())
                .containsExactly(new StartPhase("Create VM", 51_000_000));
        assertThat(RunReader.read(run).info().course().outOfMemory())
                .containsExactly(OutOfMemory.HEAP, OutOfMemory.METASPACE);
        assertThat(RunReader.read(run).info().launch().typed()).contains(typed);
        assertThat(RunReader.read(run).info().attached()).contains(attached);
        assertThat(RunReader.read(run).info().launch().restarted()).contains(restarted);
    }

    @Test
    void theRunBesideItIsReadBack() {
        RunInfo info = Samples.info("spring", 1, 1000);
        RunInfo.Which alone = info.which();
        RunInfo.Which which = new RunInfo.Which(
                alone.experiment(),
                alone.variants(),
                alone.variant(),
                alone.run(),
                alone.block(),
                alone.seed(),
                Optional.of(new RunInfo.Duet("quarkus", 3, 2)));
        Path run = directory.resolve("spring/1");
        try (RunWriter writer = new RunWriter(run)) {
            writer.write(new RunInfo(
                    info.kilnVersion(),
                    which,
                    info.launch(),
                    info.machine(),
                    info.plan(),
                    info.course(),
                    info.limits()));
        }
        assertThat(RunReader.read(run).info().duet()).contains(new RunInfo.Duet("quarkus", 3, 2));
    }

    @Test
    void whatIsWrittenIsReadBack() {
        Path run = directory.resolve("spring/1");
        try (RunWriter writer = new RunWriter(run)) {
            writer.write(Samples.info("spring", 1, 1000));
            Samples.fill(writer);
        }
        Samples.load(run);
        CallBin call = new CallBin("warm-up", 1, 2, "list", 3, 4, 5, 6);
        try (CallFile calls = new CallFile(run)) {
            calls.write(call);
        }
        RunEvidence read = RunReader.read(run);
        assertThat(read.info()).isEqualTo(Samples.info("spring", 1, 1000));
        assertThat(read.load()).containsExactly(Samples.BIN);
        assertThat(read.latency().seconds())
                .singleElement()
                .satisfies(second -> assertThat(second.count()).isEqualTo(1));
        assertThat(read.threads()).containsExactly(Samples.THREAD);
        assertThat(read.compiler()).containsExactly(Samples.COMPILER);
        assertThat(read.jit()).containsExactly(Samples.JIT, Samples.JIT_QUEUE_ALONE);
        assertThat(read.blocked()).containsExactly(Samples.BLOCKED);
        assertThat(read.classes()).containsExactly(Samples.CLASSES);
        assertThat(read.memory()).containsExactly(Samples.MEMORY);
        assertThat(read.cgroup()).containsExactly(Samples.CGROUP);
        assertThat(read.parts()).containsExactly(Samples.PART);
        assertThat(read.cpus()).containsExactly(Samples.CPU);
        assertThat(read.sent().calls()).containsExactly(call);
        assertThat(read.gaps()).isEmpty();
    }

    @Test
    void aLoadOverHttp2IsReadBack() {
        RunInfo plain = Samples.info("spring", 1, 1000);
        RunInfo.Plan plan = new RunInfo.Plan(
                plain.load().with(new Http2(100)),
                plain.protocol(),
                plain.plan().runs(),
                plain.driver(),
                Optional.empty());
        RunInfo info = new RunInfo(
                plain.kilnVersion(),
                plain.which(),
                plain.launch(),
                plain.machine(),
                plan,
                plain.course(),
                plain.limits());
        try (RunWriter writer = new RunWriter(directory)) {
            writer.write(info);
        }
        assertThat(RunReader.info(directory)).isEqualTo(info);
        assertThat(directory.resolve("run.json")).content().contains("\"http2\"", "\"streams\" : 100");
    }

    @Test
    void whereTheLoadCameFromIsReadBack() {
        RunInfo plain = Samples.info("spring", 1, 1000);
        LoadHost from = new LoadHost("pod shop/loadbox", "loadbox", 0.5, 20_000, OptionalLong.of(-300));
        RunInfo info = new RunInfo(
                plain.kilnVersion(),
                plain.which(),
                plain.launch(),
                plain.machine(),
                new RunInfo.Plan(
                        plain.load(), plain.protocol(), plain.plan().runs(), plain.driver(), Optional.of(from)),
                plain.course(),
                plain.limits());
        try (RunWriter writer = new RunWriter(directory)) {
            writer.write(info);
        }
        assertThat(RunReader.info(directory).loadFrom()).contains(from);
        assertThat(RunReader.info(directory)).isEqualTo(info);
    }

    @Test
    void whatDiffersFromRequestToRequestIsWrittenWhereItDoes() throws Exception {
        RunInfo plain = Samples.info("spring", 1, 1000);
        LoadSpec load = plain.load();
        Feed feed = new Feed("users.csv", 3, Feed.Order.SHUFFLED, "00ff");
        LoadSpec fed = load.with(new Variables(7, Optional.of(feed))).with(new Success(List.of("2xx", "304")));
        Step step = new Step(true, Duration.ofMillis(500), Map.of("token", "json:/token"));
        LoadSpec session = load.with(
                        load.calls().stream().map(call -> call.with(step)).toList())
                .with(new Variables(1, Optional.empty()));
        Replay replay = new Replay("access.log", 3, Duration.ofSeconds(9), 2, Optional.of("1 of 4 lines"), "00ff");
        LoadSpec replayed = load.with(new Variables(1, Optional.empty(), Optional.of(replay)));
        for (LoadSpec spec : List.of(fed, session, load, replayed)) {
            RunInfo info = new RunInfo(
                    plain.kilnVersion(),
                    plain.which(),
                    plain.launch(),
                    plain.machine(),
                    new RunInfo.Plan(spec, plain.protocol(), plain.plan().runs(), plain.driver(), Optional.empty()),
                    plain.course(),
                    plain.limits());
            Path run = directory.resolve(
                    spec.equals(fed)
                            ? "fed"
                            : spec.equals(session) ? "session" : spec.equals(load) ? "plain" : "replayed");
            try (RunWriter writer = new RunWriter(run)) {
                writer.write(info);
            }
            assertThat(RunReader.info(run)).isEqualTo(info);
            String file = Files.readString(run.resolve("run.json"));
            assertThat(file.contains("\"variables\"")).isEqualTo(!spec.equals(load));
            assertThat(file.contains("\"step\"")).isEqualTo(spec.equals(session));
            assertThat(file.contains("\"replay\"")).isEqualTo(spec.equals(replayed));
            assertThat(file.contains("\"success\"")).isEqualTo(spec.equals(fed));
        }
    }

    @Test
    void aRunThatIsOverCanBeMarkedAsMadeAgain() {
        try (RunWriter writer = new RunWriter(directory)) {
            writer.write(Samples.info("spring", 1, 1000));
        }
        RunInfo marked = RunReader.info(directory).repeatedFor(List.of("stolen time"));
        RunWriter.replace(directory, marked);
        assertThat(RunReader.info(directory)).isEqualTo(marked);
        assertThat(RunReader.info(directory).repeatedFor()).containsExactly("stolen time");
    }

    /** Recorded by Kiln, when the fields were not in parts yet. */
    @Test
    void theFileIsAsItAlwaysWas() throws Exception {
        Path file = directory.resolve("run.json");
        Files.copy(Path.of("src/test/resources/golden/run.json"), file);
        String before = Files.readString(file);
        RunWriter.replace(directory, RunReader.info(directory));
        assertThat(file).hasContent(before);
    }

    /** As earlier Kilns wrote it. */
    @Test
    void aRunJsonWithoutReferenceWaitAndRepeatsIsRead() throws Exception {
        try (RunWriter writer = new RunWriter(directory)) {
            writer.write(Samples.info("spring", 1, 1000));
        }
        Path file = directory.resolve("run.json");
        ObjectNode tree = (ObjectNode) JsonMapper.builder().build().readTree(Files.readString(file));
        tree.remove(List.of("quietWait", "referenceEnd", "repeatedFor"));
        ((ObjectNode) tree.get("protocol")).remove("reference");
        ((ObjectNode) tree.get("runs")).remove("repeat");
        Files.writeString(file, tree.toString());
        RunInfo read = RunReader.info(directory);
        assertThat(read.protocol().reference()).isEmpty();
        assertThat(read.plan().runs()).isEqualTo(Runs.fixed(3).withRepeats(false));
        assertThat(read.repeatedFor()).isEmpty();
    }

    /** Earlier Kilns said it in the text of the modifiers alone. */
    @Test
    void aLimitIsAFigureInNewFilesAndReadOutOfTheTextOfOldOnes() throws Exception {
        RunInfo plain = Samples.info("spring", 1, 1000);
        Treatment.TreatmentLimits limits =
                new Treatment.TreatmentLimits(OptionalDouble.of(0.5), OptionalLong.of(512L << 20));
        Treatment limited =
                new Treatment(List.of("cpu-quota: 0.5", "memory: 512m"), limits, List.of(), Optional.empty());
        RunInfo.Launch launch = plain.launch();
        RunWriter.replace(
                directory,
                new RunInfo(
                        plain.kilnVersion(),
                        plain.which(),
                        new RunInfo.Launch(
                                launch.launchMonotonicNanos(),
                                launch.launchEpochMillis(),
                                launch.command(),
                                launch.environment(),
                                limited,
                                launch.quietWait()),
                        plain.machine(),
                        plain.plan(),
                        plain.course(),
                        plain.limits()));
        assertThat(RunReader.info(directory).treatment()).isEqualTo(limited);

        Path file = directory.resolve("run.json");
        ObjectNode tree = (ObjectNode) JsonMapper.builder().build().readTree(Files.readString(file));
        assertThat(tree.get("treatment").get("limits").get("memoryBytes").asLong())
                .isEqualTo(512L << 20);
        ((ObjectNode) tree.get("treatment")).remove("limits");
        Files.writeString(file, tree.toString());
        assertThat(RunReader.info(directory).treatment()).isEqualTo(limited);
    }

    @Test
    void anEmptyRunHasNoGaps() {
        try (RunWriter writer = new RunWriter(directory)) {
            writer.write(Samples.info("spring", 1, 1000));
            Samples.load(directory);
            assertThat(RunReader.read(directory).gaps()).isEmpty();
        }
    }

    @Test
    void aRunOfAVersionWithoutThreadDumpsOrClassesHasNoGaps() throws Exception {
        try (RunWriter writer = new RunWriter(directory)) {
            writer.write(Samples.info("spring", 1, 1000));
            Samples.load(directory);
        }
        Files.delete(directory.resolve("blocked.csv"));
        Files.delete(directory.resolve("classes.csv"));
        assertThat(RunReader.read(directory).gaps()).isEmpty();
        assertThat(RunReader.read(directory).blocked()).isEmpty();
        assertThat(RunReader.read(directory).classes()).isEmpty();
    }

    @Test
    void threadDumpsOfAVersionWithoutTasksAreRead() throws Exception {
        try (RunWriter writer = new RunWriter(directory)) {
            writer.write(Samples.info("spring", 1, 1000));
            Samples.load(directory);
        }
        Files.writeString(
                directory.resolve("blocked.csv"),
                "time_ns,pool,virtual,threads,kind,frame,detail\n9,http,0,3,SLEEP,app.Clean.run:9,\n");

        RunEvidence read = RunReader.read(directory);

        assertThat(read.gaps()).isEmpty();
        assertThat(read.blocked())
                .containsExactly(new BlockedSample(9, "http", false, 3, WaitKind.SLEEP, "app.Clean.run:9", "", ""));
    }

    @Test
    void aFlushedRunCanBeReadWhileItGoes() {
        try (RunWriter writer = new RunWriter(directory)) {
            writer.write(Samples.info("spring", 1, 1000));
            Samples.fill(writer);
            writer.flush();
            assertThat(RunReader.read(directory).threads()).containsExactly(Samples.THREAD);
        }
    }

    @Test
    void theTablesArePlainText() throws Exception {
        try (RunWriter writer = new RunWriter(directory)) {
            Samples.fill(writer);
        }
        assertThat(directory.resolve("threads.csv"))
                .hasContent("time_ns,tid,name,role,cpu_ns,wait_ns,slices,voluntary,involuntary,state\n"
                        + "1000000007,4711,\"odd, \"\"name\"\"\",WORKER,5000000000,6000000000,7,8,9,D\n");
    }

    @Test
    void aRunIsNeverOverwritten() {
        try (RunWriter writer = new RunWriter(directory)) {
            writer.write(Samples.info("spring", 1, 1000));
        }
        assertThatThrownBy(() -> new RunWriter(directory))
                .isInstanceOf(KilnException.class)
                .hasMessageContaining("already holds a run");
    }

    @Test
    void aFullDiskLeavesTheOldRunJson() throws Exception {
        try (RunWriter writer = new RunWriter(directory)) {
            writer.write(Samples.info("spring", 1, 1000));
            assertThatThrownBy(() -> OutputFile.replace(directory.resolve("run.json"), out -> {
                        out.write('{');
                        throw new IOException("No space left on device");
                    }))
                    .isInstanceOf(IOException.class);
        }
        assertThat(RunReader.info(directory).launchEpochMillis()).isEqualTo(1000);
        try (Stream<Path> left = Files.list(directory)) {
            assertThat(left).noneMatch(file -> file.toString().endsWith(".part"));
        }
    }

    @Test
    void aFullDiskIsToldByATable() throws Exception {
        Path file = directory.resolve("threads.csv");
        try (FileChannel full = FileChannel.open(Path.of("/dev/full"), StandardOpenOption.WRITE)) {
            assertThatThrownBy(() -> CsvWriter.appendWhole(full, file, ByteBuffer.allocate(1)))
                    .isInstanceOf(KilnException.class)
                    .hasMessageContaining("threads.csv: No space left on device");
        }
    }
}
