package dev.kiln.report;

import dev.kiln.explain.Forecaster.Forecast;
import dev.kiln.explain.RunResult.Explanation;
import dev.kiln.explain.window.WindowStatistics;
import dev.kiln.explain.window.WindowStatistics.PartUse;
import dev.kiln.explain.window.WindowStatistics.ThreadGroup;
import dev.kiln.model.CpuAssignment;
import dev.kiln.model.experiment.Experiment.Runs;
import dev.kiln.model.load.LoadSpec;
import dev.kiln.model.load.LoadSpec.HttpCall;
import dev.kiln.model.run.Course;
import dev.kiln.model.run.Finding;
import dev.kiln.model.run.Machine;
import dev.kiln.model.run.RunInfo;
import dev.kiln.model.run.Sample.CompilerSample;
import dev.kiln.model.run.Treatment;
import dev.kiln.model.run.Verdict;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;

/** Facts of a run on two CPUs. */
public final class SampleInfo {
    public static final Explanation INVALID =
            new Explanation(new Verdict.Invalid(List.of("the target died 3 s after launch")), List.of(), List.of());

    public static final Explanation PEAKED = new Explanation(
            new Verdict.Peaked(false),
            List.of(new Finding(
                    "c2-starved",
                    "C2 starved of CPU",
                    Finding.Curve.C2,
                    Finding.FindingState.RULED_OUT,
                    0,
                    Set.of(),
                    List.of(new Finding.Proof("C2 waited 0.4 % of the time", Optional.empty())),
                    List.of())),
            List.of());

    public static final Explanation STARVED = new Explanation(
            new Verdict.FalsePlateau(List.of(
                    "it ended at 2,077 req/s, between 40 and 42 % of its peak of at least 4,823",
                    "C2 got 3.4 % of a CPU and waited for one 96.6 % of the time")),
            List.of(
                    new Finding(
                            "c2-starved",
                            "C2 starved of CPU",
                            Finding.Curve.C2,
                            Finding.FindingState.CONFIRMED,
                            0.966,
                            Set.of(Finding.Effect.BELOW_PEAK),
                            List.of(
                                    new Finding.Proof(
                                            "C2 got 3.4 % of a CPU and waited for one 96.6 % of the time",
                                            Optional.of(new Finding.Moment(30, 60))),
                                    new Finding.Proof("efficiency 5 %", Optional.empty())),
                            List.of(new Finding.FindingRemedy(
                                    "give the C2 threads priority now",
                                    "renice -n -20 -p TID",
                                    "needs CAP_SYS_NICE",
                                    Finding.RemedyPlace.LIVE_PROCESS))),
                    new Finding(
                            "gc",
                            "garbage collection",
                            Finding.Curve.STOPS,
                            Finding.FindingState.RULED_OUT,
                            0,
                            Set.of(),
                            List.of(new Finding.Proof("2.3 % of the time", Optional.empty())),
                            List.of()),
                    new Finding(
                            "code-cache-full",
                            "code cache full",
                            Finding.Curve.CODE_CACHE,
                            Finding.FindingState.NOT_OBSERVABLE,
                            0,
                            Set.of(),
                            List.of(new Finding.Proof("the code cache was not recorded", Optional.empty())),
                            List.of())),
            List.of(new Forecast(60, 0.034, 118.2, 331.25, Double.POSITIVE_INFINITY)));

    public static final WindowStatistics NOTHING_OBSERVED = new WindowStatistics(
            new WindowStatistics.C2Shares(OptionalDouble.empty(), OptionalDouble.empty()),
            new WindowStatistics.RunTotals(
                    Optional.empty(), OptionalLong.empty(), OptionalLong.empty(), OptionalDouble.empty()),
            List.of(),
            List.of(),
            new WindowStatistics.LabUse(
                    OptionalDouble.empty(),
                    OptionalDouble.empty(),
                    OptionalDouble.empty(),
                    OptionalDouble.empty(),
                    OptionalDouble.empty(),
                    WindowStatistics.GeneratorUse.UNKNOWN),
            Optional.empty(),
            WindowStatistics.Jit.NOTHING);

    private SampleInfo() {}

