package dev.kiln.report;

import dev.kiln.explain.study.Assessment;
import dev.kiln.explain.study.ExperimentResult;
import dev.kiln.model.experiment.Protocol;
import dev.kiln.model.experiment.Protocol.Phase;
import dev.kiln.model.load.Latency.Histogrammed;
import dev.kiln.model.load.Latency.Latencies;
import dev.kiln.model.load.Latency.LatencyCounts;
import dev.kiln.model.load.Latency.LatencyInterval;
import dev.kiln.model.load.Latency.PhaseLatency;
import dev.kiln.model.load.Latency.Quantiles;
import dev.kiln.model.load.LoadBin;
import dev.kiln.model.run.Course;
import dev.kiln.model.run.Course.PhaseTime;
import dev.kiln.model.run.FlightDigest;
import dev.kiln.model.run.JitState;
import dev.kiln.model.run.RunEvidence;
import dev.kiln.model.run.RunEvidence.JvmEvidence;
import dev.kiln.model.run.RunEvidence.LoadEvidence;
import dev.kiln.model.run.RunEvidence.MachineEvidence;
import dev.kiln.model.run.RunInfo;
import dev.kiln.model.run.Sample.CgroupSample;
import dev.kiln.model.run.Sample.CompilerSample;
import dev.kiln.model.run.Sample.JitSample;
import dev.kiln.model.run.Sample.MemorySample;
import dev.kiln.model.run.Sample.PartSample;
import dev.kiln.model.run.Sample.PartSample.Modes;
import dev.kiln.model.run.Sample.ThreadRole;
import dev.kiln.model.run.Sample.ThreadSample;
import dev.kiln.model.run.Sample.ThreadState;
import dev.kiln.report.html.HtmlReport;
import dev.kiln.stats.AnalysisConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** A large experiment with all the evidence a run can have, for the report's size and speed. */
public final class SyntheticExperiment {
    private static final long SECOND = 1_000_000_000L;
    private static final int START = 8;
    private static final int WARMUP = 120;
    private static final int PAUSE = 15;
    private static final int MEASURE = 45;
    private static final int END = START + WARMUP + PAUSE + MEASURE;

    private final Random noise;
    private final double scale;
    private final boolean starved;

    private SyntheticExperiment(int variant, int run) {
        noise = new Random(variant * 1000L + run);
        scale = (0.5 + 0.5 * (variant + 1) / 12.0) * (1 + 0.02 * noise.nextGaussian());
        starved = variant % 2 == 0;
    }

    /** Writes a report: FILE VARIANTS RUNS. A run is 180 s of load and pause. */
    public static void main(String[] args) {
        HtmlReport.write(result(Integer.parseInt(args[1]), Integer.parseInt(args[2])), Path.of(args[0]));
    }

    public static ExperimentResult result(int variants, int runs) {
        Assessment assessment = new Assessment(AnalysisConfig.defaults());
        List<String> names =
                IntStream.range(0, variants).mapToObj(v -> "variant-" + v).toList();
        for (int v = 0; v < variants; v++) {
            for (int r = 1; r <= runs; r++) {
                assessment.add(new SyntheticExperiment(v, r).evidence(names, names.get(v), r));
            }
        }
        return SampleExplanation.explained(assessment.result("synthetic"));
    }

