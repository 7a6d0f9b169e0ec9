package dev.kiln.report;

import dev.kiln.explain.Curves;
import dev.kiln.explain.RunResult;
import dev.kiln.explain.RunResult.Caveats;
import dev.kiln.explain.RunResult.Observation;
import dev.kiln.explain.RunResult.RunId;
import dev.kiln.explain.RunResult.SinceLaunch;
import dev.kiln.explain.RunResult.Throughput;
import dev.kiln.explain.ServedLoad;
import dev.kiln.explain.ServedLoad.PhaseCost;
import dev.kiln.explain.TargetCpu.CpuPoint;
import dev.kiln.model.load.Latency.PhaseLatency;
import dev.kiln.model.load.Latency.Quantiles;
import dev.kiln.model.load.LoadBin;
import dev.kiln.stats.AnalysisConfig;
import dev.kiln.stats.series.Peak;
import dev.kiln.stats.series.SeriesAnalyser;
import dev.kiln.stats.series.SeriesAnalysis;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Random;

/** How a service behaves from its first request on, with noise that the run's number decides. */
public enum SampleRun {
    STARVED(8.7) {
        @Override
        double throughput(double t) {
            return t < 60 ? 1897 * (1 - 0.86 * Math.exp(-t / 9)) + 2.2 * t : 4260 + 45 * (t - 75);
        }

        @Override
        double c2Cpu(double t) {
            return t < 60 ? 0.034 + 0.5 * Math.exp(-Math.max(t, 0) / 1.5) : t < 75 ? 0.84 : 0.1;
        }
    },
    FED(8.6) {
        @Override
        double throughput(double t) {
            return 5640 / (1 + Math.exp(-(t - 12.5) / 3.6));
        }

        @Override
        double c2Cpu(double t) {
            return t < 0 ? 0.2 : 0.004 + 0.62 * Math.exp(-Math.pow((t - 9) / 9, 2));
        }
    };

    private final double start;

    SampleRun(double start) {
        this.start = start;
    }

    abstract double throughput(double t);

    abstract double c2Cpu(double t);

