package dev.kiln.explain;

import dev.kiln.model.LatencyInterval;
import dev.kiln.model.RunEvidence;
import dev.kiln.model.ThreadRole;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/** A run's series for pictures, on one axis whose zero is the first request of the load. */
final class CurvesBuilder {
    private static final long SECOND = 1_000_000_000L;
    private static final long LATE_NANOS = 60 * SECOND;

    private CurvesBuilder() {}

    static Curves build(RunEvidence evidence, List<LoadSeries> phases, ThreadCounters threads, long zeroNanos) {
        List<Curves.MemoryPoint> memory = evidence.memory().stream()
                .map(sample -> new Curves.MemoryPoint((sample.timeNanos() - zeroNanos) / 1e9, sample.rssBytes()))
                .toList();
        return new Curves(
                load(evidence, phases, zeroNanos),
                TargetCpu.of(evidence).points(phases, zeroNanos),
                jit(evidence, threads, zeroNanos),
                memory,
                InsideBuilder.build(evidence, zeroNanos));
    }

    private static List<Curves.LoadPoint> load(RunEvidence evidence, List<LoadSeries> phases, long zeroNanos) {
        Map<String, NavigableMap<Long, LatencyInterval>> latency = new HashMap<>();
        for (LatencyInterval interval : evidence.latency()) {
            latency.computeIfAbsent(interval.phase(), phase -> new TreeMap<>()).put(interval.startNanos(), interval);
        }
        List<Curves.LoadPoint> points = new ArrayList<>();
        for (LoadSeries phase : phases) {
            NavigableMap<Long, LatencyInterval> ofPhase = latency.getOrDefault(phase.phase(), new TreeMap<>());
            for (int i = 0; i < phase.bins(); i++) {
                long bin = Math.round(phase.binSeconds() * SECOND);
                long start = phase.startNanos() + i * bin;
                // Both clocks tick in the driver, but a latency interval's start is rounded to the log's milliseconds.
                var nearest = ofPhase.floorEntry(start + bin / 2);
                boolean same = nearest != null && nearest.getKey() > start - bin / 2;
                points.add(new Curves.LoadPoint(
                        phase.phase(),
                        (start - zeroNanos) / 1e9,
                        phase.completed()[i],
                        same ? nearest.getValue().p50Nanos() / 1e6 : Double.NaN,
                        same ? nearest.getValue().p99Nanos() / 1e6 : Double.NaN,
                        phase.errors()[i]));
            }
        }
        return points;
    }

    /** C2 second by second; empty without compiler threads. */
    static List<Curves.JitPoint> jit(RunEvidence evidence, ThreadCounters threads, long zeroNanos) {
        List<Curves.JitPoint> points = new ArrayList<>();
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
            if (unseen(evidence, from, from + SECOND)) {
                continue;
            }
            long[] c2 = threads.cpuAndWait(ThreadRole.C2, from, from + SECOND);
            points.add(new Curves.JitPoint((from - zeroNanos) / 1e9, c2[0] / 1e9, c2[1] / 1e9));
        }
        return points;
    }

    /** Whether threads were sampled in less than half of a second: what they did in the rest is then not known. */
    private static boolean unseen(RunEvidence evidence, long from, long to) {
        return evidence.info().provenance().stream()
                .anyMatch(provenance -> provenance.seenNanos(from, to) < (to - from) / 2);
    }
}