    public static WindowStatistics observed(boolean fed) {
        return new WindowStatistics(
                new WindowStatistics.C2Shares(
                        OptionalDouble.of(fed ? 0.004 : 0.034), OptionalDouble.of(fed ? 0.004 : 0.966)),
                new WindowStatistics.RunTotals(
                        Optional.of(new CompilerSample(
                                0, fed ? 12_421 : 12_595, 312, fed ? 31_200_000_000L : 118_400_000_000L, 0, 0, 41)),
                        OptionalLong.of(fed ? 512_700_000L : 471_900_000L),
                        OptionalLong.of(fed ? 506_100_000L : 465_300_000L),
                        OptionalDouble.of(0)),
                fed ? fedThreads() : starvedThreads(),
                List.of(
                        new PartUse("target", 0.99, fed ? 2.4 : 51.7, OptionalDouble.of(93.8), OptionalDouble.empty()),
                        new PartUse("load", fed ? 0.21 : 0.09, 0.02, OptionalDouble.of(14.2), OptionalDouble.empty()),
                        new PartUse(
                                "database", fed ? 0.70 : 0.24, 0.11, OptionalDouble.of(38.6), OptionalDouble.empty()),
                        new PartUse("kiln", 0.012, 0.001, OptionalDouble.of(1.3), OptionalDouble.empty())),
                new WindowStatistics.LabUse(
                        OptionalDouble.of(fed ? 0.93 : 0.36),
                        OptionalDouble.of(0.008),
                        OptionalDouble.of(0),
                        OptionalDouble.of(0.005),
                        OptionalDouble.of(0.001),
                        new WindowStatistics.GeneratorUse(OptionalDouble.of(fed ? 0.21 : 0.09), List.of())),
                Optional.empty(),
                WindowStatistics.Jit.NOTHING);
    }

    private static List<ThreadGroup> starvedThreads() {
        return List.of(
                new ThreadGroup("http-nio-8080-exec", "WORKER", 100, 0.913, 48.2, 105.3, 864.1),
                new ThreadGroup("C2 CompilerThread", "C2", 1, 0.034, 0.966, 0.8, 71.5),
                new ThreadGroup("C1 CompilerThread", "C1", 1, 0.009, 0.61, 3.1, 12.4),
                new ThreadGroup("VM Thread", "VM", 1, 0.011, 0.21, 21, 4.4),
                new ThreadGroup("http-nio-8080-Poller", "IO", 1, 0.014, 0.92, 34, 310),
                new ThreadGroup("HikariPool-1 housekeeper", "OTHER", 1, 0.0001, 0.0002, 0.1, 0));
    }

    private static List<ThreadGroup> fedThreads() {
        return List.of(
                new ThreadGroup("ForkJoinPool-1-worker", "WORKER", 1, 0.934, 0.05, 12.5, 2391),
                new ThreadGroup("C2 CompilerThread", "C2", 1, 0.004, 0.004, 2.2, 0.9),
                new ThreadGroup("C1 CompilerThread", "C1", 1, 0.001, 0.002, 2.1, 0.2),
                new ThreadGroup("VM Thread", "VM", 1, 0.021, 0.04, 44, 7.3),
                new ThreadGroup("http-nio-8080-Poller", "IO", 1, 0.028, 0.3, 1210, 880));
    }

    public static RunInfo info() {
        return new RunInfo(
                "0.1.0",
                new RunInfo.Which("threads", List.of("platform threads"), "platform threads", 1, 1, 20_260_118L),
                new RunInfo.Launch(
                        0,
                        1_768_730_400_000L,
                        List.of("taskset", "-c", "0", "java", "-Xmx512m", "-XX:+UseSerialGC", "-jar", "fruits.jar"),
                        Map.of("DB_URL", "jdbc:postgresql://localhost:5433/fruits"),
                        Treatment.NONE,
                        Optional.empty()),
                new Machine(
                        Optional.of(new Machine.JvmInfo(
                                "/usr/lib/jvm/java-25",
                                "25.0.3+9-LTS",
                                "Eclipse Adoptium",
                                List.of("-Xmx512m", "-XX:+UseSerialGC"),
                                List.of())),
                        new Machine.HostInfo(
                                "Linux 6.18.3", "AMD EPYC 9R14", 2, 8L << 30, "EEVDF, slice 2.8 ms", Map.of()),
                        new CpuAssignment(
                                List.of(0), List.of(1), List.of(1), true, List.of("load and database share CPU 1")),
                        Optional.empty()),
                new RunInfo.Plan(
                        new LoadSpec(
                                List.of(HttpCall.get(URI.create("http://localhost:8080/fruits"))),
                                100,
                                OptionalDouble.empty(),
                                Duration.ofSeconds(10)),
                        Samples.QUICK,
                        Runs.fixed(1),
                        "kiln 0.1.0: 100 ms bins by completion",
                        Optional.empty()),
                new Course(
                        OptionalLong.of(8_700_000_000L),
                        OptionalLong.of(9_100_000_000L),
                        List.of(),
                        Course.Outcome.COMPLETED,
                        Optional.empty(),
                        Optional.empty(),
                        List.of(),
                        OptionalLong.empty(),
                        List.of(),
                        Set.of()),
                new RunInfo.Limits(
                        List.of(new RunInfo.NotRecorded("cgroup throttling", "the target runs in the root cgroup")),
                        List.of(),
                        Optional.empty()));
    }
}