    private RunEvidence evidence(List<String> variants, String variant, int run) {
        List<LoadBin> load = new ArrayList<>();
        List<LatencyInterval> latency = new ArrayList<>();
        List<ThreadSample> threads = new ArrayList<>();
        List<CompilerSample> compiler = new ArrayList<>();
        List<MemorySample> memory = new ArrayList<>();
        List<CgroupSample> cgroup = new ArrayList<>();
        List<JitSample> jit = new ArrayList<>();
        List<PartSample> parts = new ArrayList<>();
        long cpu = 0;
        long wait = 0;
        for (int t = 0; t < END; t++) {
            double loaded = loaded(t) ? 1 : 0;
            if (loaded(t)) {
                loadSecond(t, load, latency);
            }
            double busy = starved ? 0.04 : 0.9 * Math.exp(-(t - START) / 20.0);
            cpu += Math.round(SECOND * (loaded > 0 || t < START ? Math.clamp(busy, 0.01, 1) : 0.8));
            wait += Math.round(SECOND * (starved ? 0.95 * loaded : 0.02));
            threads.add(thread(t + 1, 11, "C2 CompilerThre", ThreadRole.C2, cpu, wait));
            threads.add(thread(t + 1, 12, "C1 CompilerThre", ThreadRole.C1, cpu / 9, wait / 5));
            threads.add(thread(t + 1, 13, "worker-1", ThreadRole.WORKER, t * SECOND / 2, t * SECOND / 3));
            compiler.add(new CompilerSample((t + 1) * SECOND, 90L * t, 1, cpu, 9000L * t, 0, 0));
            memory.add(new MemorySample(
                    (t + 1) * SECOND,
                    (300L + t) << 20,
                    0,
                    t,
                    t * 3_000_000L,
                    t,
                    t * 4_000_000L,
                    OptionalLong.empty(),
                    Optional.empty(),
                    Optional.empty()));
            cgroup.add(new CgroupSample((t + 1) * SECOND, 10L * t, t, t * 20_000_000L));
            jit.add(jit(t));
            Modes modes = new Modes(t * SECOND * 6 / 10, t * SECOND * 3 / 10);
            parts.add(new PartSample((t + 1) * SECOND, "target", t * SECOND * 9 / 10, 0, Optional.of(modes)));
        }
        return new RunEvidence(
                info(variants, variant, run),
                new LoadEvidence(
                        load,
                        new Latencies(latency, List.of(phaseLatency("warm-up"), phaseLatency("measure")), List.of()),
                        List.of(),
                        false),
                new JvmEvidence(
                        threads, compiler, jit, List.of(), Optional.of(flight()), List.of(), List.of(), List.of()),
                new MachineEvidence(memory, cgroup, parts, List.of()),
                List.of());
    }

    private static boolean loaded(int t) {
        return t >= START && (t < START + WARMUP || t >= START + WARMUP + PAUSE);
    }

    private void loadSecond(int t, List<LoadBin> load, List<LatencyInterval> latency) {
        String phase = t < START + WARMUP ? "warm-up" : "measure";
        double rise = 1 - Math.exp(-(t - START + 1) / (starved ? 25.0 : 8.0));
        double level = starved && t < START + WARMUP ? 0.45 : 1;
        for (int i = 0; i < 10; i++) {
            long from = t * SECOND + i * SECOND / 10;
            long count = Math.round(600 * scale * rise * level * (1 + 0.03 * noise.nextGaussian()));
            load.add(new LoadBin(phase, from, from + SECOND / 10, count, count, LoadBin.Errors.NONE, 100, 0));
        }
        long p99 = Math.round(40e6 / (rise * level) * (1 + 0.1 * Math.abs(noise.nextGaussian())));
        latency.add(new LatencyInterval(
                phase,
                t * SECOND,
                (t + 1) * SECOND,
                new Quantiles(1000, p99 / 3, p99, 2 * p99),
                0,
                Optional.of(new Histogrammed(p99 / 2.5, p99 * 3 / 4, p99 * 8 / 5))));
    }

    /** Most requests took 14 ms, some up to 180. */
    private PhaseLatency phaseLatency(String phase) {
        SortedMap<Integer, Long> steps = new TreeMap<>();
        for (int step = 36; step < 53; step++) {
            steps.put(step, Math.round(50_000 * scale * Math.exp(-Math.pow((step - 41.5) / 2.4, 2)) + 3));
        }
        return new PhaseLatency(
                phase,
                new Quantiles(
                        steps.values().stream().mapToLong(count -> count).sum(), 14_000_000, 40_000_000, 180_000_000),
                Optional.of(new PhaseLatency.More(
                        15e6, 20_000_000, 26_000_000, 32_000_000, 70_000_000, LatencyCounts.of(steps))));
    }

