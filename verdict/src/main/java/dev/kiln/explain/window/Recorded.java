package dev.kiln.explain.window;

import dev.kiln.model.run.FlightDigest;
import dev.kiln.model.run.RunEvidence;
import dev.kiln.model.run.RunInfo.PhaseTime;
import dev.kiln.model.run.Sample;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.ToLongFunction;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * Which part of a run a table tells of. Of what lies before its first row, and after its last one, it tells nothing: that is
 * not known, and not zero.
 */
public final class Recorded {
    /** Tables have a row a second, and one of them may be missing. A table with fewer rows gets two of its own steps. */
    private static final long LATE_NANOS = 2_000_000_000L;

    /** Fewer rows have no step. */
    private static final int LEAST_ROWS = 3;

    private final NavigableSet<Long> times;
    private final long lateNanos;

    private Recorded(LongStream rows) {
        times = new TreeSet<>(rows.boxed().toList());
        lateNanos = Math.max(LATE_NANOS, 2 * step(times));
    }

    static <T> Recorded of(Collection<T> rows, ToLongFunction<T> time) {
        return new Recorded(rows.stream().mapToLong(time));
    }

    public static Recorded of(List<? extends Sample> rows) {
        return of(rows, Sample::timeNanos);
    }

    /**
     * Most tables of a recording have a row only where something happened. The compilers' queues and the CPU limit are asked
     * for all the time, and a program under load is sampled all the time. Empty where a recording has none of these: then
     * nothing tells where it began and ended.
     */
    public static Optional<Recorded> of(FlightDigest flight) {
        return Stream.of(
                        flight.queues().stream().mapToLong(FlightDigest.QueueUse::timeNanos),
                        flight.throttling().stream().mapToLong(Sample::timeNanos),
                        flight.tiers().stream().mapToLong(FlightDigest.TierShare::timeNanos))
                .map(Recorded::new)
                .filter(recorded -> recorded.times.size() >= LEAST_ROWS)
                .findFirst();
    }

    private static long step(NavigableSet<Long> times) {
        long[] steps = new long[Math.max(0, times.size() - 1)];
        long before = times.isEmpty() ? 0 : times.first();
        int at = -1;
        for (long time : times) {
            if (at >= 0) {
                steps[at] = time - before;
            }
            at++;
            before = time;
        }
        Arrays.sort(steps);
        return steps.length == 0 ? 0 : steps[steps.length / 2];
    }

    /** At least half of a stretch, so that means and rates over it can be told. */
    public boolean mostOf(Window window) {
        Long last = times.floor(window.toNanos());
        if (last == null) {
            return false;
        }
        Long first = times.ceiling(window.fromNanos());
        long from = first == null ? window.fromNanos() : Math.max(window.fromNanos(), first - lateNanos);
        long to = Math.min(window.toNanos(), last + lateNanos);
        return to > from && 2 * (to - from) >= window.toNanos() - window.fromNanos();
    }

    /** A stretch from its begin to its end, so that something can be said never to have happened in it. */
    public boolean allOf(Window window) {
        return !times.isEmpty() && times.first() - lateNanos <= window.fromNanos() && until(window.toNanos());
    }

    /** Up to a moment, so that a counter or a maximum can be told of all that was before. */
    public boolean until(long nanos) {
        return !times.isEmpty() && times.last() + lateNanos >= nanos;
    }

    /** The evidence of a stretch: a table that misses most of it is empty, as if it had never been recorded. */
    public static RunEvidence in(RunEvidence evidence, Window window) {
        boolean looked = BinPolicy.seen(evidence, window.fromNanos(), window.toNanos());
        return new RunEvidence(
                evidence.info(),
                evidence.load(),
                evidence.latency(),
                looked ? kept(evidence.threads(), window) : List.of(),
                kept(evidence.compiler(), window),
                // Asked for at different rates, and a starved JVM answers seldom: who reads them looks at their age.
                evidence.jit(),
                evidence.flight()
                        .filter(flight ->
                                of(flight).map(rows -> rows.mostOf(window)).orElse(true)),
                kept(evidence.memory(), window),
                kept(evidence.cgroup(), window),
                looked ? kept(evidence.parts(), window) : List.of(),
                kept(evidence.cpus(), window),
                evidence.calls(),
                evidence.gaps());
    }

    private static <T extends Sample> List<T> kept(List<T> rows, Window window) {
        return of(rows).mostOf(window) ? rows : List.of();
    }

    /** When the last phase ended, as far as it is known; 0 without phases. */
    static long end(RunEvidence evidence) {
        List<PhaseTime> phases = evidence.info().phases();
        long load = evidence.load().isEmpty() ? 0 : evidence.load().getLast().endNanos();
        return phases.isEmpty() ? load : phases.getLast().endNanos().orElse(load);
    }
}
