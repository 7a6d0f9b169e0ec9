package dev.kiln.evidence;

import dev.kiln.model.CpuAssignment;
import dev.kiln.model.experiment.Experiment.Runs;
import dev.kiln.model.experiment.Protocol;
import dev.kiln.model.experiment.Protocol.Phase;
import dev.kiln.model.load.LoadBin;
import dev.kiln.model.load.LoadSpec;
import dev.kiln.model.load.LoadSpec.HttpCall;
import dev.kiln.model.run.Course;
import dev.kiln.model.run.JitState;
import dev.kiln.model.run.Machine;
import dev.kiln.model.run.Machine.RemoteHost;
import dev.kiln.model.run.RunInfo;
import dev.kiln.model.run.Sample.BlockedSample;
import dev.kiln.model.run.Sample.CgroupSample;
import dev.kiln.model.run.Sample.ClassSample;
import dev.kiln.model.run.Sample.CompilerSample;
import dev.kiln.model.run.Sample.CpuSample;
import dev.kiln.model.run.Sample.Generations;
import dev.kiln.model.run.Sample.JitSample;
import dev.kiln.model.run.Sample.MemorySample;
import dev.kiln.model.run.Sample.PageFaults;
import dev.kiln.model.run.Sample.PartSample;
import dev.kiln.model.run.Sample.PartSample.Modes;
import dev.kiln.model.run.Sample.ThreadRole;
import dev.kiln.model.run.Sample.ThreadSample;
import dev.kiln.model.run.Sample.ThreadState;
import dev.kiln.model.run.Treatment;
import dev.kiln.model.run.WaitKind;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import org.HdrHistogram.Histogram;

/** A run with something in every field. */
public final class Samples {
    public static final ThreadSample THREAD = new ThreadSample(
            1_000_000_007L,
            4711,
            "odd, \"name\"",
            ThreadRole.WORKER,
            5_000_000_000L,
            6_000_000_000L,
            7,
            8,
            9,
            ThreadState.UNINTERRUPTIBLE);
    public static final CompilerSample COMPILER = new CompilerSample(100_000_000, 1, 2, 3, 4, 5, 6);
    public static final JitSample JIT = JitSample.at(1_000_000_007L)
            .queues(OptionalInt.of(0), OptionalInt.of(3012))
            .with(new JitState.CodeLevels(1, 22, 333, 4444, OptionalInt.of(55)))
            .with(new JitState.Deoptimisations(
                    5,
                    3_000_000,
                    true,
                    4,
                    Optional.of(new JitState.Trap("unstable_if", "none", "odd, \"name\".f\u0131nd@-1"))))
            .with(new JitState.CodeCacheFill(
                    5L << 30,
                    6L << 30,
                    1,
                    2,
                    List.of(
                            new JitState.CodeHeap(JitState.HeapKind.PROFILED, 2L << 30, 4L << 30, OptionalInt.empty()),
                            new JitState.CodeHeap(JitState.HeapKind.HOT, 3L << 30, 2L << 30, OptionalInt.of(9)))));
    public static final JitSample JIT_QUEUE_ALONE =
            JitSample.at(2_000_000_007L).queues(OptionalInt.of(7), OptionalInt.empty());
    public static final MemorySample MEMORY = new MemorySample(
            1_000_000_000,
            512L << 20,
            500L << 20,
            3,
            4,
            5,
            6,
            OptionalLong.of(7),
            Optional.of(new Generations(2, 0, 0)),
            Optional.of(new PageFaults(123_456, 0)));
    public static final CgroupSample CGROUP = new CgroupSample(1_000_000_000, 10, 2, 3_000_000);
    public static final PartSample PART =
            new PartSample(1_000_000_000, "target", 900_000_000, 20_000_000, Optional.of(new Modes(0, 900_000_000)));
    public static final BlockedSample BLOCKED = new BlockedSample(
            1_000_000_009L,
            "odd, \"pool\"-ü",
            true,
            12,
            WaitKind.MONITOR,
            "com.acme.\u01c5ao.f\u0131nd$\"x\",y:12",
            "java.lang.Object, held by \"a, b\" at com.acme.Lock.run:7",
            "java.util.concurrent.FutureTask");
    public static final ClassSample CLASSES = new ClassSample(1_000_000_000, 3012, 2_000_000_001);
    public static final CpuSample CPU =
            new CpuSample(1_000_000_000, 1, 800_000_000, 190_000_000, 10_000_000, OptionalLong.of(0));