    private static ThreadSample thread(int t, int tid, String name, ThreadRole role, long cpu, long wait) {
        return new ThreadSample(
                t * SECOND, tid, name, role, cpu, wait, 10L * t, 5L * t, 3L * t, ThreadState.NOT_RECORDED);
    }

    private JitSample jit(int t) {
        int queue = starved ? 3000 + noise.nextInt(400) : Math.max(0, 900 - 20 * t + noise.nextInt(30));
        return JitSample.at(t * SECOND + SECOND / 3)
                .queues(OptionalInt.of(noise.nextInt(40)), OptionalInt.of(queue))
                .with(new JitState.CodeLevels(10 * t, starved ? 2400 : 200, 2000, 20 * t, OptionalInt.empty()))
                .with(new JitState.CodeCacheFill((20L << 20) + t * 100_000L, 240L << 20, 0, 0, List.of()));
    }

    private FlightDigest flight() {
        List<FlightDigest.FlightCompilations> compilations = new ArrayList<>();
        List<FlightDigest.FlightDeoptimizations> deoptimizations = new ArrayList<>();
        List<FlightDigest.FlightPause> pauses = new ArrayList<>();
        List<FlightDigest.TierShare> tiers = new ArrayList<>();
        for (int t = 0; t < END; t++) {
            for (int level = 1; level <= 4; level++) {
                long longest = Math.round((level == 4 ? starved ? 900e6 : 60e6 : 5e6) * (1 + noise.nextDouble()));
                compilations.add(new FlightDigest.FlightCompilations(
                        t * SECOND, level, 10 + noise.nextInt(30), 0, 3 * longest, longest, ""));
            }
            deoptimizations.add(
                    new FlightDigest.FlightDeoptimizations(t * SECOND, "unstable_if", "", noise.nextInt(9)));
            pauses.add(new FlightDigest.FlightPause(
                    t * SECOND + 5, "Allocation Failure", 4_000_000L + noise.nextInt(5_000_000), ""));
            tiers.add(new FlightDigest.TierShare(
                    t * SECOND, 5 + noise.nextInt(3), starved ? 60 : 10, starved ? 10 : 30, starved ? 15 : 45, 8));
        }
        return new FlightDigest(
                new FlightDigest.FlightJit(compilations, List.of(), deoptimizations, List.of(), List.of()),
                new FlightDigest.FlightCollector(pauses, List.of()),
                new FlightDigest.FlightSamples(tiers, List.of(), List.of(), List.of()),
                List.of());
    }

    private static RunInfo info(List<String> variants, String variant, int run) {
        RunInfo of = SampleInfo.info();
        Protocol protocol = new Protocol(
                "long",
                List.of(
                        new Phase.Load("warm-up", Duration.ofSeconds(WARMUP)),
                        new Phase.Pause("pause", Duration.ofSeconds(PAUSE)),
                        new Phase.Load("measure", Duration.ofSeconds(MEASURE))));
        List<PhaseTime> phases = List.of(
                phase("warm-up", true, START, WARMUP),
                phase("pause", false, START + WARMUP, PAUSE),
                phase("measure", true, START + WARMUP + PAUSE, MEASURE));
        return new RunInfo(
                of.kilnVersion(),
                new RunInfo.Which(
                        "synthetic", variants, variant, run, run, of.which().seed()),
                of.launch(),
                of.machine(),
                new RunInfo.Plan(of.load(), protocol, of.plan().runs(), of.driver(), Optional.empty()),
                new Course(
                        of.course().readyNanos(),
                        of.course().firstResponseNanos(),
                        phases,
                        of.outcome(),
                        of.course().outcomeDetail(),
                        Optional.empty(),
                        List.of(),
                        OptionalLong.empty(),
                        List.of(),
                        Set.of()),
                new RunInfo.Limits(List.of(), List.of(), Optional.empty()));
    }

    private static PhaseTime phase(String name, boolean load, int start, int seconds) {
        return new PhaseTime(name, load, start * SECOND, OptionalLong.of((start + seconds) * SECOND));
    }
}