    public RunResult run(String variant, int run) {
        Random noise = new Random(31L * run + (this == FED ? 1 : 0));
        boolean fed = this == FED;
        double scale = 1 + 0.02 * noise.nextGaussian();
        Curves curves = curves(noise, scale);
        return new RunResult(
                new RunId(variant, run, run),
                Caveats.NONE,
                new Throughput(series(List.of(curves)), List.of()),
                new SinceLaunch(
                        OptionalDouble.of(start + 0.1 * run),
                        OptionalDouble.of(start + 0.4 + 0.1 * run),
                        OptionalDouble.empty(),
                        List.of()),
                new ServedLoad(
                        Math.round(curves.load().stream()
                                .mapToDouble(Curves.LoadPoint::requestsPerSecond)
                                .sum()),
                        Optional.of(LoadBin.Errors.NONE),
                        phases(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty()),
                new Observation(
                        SampleInfo.observed(fed), curves, SampleBudget.of(this == STARVED, curves.load()), List.of()),
                fed ? SampleInfo.PEAKED : SampleInfo.STARVED);
    }

    /** Analysed as that of a real run would be; of several runs the mean curve. */
    public SeriesAnalysis series(List<Curves> runs) {
        return SeriesAnalyser.analyse(
                rates(runs, "warm-up"),
                new SeriesAnalysis.MeasuredLoad(
                        rates(runs, "measure"), this == STARVED ? List.of(Peak.PeakBound.STARVED) : List.of()),
                Optional.empty(),
                AnalysisConfig.defaults());
    }

    private static double[] rates(List<Curves> runs, String phase) {
        return runs.getFirst().load().stream()
                .filter(point -> point.phase().equals(phase))
                .mapToDouble(point -> runs.stream()
                        .flatMap(run -> run.load().stream())
                        .filter(other -> other.second() == point.second())
                        .mapToDouble(Curves.LoadPoint::requestsPerSecond)
                        .average()
                        .orElseThrow())
                .toArray();
    }

    private List<ServedLoad.PhaseSummary> phases() {
        return List.of(
                new ServedLoad.PhaseSummary(
                        "warm-up",
                        true,
                        start,
                        60,
                        104_218,
                        latency("warm-up"),
                        new PhaseCost(OptionalDouble.of(552.68), OptionalDouble.empty(), List.of())),
                new ServedLoad.PhaseSummary("pause", false, start + 60, 15, 0, Optional.empty(), PhaseCost.UNKNOWN),
                new ServedLoad.PhaseSummary(
                        "measure",
                        true,
                        start + 75,
                        20,
                        93_480,
                        latency("measure"),
                        new PhaseCost(OptionalDouble.of(205.39), OptionalDouble.empty(), List.of())));
    }

    private static Optional<PhaseLatency> latency(String phase) {
        return Optional.of(
                new PhaseLatency(phase, new Quantiles(93_480, 19_136_511, 61_341_695, 143_654_911), Optional.empty()));
    }

    /** 300 a second from the launch to the first request, then fewer: of a starved compiler for long, else soon none. */
    private long compiled(int t) {
        double after = Math.max(0, t);
        double under = this == STARVED ? 90 * after : 6_000 * (1 - Math.exp(-after / 9));
        return Math.round(300 * (Math.min(0, t) + start) + under);
    }

    private Curves curves(Random noise, double scale) {
        List<Curves.LoadPoint> load = new ArrayList<>();
        List<CpuPoint> used = new ArrayList<>();
        List<Curves.ModePoint> modes = new ArrayList<>();
        List<Curves.JitPoint> jit = new ArrayList<>();
        List<Curves.CompilerPoint> compiler = new ArrayList<>();
        List<Curves.MemoryPoint> memory = new ArrayList<>();
        for (int t = (int) -start; t < 95; t++) {
            if (t >= 0 && (t < 60 || t >= 75)) {
                double rate = throughput(t) * scale * (1 + 0.018 * noise.nextGaussian()) * (t % 23 == 17 ? 0.8 : 1);
                double p99 = 190_000 / rate * (1 + 0.08 * Math.abs(noise.nextGaussian()));
                load.add(new Curves.LoadPoint(
                        t < 60 ? "warm-up" : "measure",
                        t,
                        rate,
                        new Curves.SecondTimes(p99 / 2.4, p99 / 1.4, p99, 1.7 * p99),
                        0));
                used.add(new CpuPoint(t < 60 ? "warm-up" : "measure", t, rate, 0.96, 0.02));
            }
            double cpu = Math.clamp(c2Cpu(t) * (1 + 0.1 * noise.nextGaussian()), 0, 1);
            boolean waits = this == STARVED && t >= 0 && (t < 60 || t >= 75);
            double wait = waits
                    ? Math.min(0.995 - cpu, t < 75 ? 1 : 0.6)
                    : this == FED && t >= 0 && t < 22 ? Math.max(0, 0.9 - cpu - 0.03 * t) : 0.002;
            jit.add(new Curves.JitPoint(t, cpu, wait));
            // In the pause the compiler alone runs.
            boolean rests = t >= 60 && t < 75;
            modes.add(new Curves.ModePoint(t + 0.3, rests ? cpu : 0.75, rests ? 0 : 0.2));
            compiler.add(new Curves.CompilerPoint(t + 0.4, 1_000 + compiled(t), 4_000_000 + 1_500 * compiled(t)));
            memory.add(new Curves.MemoryPoint(t, (long)
                    ((340 + (this == FED ? 40 : 0) + 120 * (1 - Math.exp(-(t + start) / 25))) * (1 << 20))));
        }
        return new Curves(load, used, modes, jit, compiler, memory, SampleInside.of(this == STARVED, start));
    }
}
