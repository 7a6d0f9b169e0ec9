package dev.kiln.explain;

import dev.kiln.explain.TargetCpu.CpuPoint;
import dev.kiln.explain.window.CpuUse;
import dev.kiln.explain.window.LoadSeries;
import dev.kiln.explain.window.ThreadTimes;
import dev.kiln.explain.window.Window;
import dev.kiln.model.load.Latency.LatencyInterval;
import dev.kiln.model.run.RunEvidence;
import dev.kiln.model.run.Sample.CompilerSample;
import dev.kiln.model.run.Sample.PartSample;
import dev.kiln.model.run.Sample.ThreadRole;
import dev.kiln.stats.series.Fall;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;

/**
 * Curves are a run's series for pictures, a value a second. Times are seconds since the first request of the first load
 * phase; start-up is before zero.
 *
 * @param load throughput, latency and errors of each second with load
 * @param cpu the target's CPU in each second with load in which it is known
 * @param modes the target's user and system time, about a second each, since launch
 * @param jit C2's CPU and wait of each second since launch
 * @param compiler what was compiled by the end of each second since launch
 * @param memory resident set, as sampled
 * @param inside what else the JVM, a recording and the cgroup recorded
 */
public record Curves(
        List<LoadPoint> load,
        List<CpuPoint> cpu,
        List<ModePoint> modes,
        List<JitPoint> jit,
        List<CompilerPoint> compiler,
        List<MemoryPoint> memory,
        Inside inside) {
    private static final long SECOND = 1_000_000_000L;
    private static final long LATE_NANOS = 60 * SECOND;

    /** A LoadPoint is one second of load. */
    public record LoadPoint(String phase, double second, double requestsPerSecond, SecondTimes times, long errors) {
        public double p50Millis() {
            return times.p50Millis;
        }

        public double p99Millis() {
            return times.p99Millis;
        }
    }

    /**
     * SecondTimes are percentiles of the response times of a second; NaN is one that is not known. The 95th of fewer than
     * 20 requests, and the 99.9th of fewer than 1,000, would be their slowest: it is not known.
     */
    public record SecondTimes(double p50Millis, double p95Millis, double p99Millis, double p999Millis) {
        static final SecondTimes UNKNOWN = new SecondTimes(Double.NaN, Double.NaN, Double.NaN, Double.NaN);

        private static final int LEAST_FOR_P95 = 20;
        private static final int LEAST_FOR_P999 = 1000;

        static SecondTimes of(LatencyInterval second) {
            return new SecondTimes(
                    second.p50Nanos() / 1e6,
                    second.histogram()
                            .filter(known -> second.count() >= LEAST_FOR_P95)
                            .map(known -> known.p95Nanos() / 1e6)
                            .orElse(Double.NaN),
                    second.p99Nanos() / 1e6,
                    second.histogram()
                            .filter(known -> second.count() >= LEAST_FOR_P999)
                            .map(known -> known.p999Nanos() / 1e6)
                            .orElse(Double.NaN));
        }
    }

    /** A ModePoint is the target's CPU between two rows: shares of one CPU as user and in the kernel. */
    public record ModePoint(double second, double user, double system) {}

    /** A JitPoint is C2 in one second: its share of one CPU, and its threads that waited, on average. */
    public record JitPoint(double second, double c2Cpu, double c2Wait) {}

    /** A CompilerPoint is what the compilers had done since launch, and the machine code in bytes. */
    public record CompilerPoint(double second, long compilations, long codeBytes) {}

    public record MemoryPoint(double second, long rssBytes) {}

    /** Returns why throughput fell between two intervals in seconds; empty if it did not, or without CPU. */
    public Optional<Fall> fall(
            double beforeFrom, double beforeTo, double afterFrom, double afterTo, double binSeconds) {
        return Fall.between(
                seconds(point -> point.second() >= beforeFrom && point.second() < beforeTo),
                seconds(point -> point.second() >= afterFrom && point.second() < afterTo),
                binSeconds);
    }

    private Fall.Seconds seconds(Predicate<CpuPoint> which) {
        List<CpuPoint> points = cpu.stream().filter(which).toList();
        return new Fall.Seconds(
                column(points, CpuPoint::requests), column(points, CpuPoint::used), column(points, CpuPoint::idle));
    }

    private static double[] column(List<CpuPoint> points, ToDoubleFunction<CpuPoint> value) {
        return points.stream().mapToDouble(value).toArray();
    }

    static Curves of(RunEvidence evidence, List<LoadSeries> phases, ThreadTimes threads, long zeroNanos) {
        List<MemoryPoint> memory = evidence.memory().stream()
                // A log of a collector tells of its pauses alone.
                .filter(sample -> sample.rssBytes() > 0)
                .map(sample -> new MemoryPoint((sample.timeNanos() - zeroNanos) / 1e9, sample.rssBytes()))
                .toList();
        return new Curves(
                loadPoints(evidence, phases, zeroNanos),
                TargetCpu.of(evidence).points(phases, zeroNanos),
                modePoints(evidence, zeroNanos),
                jitPoints(evidence, threads, zeroNanos),
                compilerPoints(evidence.compiler(), zeroNanos),
                memory,
                new InsideReader(evidence, zeroNanos).read());
    }

    /**
     * Returns the target's modes between rows at least half a second apart: steps are of 10 ms. Those of one of several
     * processes are not the service's.
     */
    private static List<ModePoint> modePoints(RunEvidence evidence, long zeroNanos) {
        if (evidence.sent().shared()) {
            return List.of();
        }
        List<PartSample> rows = evidence.parts().stream()
                .filter(row -> row.part().equals("target") && row.modes().isPresent())
                .toList();
        List<ModePoint> points = new ArrayList<>();
        int from = 0;
        for (int to = 1; to < rows.size(); to++) {
            long took = rows.get(to).timeNanos() - rows.get(from).timeNanos();
            if (took >= SECOND / 2) {
                PartSample.Modes before = rows.get(from).modes().orElseThrow();
                PartSample.Modes after = rows.get(to).modes().orElseThrow();
                points.add(new ModePoint(
                        (rows.get(from).timeNanos() - zeroNanos) / 1e9,
                        (after.userNanos() - before.userNanos()) / (double) took,
                        (after.systemNanos() - before.systemNanos()) / (double) took));
                from = to;
            }
        }
        return points;
    }

    private static List<LoadPoint> loadPoints(RunEvidence evidence, List<LoadSeries> phases, long zeroNanos) {
        Map<String, NavigableMap<Long, LatencyInterval>> latency = new HashMap<>();
        for (LatencyInterval interval : evidence.latency().seconds()) {
            latency.computeIfAbsent(interval.phase(), phase -> new TreeMap<>()).put(interval.startNanos(), interval);
        }
        List<LoadPoint> points = new ArrayList<>();
        for (LoadSeries phase : phases) {
            NavigableMap<Long, LatencyInterval> ofPhase = latency.getOrDefault(phase.phase(), new TreeMap<>());
            for (int i = 0; i < phase.bins(); i++) {
                long bin = Math.round(phase.binSeconds() * SECOND);
                long start = phase.startNanos() + i * bin;
                // Both clocks tick in the driver, but a latency interval's start is rounded to the log's milliseconds.
                var nearest = ofPhase.floorEntry(start + bin / 2);
                boolean same = nearest != null && nearest.getKey() > start - bin / 2;
                points.add(new LoadPoint(
                        phase.phase(),
                        (start - zeroNanos) / 1e9,
                        phase.completed()[i],
                        same ? SecondTimes.of(nearest.getValue()) : SecondTimes.UNKNOWN,
                        Math.round(phase.errors()[i])));
            }
        }
        return points;
    }

    /** Returns the last sample of each second. */
    private static List<CompilerPoint> compilerPoints(List<CompilerSample> samples, long zeroNanos) {
        NavigableMap<Long, CompilerSample> last = new TreeMap<>();
        samples.forEach(sample -> last.put(Math.floorDiv(sample.timeNanos() - zeroNanos, SECOND), sample));
        return last.values().stream()
                .map(sample -> new CompilerPoint(
                        (sample.timeNanos() - zeroNanos) / 1e9, sample.compilations(), sample.codeBytes()))
                .toList();
    }

    /** Returns C2's CPU and wait second by second; the list is empty without compiler threads. */
    public static List<JitPoint> jitPoints(RunEvidence evidence, ThreadTimes threads, long zeroNanos) {
        List<JitPoint> points = new ArrayList<>();
        if (!threads.has(ThreadRole.C2) && !threads.has(ThreadRole.C1)) {
            return points;
        }
        long end = evidence.threads().getLast().timeNanos();
        // Steps of a second from zero in both directions, so that pictures of several runs share their grid. A process
        // that was watched long after its launch has none before.
        long first = evidence.threads().getFirst().timeNanos();
        long begin = first < LATE_NANOS
                ? zeroNanos - zeroNanos / SECOND * SECOND
                : zeroNanos + Math.floorDiv(first - zeroNanos, SECOND) * SECOND;
        for (long from = begin; from + SECOND <= end; from += SECOND) {
            if (!threads.seen(new Window(from, from + SECOND), evidence.info().provenance())) {
                continue;
            }
            CpuUse c2 = threads.evenly(ThreadRole.C2, new Window(from, from + SECOND));
            points.add(new JitPoint((from - zeroNanos) / 1e9, c2.cpu(), c2.waiting()));
        }
        return points;
    }
}