    public static final LoadBin BIN =
            new LoadBin("warm-up", 0, 100_000_000, 12, 10, new LoadBin.Errors(1, 0, 0, 1, 0), 3, 4_000);

    private Samples() {}

    /** The files that the load driver writes beside the tables. */
    public static void load(Path directory) {
        try (LoadFile bins = new LoadFile(directory);
                LatencyLog latency = new LatencyLog(directory, 1000)) {
            bins.write(BIN);
            Histogram histogram = new Histogram(3);
            histogram.recordValue(1_000_000);
            latency.write("warm-up", 0, 1_000_000_000, histogram);
        }
    }

    public static RunInfo info(String variant, int run, long launchEpochMillis) {
        return new RunInfo(
                "0.1.0",
                new RunInfo.Which("fruits", List.of(variant), variant, run, 2, 42),
                new RunInfo.Launch(
                        123_456_789_012L,
                        launchEpochMillis,
                        List.of("setsid", "taskset", "-c", "0", "java", "-jar", "app with space.jar"),
                        Map.of("LANG", "C"),
                        Treatment.NONE,
                        Optional.empty()),
                new Machine(
                        Optional.of(
                                new Machine.JvmInfo("/opt/jdk", "25.0.3", "Vendor", List.of("-Xmx512m"), List.of())),
                        new Machine.HostInfo("6.18", "EPYC", 2, 24L << 30, "EEVDF", Map.of()),
                        new CpuAssignment(
                                List.of(0), List.of(1), List.of(1), true, List.of("load and database share CPU 1")),
                        Optional.of(new RemoteHost("box", 80_000, OptionalLong.of(-1_200)))),
                new RunInfo.Plan(
                        new LoadSpec(
                                List.of(new HttpCall(
                                        "GET",
                                        URI.create("http://localhost:8080/fruits"),
                                        Map.of("Accept", "application/json"),
                                        Optional.empty(),
                                        1,
                                        Optional.of("Apple"),
                                        Optional.of("list"),
                                        Optional.empty())),
                                100,
                                OptionalDouble.of(500.5),
                                Duration.ofSeconds(5)),
                        new Protocol(
                                "quick",
                                List.of(
                                        Phase.Load.untilKnown(
                                                "warm-up", Duration.ofSeconds(30), Duration.ofSeconds(60)),
                                        new Phase.Pause("pause", Duration.ofSeconds(15)))),
                        Runs.fixed(3),
                        "kiln 0.1.0: 100 ms bins by completion",
                        Optional.empty()),
                new Course(
                        OptionalLong.of(8_000_000_000L),
                        OptionalLong.empty(),
                        List.of(new Course.PhaseTime("warm-up", true, 1_000, OptionalLong.empty())),
                        Course.Outcome.RUNNING,
                        Optional.empty(),
                        Optional.empty(),
                        List.of(),
                        OptionalLong.empty(),
                        List.of(),
                        Set.of()),
                new RunInfo.Limits(
                        List.of(new RunInfo.NotRecorded("PSS", "not permitted")),
                        List.of("the disk held up the writer"),
                        Optional.empty()));
    }

    public static void fill(RunWriter writer) {
        writer.append(THREAD);
        writer.append(COMPILER);
        writer.append(JIT);
        writer.append(JIT_QUEUE_ALONE);
        writer.append(MEMORY);
        writer.append(CGROUP);
        writer.append(PART);
        writer.append(CPU);
        writer.append(BLOCKED);
        writer.append(CLASSES);
    }
}
