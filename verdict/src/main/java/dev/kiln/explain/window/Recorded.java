package dev.kiln.explain.window;

import dev.kiln.model.run.Course.PhaseTime;
import dev.kiln.model.run.FlightDigest;
import dev.kiln.model.run.RunEvidence;
import dev.kiln.model.run.RunEvidence.JvmEvidence;
import dev.kiln.model.run.RunEvidence.MachineEvidence;
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

/** A Recorded is the part of a run that a table covers. What lies outside is not known, and not zero. */
public final class Recorded {
    /** A table ends this long after its last row, of which one may be missing; sparse tables get two steps. */
    private static final long LATE_NANOS = 2_000_000_000L;

    /** A table with fewer rows than this has no step. */
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
     * Returns the part of a run that a flight recording covers. Most of its tables have a row only where something
     * happened; but the compilers' queues and the CPU limit are asked for all the time, and a program under load is
     * sampled all the time. It is empty where a recording has none of these: then nothing shows where it began and
     * ended.
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

    /** Tells whether at least half of a window is covered, so that means and rates over it can be stated. */
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

    /** Tells whether a window is covered whole, so that something never happened in it. */
    public boolean allOf(Window window) {
        return !times.isEmpty() && times.first() - lateNanos <= window.fromNanos() && until(window.toNanos());
    }

    /** Tells whether the table reaches up to a moment, so that a counter or a maximum holds for all that was before. */
    public boolean until(long nanos) {
        return !times.isEmpty() && times.last() + lateNanos >= nanos;
    }

    /** Returns the evidence of a window: a table that misses most of it is empty, as if it had never been recorded. */
    public static RunEvidence in(RunEvidence evidence, Window window) {
        boolean looked = BinPolicy.seen(evidence, window.fromNanos(), window.toNanos());
        return new RunEvidence(
                evidence.info(),
                evidence.sent(),
                new JvmEvidence(
                        looked ? kept(evidence.threads(), window) : List.of(),
                        kept(evidence.compiler(), window),
                        // Asked for at different rates, and a starved JVM answers seldom: who reads them looks at their
                        // age.
                        evidence.jit(),
                        // A dump is a moment and not a stretch: whoever reads them takes those of the window.
                        evidence.blocked(),
                        evidence.flight()
                                .filter(flight -> of(flight)
                                        .map(rows -> rows.mostOf(window))
                                        .orElse(true)),
                        // A row only where something was collected: how much there was of it, memory's rows tell.
                        evidence.collections(),
                        kept(evidence.classes(), window),
                        // As above, and what is live grows over the whole load.
                        evidence.heap()),
                new MachineEvidence(
                        kept(evidence.memory(), window),
                        kept(evidence.cgroup(), window),
                        looked ? kept(evidence.parts(), window) : List.of(),
                        kept(evidence.cpus(), window)),
                evidence.closing(),
                evidence.gaps(),
                List.of());
    }

    private static <T extends Sample> List<T> kept(List<T> rows, Window window) {
        return of(rows).mostOf(window) ? rows : List.of();
    }

    /** Returns when the last phase ended, as far as it is known; 0 without phases. */
    static long end(RunEvidence evidence) {
        List<PhaseTime> phases = evidence.info().phases();
        long load = evidence.load().isEmpty() ? 0 : evidence.load().getLast().endNanos();
        return phases.isEmpty() ? load : phases.getLast().endNanos().orElse(load);
    }
}
