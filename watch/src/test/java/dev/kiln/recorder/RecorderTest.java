package dev.kiln.recorder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kiln.evidence.EvidenceSink;
import dev.kiln.evidence.RunReader;
import dev.kiln.evidence.RunWriter;
import dev.kiln.host.proc.ProcFs;
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
import dev.kiln.model.run.CollectionCause;
import dev.kiln.model.run.Course;
import dev.kiln.model.run.Machine;
import dev.kiln.model.run.RunEvidence;
import dev.kiln.model.run.RunInfo;
import dev.kiln.model.run.RunInfo.NotRecorded;
import dev.kiln.model.run.Sample;
import dev.kiln.model.run.Sample.CollectionSample;
import dev.kiln.model.run.Sample.CompilerSample;
import dev.kiln.model.run.Sample.JitSample;
import dev.kiln.model.run.Sample.MemorySample;
import dev.kiln.model.run.Sample.PartSample;
import dev.kiln.model.run.Sample.ThreadRole;
import dev.kiln.model.run.Sample.ThreadSample;
import dev.kiln.model.run.Sample.ThreadState;
import dev.kiln.model.run.Treatment;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

public class RecorderTest {
    /** Runs on any JDK from source: compiles, then has threads come and go, garbage and a child. */
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
                        if (i == 3) {
                            System.gc();
                            // Several looks at the JVM see it before the next collection.
                            Thread.sleep(400);
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

    @TempDir
    Path directory;

    private OrphanRegistry registry;
    private Launcher launcher;

    /** A runtime without tools has no jshell to be asked. */
    static Stream<Jdk> jdks() {
        return new JdkFinder()
                .find().stream()
                        .filter(jdk ->
                                jdk.feature() >= 17 && Files.exists(jdk.java().resolveSibling("jshell")));
    }

    @BeforeEach
    void open() {
        registry = new OrphanRegistry(directory.resolve("state"));
        launcher = new Launcher(registry);
    }

    @AfterEach
    void close() {
        launcher.close();
        registry.close();
    }

    private PinnedProcess launch(String... command) {
        return launcher.start(new LaunchSpec("target", List.of(command), directory.resolve("out")));
    }

    private PinnedProcess launchBusy(Jdk jdk, String... flags) throws Exception {
        Path source = Files.writeString(directory.resolve("Busy.java"), BUSY);
        return launch(Stream.of(Stream.of(jdk.java().toString()), Stream.of(flags), Stream.of(source.toString()))
                .flatMap(part -> part)
                .toArray(String[]::new));
    }

    private void awaitOutput() throws Exception {
        while (!Files.exists(directory.resolve("out")) || Files.size(directory.resolve("out")) == 0) {
            Thread.sleep(20);
        }
    }

    private static RecorderSpec spec(PinnedProcess target) {
        return new RecorderSpec(
                target.pid(),
                target.launchNanos(),
                Map.of("kiln", ProcessHandle.current().pid()));
    }

    private RunEvidence read(Path run) {
        return RunReader.read(run);
    }

    /** Keycloak's script and many others keep a shell around their JVM. */
    @Test
    void theJvmBehindAScriptIsRecorded() throws Exception {
        Path run = directory.resolve("run");
        Path source = Files.writeString(directory.resolve("Busy.java"), BUSY);
        String java = JdkFinder.current().java().toString();
        PinnedProcess target = launch("sh", "-c", java + " " + source + "; true");
        Recording.RecordingResult result;
        try (RunWriter writer = new RunWriter(run)) {
            writer.write(info());
            Recorder recorder =
                    Recorder.start(new RecorderSpec(target.pid(), target.launchNanos(), Map.of(), true), writer);
            awaitOutput();
            Thread.sleep(2_500);
            result = recorder.stop();
        } finally {
            target.stop(Duration.ZERO);
        }

        RunEvidence evidence = read(run);
        assertThat(evidence.threads()).extracting(ThreadSample::role).contains(ThreadRole.C2);
        assertThat(evidence.compiler()).isNotEmpty();
        assertThat(evidence.memory().getLast().rssBytes()).isGreaterThan(20_000_000);
        assertThat(result.jvm()).isPresent();
        assertThat(result.notRecorded())
                .extracting(NotRecorded::why)
                .anyMatch(why -> why.startsWith("only its JVM is recorded in detail, process "));
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void recordsAJvm(Jdk jdk) throws Exception {
        Path run = directory.resolve("run");
        PinnedProcess target = launchBusy(jdk);
        Recording.RecordingResult result;
        try (RunWriter writer = new RunWriter(run)) {
            writer.write(info());
            Recorder recorder = Recorder.start(spec(target), writer);
            awaitOutput();
            Thread.sleep(300);
            result = recorder.stop();
        } finally {
            target.stop(Duration.ZERO);
        }
        RunEvidence evidence = read(run);
        assertThat(evidence.gaps()).containsExactly("load.csv: missing", "latency.hlog: missing");
        assertThat(result.failure()).isEmpty();
        assertThat(result.notRecorded())
                .extracting(NotRecorded::what)
                .doesNotContain("JIT, collections and safepoints");
        assertThat(result.jvm().orElseThrow().version()).startsWith(Integer.toString(jdk.feature()));
        assertThat(result.cpuNanos()).isPositive();

        assertThat(evidence.threads()).extracting(ThreadSample::role).contains(ThreadRole.C1, ThreadRole.C2);
        assertThat(evidence.threads())
                .anyMatch(t -> t.role() == ThreadRole.WORKER && t.name().equals("executor-thread"));
        assertThat(evidence.threads()).allMatch(t -> t.timeNanos() >= 0);
        assertCountersOnlyGrow(evidence);
        CompilerSample last = evidence.compiler().getLast();
        assertThat(last.compilations()).isPositive();
        assertThat(last.compileNanos()).isPositive();
        assertThat(last.codeBytes()).isPositive();
        assertThat(evidence.memory().getLast().rssBytes()).isGreaterThan(10 << 20);
        assertThat(evidence.memory()).anyMatch(m -> m.pssBytes() > 0);
        assertThat(evidence.memory().getLast().faults().orElseThrow().minor())
                .as("a page each that is resident and not the page cache's, a few MiB at least")
                .isGreaterThan(1000);
        assertThat(evidence.memory().getLast().collections()).isPositive();
        assertThat(evidence.memory().getLast().generations().orElseThrow().full())
                .as("System.gc()")
                .isPositive();
        assertThat(evidence.memory().getLast().safepoints()).isPositive();
        assertThat(evidence.memory().getLast().toSafepointNanos().orElseThrow()).isPositive();
        assertThat(evidence.threads()).extracting(ThreadSample::state).doesNotContain(ThreadState.NOT_RECORDED);
        assertThat(evidence.threads())
                .filteredOn(t -> t.name().equals("VM Periodic Tas"))
                .as("it sleeps but for a few microseconds")
                .extracting(ThreadSample::state)
                .contains(ThreadState.SLEEPING);
        assertThat(evidence.classes().getLast().loaded()).isGreaterThan(400);
        assertThat(evidence.classes().getLast().loadNanos()).isPositive();
        assertThat(evidence.cpus())
                .isNotEmpty()
                .allMatch(cpu -> cpu.softirqNanos().isPresent());
        assertThat(evidence.parts()).extracting(PartSample::part).contains("target", "kiln");
    }

    /** Busy asks for a collection; the JVM names the cause of the last one, except ZGC on JDK 25. */
    @ParameterizedTest
    @CsvSource({"Serial,true", "Parallel,true", "G1,true", "Shenandoah,false"})
    void collectionsAreCountedByTheirCause(String collector, boolean apart) throws Exception {
        Path run = directory.resolve("run");
        PinnedProcess target = launchBusy(JdkFinder.current(), "-Xmx96m", "-Xms96m", "-XX:+Use" + collector + "GC");
        try (RunWriter writer = new RunWriter(run)) {
            writer.write(info());
            Recorder recorder = Recorder.start(spec(target), writer);
            awaitOutput();
            Thread.sleep(300);
            recorder.stop();
        } finally {
            target.stop(Duration.ZERO);
        }
        List<CollectionSample> seen = read(run).collections();
        MemorySample last = read(run).memory().getLast();

        assertThat(seen).extracting(row -> CollectionCause.of(row.cause())).contains(CollectionCause.SYSTEM_GC);
        assertThat(seen).extracting(row -> CollectionCause.of(row.cause())).doesNotContain(CollectionCause.OTHER);
        assertThat(seen).allMatch(row -> row.full().isPresent() == apart);
        assertThat(seen.stream().mapToLong(CollectionSample::collections).sum()).isBetween(1L, last.collections());
        assertThat(seen.stream().mapToLong(CollectionSample::collectionNanos).sum())
                .isBetween(1L, last.collectionNanos());
    }

    /** By what each collector counts. */
    @ParameterizedTest
    @CsvSource({"Serial,true", "Parallel,true", "G1,true", "Shenandoah,false", "Z,false"})
    void fullCollectionsAreCountedApartWhereTheCollectorDoes(String collector, boolean apart) throws Exception {
        Path run = directory.resolve("run");
        PinnedProcess target = launchBusy(JdkFinder.current(), "-Xmx96m", "-Xms96m", "-XX:+Use" + collector + "GC");
        try (RunWriter writer = new RunWriter(run)) {
            writer.write(info());
            Recorder recorder = Recorder.start(spec(target), writer);
            awaitOutput();
            Thread.sleep(300);
            recorder.stop();
        } finally {
            target.stop(Duration.ZERO);
        }
        MemorySample last = read(run).memory().getLast();

        assertThat(last.safepoints()).isPositive();
        assertThat(last.generations().isPresent()).isEqualTo(apart);
        last.generations().ifPresent(counted -> {
            assertThat(counted.full()).isPositive();
            assertThat(counted.young()).isPositive();
            assertThat(counted.young() + counted.full()).isLessThanOrEqualTo(last.collections());
            assertThat(counted.fullNanos()).isBetween(1L, last.collectionNanos());
        });
    }

    private static void assertCountersOnlyGrow(RunEvidence evidence) {
        Map<Integer, ThreadSample> lastOf = new HashMap<>();
        for (ThreadSample t : evidence.threads()) {
            ThreadSample before = lastOf.put(t.tid(), t);
            if (before != null) {
                assertThat(t.timeNanos()).isGreaterThan(before.timeNanos());
                assertThat(t.cpuNanos()).isGreaterThanOrEqualTo(before.cpuNanos());
                assertThat(t.slices()).isGreaterThanOrEqualTo(before.slices());
            }
        }
        Map<String, PartSample> partBefore = new HashMap<>();
        for (PartSample p : evidence.parts()) {
            PartSample before = partBefore.put(p.part(), p);
            if (before != null) {
                assertThat(p.cpuNanos()).isGreaterThanOrEqualTo(before.cpuNanos());
                assertThat(p.waitNanos()).isGreaterThanOrEqualTo(before.waitNanos());
            }
            assertThat(p.modes().orElseThrow())
                    .satisfies(modes ->
                            assertThat(modes.userNanos() + modes.systemNanos()).isGreaterThanOrEqualTo(p.cpuNanos()));
        }
    }

    @Test
    void theTargetsDeathIsNoError() throws Exception {
        Path run = directory.resolve("run");
        PinnedProcess target = launch("sleep", "1000");
        try (RunWriter writer = new RunWriter(run)) {
            writer.write(info());
            Recorder recorder = Recorder.start(spec(target), writer);
            while (read(run).threads().isEmpty()) {
                Thread.sleep(20);
                writer.flush();
            }
            target.stop(Duration.ZERO);
            Thread.sleep(150);
            assertThat(recorder.stop().failure()).isEmpty();
        }
        RunEvidence evidence = read(run);
        assertThat(evidence.threads()).isNotEmpty();
        assertThat(evidence.gaps()).containsExactly("load.csv: missing", "latency.hlog: missing");
    }

    @Test
    void aNativeProgramIsRecordedButForTheJvm() throws Exception {
        Path run = directory.resolve("run");
        PinnedProcess target = launch("sleep", "1000");
        Recording.RecordingResult result;
        try (RunWriter writer = new RunWriter(run)) {
            writer.write(info());
            Recorder recorder = Recorder.start(spec(target), writer);
            Thread.sleep(300);
            result = recorder.stop();
        } finally {
            target.stop(Duration.ZERO);
        }
        assertThat(result.notRecorded())
                .anyMatch(gap -> gap.what().startsWith("JIT") && gap.why().contains("no HotSpot JVM"));
        assertThat(read(run).memory()).isNotEmpty();
        assertThat(read(run).compiler()).isEmpty();
    }

    @Test
    void aJvmWithoutPerfDataIsSaidToBeOne() throws Exception {
        Path run = directory.resolve("run");
        PinnedProcess target = launchBusy(JdkFinder.current(), "-XX:-UsePerfData");
        Recording.RecordingResult result;
        try (RunWriter writer = new RunWriter(run)) {
            writer.write(info());
            awaitOutput();
            Recorder recorder = Recorder.start(spec(target), writer);
            Thread.sleep(300);
            result = recorder.stop();
        } finally {
            target.stop(Duration.ZERO);
        }
        assertThat(result.notRecorded()).anyMatch(gap -> gap.why().equals("the JVM runs with -XX:-UsePerfData"));
        assertThat(read(run).threads()).extracting(ThreadSample::role).contains(ThreadRole.C2);
    }

    @Test
    void aFullDiskEndsTheRecordingWithAReason() throws Exception {
        Path run = directory.resolve("run");
        PinnedProcess target = launch("sleep", "1000");
        RunWriter writer = new RunWriter(run);
        try {
            writer.close(); // as good as full: nothing can be written any more
            Recorder recorder = Recorder.start(spec(target), writer);
            while (recorder.isRecording()) {
                Thread.sleep(20);
            }
            assertThat(recorder.stop().failure()).isPresent();
        } finally {
            target.stop(Duration.ZERO);
        }
    }

    /** Such as no memory left: without a word the run would count as complete, with cut evidence. */
    @Test
    void anErrorInTheRecordersThreadIsTold() throws Exception {
        PinnedProcess target = launch("sleep", "1000");
        EvidenceSink broken = new EvidenceSink() {
            @Override
            public void append(Sample sample) {
                throw new OutOfMemoryError("no memory left");
            }

            @Override
            public void flush() {}
        };
        try {
            Recorder recorder = Recorder.start(spec(target), broken);
            while (recorder.isRecording()) {
                Thread.sleep(20);
            }
            assertThatThrownBy(recorder::stop)
                    .hasMessage("the recorder failed: java.lang.OutOfMemoryError: no memory left");
        } finally {
            target.stop(Duration.ZERO);
        }
    }

    private static RecorderSpec asking(PinnedProcess target) {
        return new RecorderSpec(target.pid(), target.launchNanos(), Map.of(), true);
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void aJvmIsAskedForQueuesLevelsCodeCacheAndDeoptimisations(Jdk jdk) throws Exception {
        Path run = directory.resolve("run");
        PinnedProcess target = launchBusy(jdk);
        Recording.RecordingResult result;
        try (RunWriter writer = new RunWriter(run)) {
            writer.write(info());
            Recorder recorder = Recorder.start(asking(target), writer);
            // Readable while it goes on, so also if it were killed.
            while (read(run).jit().stream().filter(j -> j.c2Queue().isPresent()).count() < 2) {
                assertThat(target.isAlive()).isTrue();
                Thread.sleep(50);
            }
            result = recorder.stop();
        } finally {
            target.stop(Duration.ZERO);
        }
        // Nor is a JVM taken for a mere interpreter that had no compilers yet when it was asked first.
        assertThat(result.notRecorded()).extracting(NotRecorded::what).noneMatch(what -> what.contains("queue"));
        List<JitSample> jit = read(run).jit();
        assertThat(jit).extracting(JitSample::timeNanos).isSorted();
        assertThat(jit)
                .filteredOn(j -> j.c2Queue().isPresent())
                .allMatch(j -> j.c1Queue().isPresent());
        assertThat(jit).anyMatch(j -> j.levels().isPresent());
        assertThat(jit)
                .flatExtracting(j -> j.deoptimisations().stream().toList())
                .as("time goes on from question to question")
                .isNotEmpty()
                .allMatch(last -> last.withinNanos() > 0);
        assertThat(jit)
                .flatExtracting(j -> j.codeCache().stream().toList())
                .isNotEmpty()
                .allMatch(cache -> cache.usedBytes() > 0 && cache.usedBytes() <= cache.sizeBytes());
        assertThat(Files.readString(directory.resolve("out"))).doesNotContain("Full thread dump");
    }

    @Test
    void aJvmThatCannotBeAskedIsAGapWithItsReason() throws Exception {
        Path run = directory.resolve("run");
        PinnedProcess target = launchBusy(JdkFinder.current(), "-XX:+DisableAttachMechanism");
        Recording.RecordingResult result;
        try (RunWriter writer = new RunWriter(run)) {
            writer.write(info());
            awaitOutput();
            Recorder recorder = Recorder.start(asking(target), writer);
            Thread.sleep(300);
            result = recorder.stop();
        } finally {
            target.stop(Duration.ZERO);
        }
        assertThat(result.notRecorded())
                .contains(new NotRecorded(
                        "compile queues, methods by level and code cache",
                        "the JVM runs with -XX:+DisableAttachMechanism"));
        assertThat(read(run).jit()).isEmpty();
        assertThat(read(run).compiler()).isNotEmpty();
    }

    @Test
    void anInterpreterHasNoQueuesButACodeCache() throws Exception {
        Path run = directory.resolve("run");
        PinnedProcess target = launchBusy(JdkFinder.current(), "-Xint");
        Recording.RecordingResult result;
        try (RunWriter writer = new RunWriter(run)) {
            writer.write(info());
            Recorder recorder = Recorder.start(asking(target), writer);
            while (read(run).jit().stream().noneMatch(j -> j.codeCache().isPresent())) {
                assertThat(target.isAlive()).isTrue();
                Thread.sleep(50);
            }
            result = recorder.stop();
        } finally {
            target.stop(Duration.ZERO);
        }
        assertThat(result.notRecorded())
                .contains(new NotRecorded("compile queues", "the JVM has no compilers: it only interprets"));
    }

    @Test
    void aJvmThatHangsIsAskedAgainLaterAndTheGapIsTold() throws Exception {
        Path run = directory.resolve("run");
        PinnedProcess target = launchBusy(JdkFinder.current());
        List<NotRecorded> gaps;
        try (RunWriter writer = new RunWriter(run)) {
            writer.write(info());
            awaitOutput();
            Duration rest = Duration.ofMillis(100);
            RecorderContext context = new RecorderContext(ProcFs.ofThisMachine(), asking(target), writer);
            try (RecorderJit jit = new RecorderJit(context, Duration.ofMillis(300), rest)) {
                jit.start();
                awaitJit(writer, run, 3);
                signal("STOP", target);
                // Longer than until the next question and the patience for its answer.
                Thread.sleep(3_000);
                signal("CONT", target);
                awaitJit(writer, run, read(run).jit().size() + 1);
            }
            gaps = context.gaps();
        } finally {
            target.stop(Duration.ZERO);
        }
        assertThat(gaps).singleElement().satisfies(gap -> {
            assertThat(gap.what()).isEqualTo("compile queues, methods by level and code cache, at times");
            assertThat(gap.why()).matches("\\d+ of \\d+ questions unanswered: the JVM did not answer within 0.3 s");
        });
    }

    private void awaitJit(RunWriter writer, Path run, int rows) throws Exception {
        while (read(run).jit().size() < rows) {
            Thread.sleep(20);
            writer.flush();
        }
    }

    @Test
    void theEndDoesNotWaitForAJvmThatHangs() throws Exception {
        Path run = directory.resolve("run");
        PinnedProcess target = launchBusy(JdkFinder.current());
        RunWriter writer = new RunWriter(run);
        RecorderContext context = new RecorderContext(ProcFs.ofThisMachine(), asking(target), writer);
        try {
            awaitOutput();
            signal("STOP", target);
            Duration day = Duration.ofDays(1);
            RecorderJit jit = new RecorderJit(context, day, day);
            jit.start();
            Thread.sleep(200);
            jit.close();
            writer.close(); // whatever is written from here on fails
            signal("CONT", target);
            Thread.sleep(300);
            assertThat(jit.failure()).isEmpty();
        } finally {
            writer.close();
            target.stop(Duration.ZERO);
        }
        assertThat(context.gaps())
                .extracting(NotRecorded::what)
                .containsExactly("compile queues, methods by level and code cache");
    }

    private static void signal(String name, PinnedProcess target) throws Exception {
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
                        new Machine.HostInfo("", "", 1, 1, ""),
                        new CpuAssignment(List.of(), List.of(), List.of(), false, List.of())),
                new RunInfo.Plan(
                        new LoadSpec(
                                List.of(HttpCall.get(URI.create("http://localhost:1/"))),
                                1,
                                OptionalDouble.empty(),
                                Duration.ZERO),
                        new Protocol("custom", List.of()),
                        Runs.fixed(1),
                        "none"),
                new Course(
                        OptionalLong.empty(),
                        OptionalLong.empty(),
                        List.of(),
                        Course.Outcome.RUNNING,
                        Optional.empty()),
                new RunInfo.Limits(List.of(), List.of(), Optional.empty()));
    }
}
