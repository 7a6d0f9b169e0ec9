package dev.kiln.explain.window;

import dev.kiln.model.run.Provenance;
import dev.kiln.model.run.RunEvidence;
import dev.kiln.model.run.Sample.ThreadRole;
import dev.kiln.model.run.Sample.ThreadSample;
import dev.kiln.model.run.Sample.ThreadState;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;

/** ThreadTimes are the counters of each thread of a run: threads come and go, so only differences add up. */
public final class ThreadTimes {
    /** A Use is what a thread used between two moments. */
    public record Use(ThreadSample last, long cpuNanos, long waitNanos, long voluntary, long involuntary) {
        public Use plus(Use o) {
            return new Use(
                    o.last,
                    cpuNanos + o.cpuNanos,
                    waitNanos + o.waitNanos,
                    voluntary + o.voluntary,
                    involuntary + o.involuntary);
        }

        /** Returns the share of a time in which the thread ran or waited for a CPU. */
        public double demand(double seconds) {
            return (cpuNanos + waitNanos) / 1e9 / seconds;
        }
    }

    /** A thread whose first sample is later than this after the recording began was born during the recording. */
    private static final long BORN_AFTER_NANOS = 1_500_000_000L;

    private final Map<Integer, NavigableMap<Long, ThreadSample>> byThread = new HashMap<>();
    private final NavigableSet<Long> times = new TreeSet<>();
    private final Recorded recorded;
    private final long firstNanos;
    private final boolean launched;

    /** Returns the counters of a run. */
    public static ThreadTimes of(RunEvidence evidence) {
        return new ThreadTimes(evidence.threads(), evidence.info().attached().isEmpty());
    }

    /** @param launched false for a program that had run before: what its threads had used then is of no window */
    public ThreadTimes(List<ThreadSample> samples, boolean launched) {
        this.launched = launched;
        for (ThreadSample sample : samples) {
            times.add(sample.timeNanos());
            byThread.computeIfAbsent(sample.tid(), tid -> new TreeMap<>()).put(sample.timeNanos(), sample);
        }
        byThread.values().forEach(ThreadTimes::spread);
        recorded = Recorded.of(times, Long::longValue);
        firstNanos = samples.stream().mapToLong(ThreadSample::timeNanos).min().orElse(0);
    }

    /**
     * Moves waits to when they happened: the kernel adds a wait when it ends. What is longer than the time that the
     * thread had beside its CPU is of the time before, and goes there. A wait that began before the first sample stays
     * before it.
     */
    private static void spread(NavigableMap<Long, ThreadSample> samples) {
        long earlier = 0;
        ThreadSample later = samples.lastEntry().getValue();
        for (ThreadSample sample : List.copyOf(samples.descendingMap().values())) {
            Use use = difference(sample, later);
            long free = Math.max(0, later.timeNanos() - sample.timeNanos() - use.cpuNanos());
            earlier = Math.max(0, earlier + use.waitNanos() - free);
            samples.put(sample.timeNanos(), withWait(sample, sample.waitNanos() + earlier));
            later = sample;
        }
    }

    private static ThreadSample withWait(ThreadSample s, long waitNanos) {
        return new ThreadSample(
                s.timeNanos(),
                s.tid(),
                s.name(),
                s.role(),
                s.cpuNanos(),
                waitNanos,
                s.slices(),
                s.voluntarySwitches(),
                s.involuntarySwitches(),
                s.state());
    }

    /** Returns CPU and wait of a role's threads in a window, evenly between samples. */
    public CpuUse evenly(ThreadRole role, Window window) {
        return evenly(last -> last.role() == role, window);
    }

    /** Returns the same of the threads whose last sample is wanted. */
    public CpuUse evenly(Predicate<ThreadSample> which, Window window) {
        double cpu = 0;
        double wait = 0;
        for (NavigableMap<Long, ThreadSample> samples : byThread.values()) {
            if (which.test(samples.lastEntry().getValue())) {
                cpu += grown(samples, window, ThreadSample::cpuNanos);
                wait += grown(samples, window, ThreadSample::waitNanos);
            }
        }
        double nanos = window.toNanos() - window.fromNanos();
        return new CpuUse(cpu / nanos, wait / nanos);
    }

    /** Returns how many wanted threads were in a state on average; empty where states were not recorded. */
    public OptionalDouble in(ThreadState state, Predicate<ThreadSample> which, Window window) {
        int looks = 0;
        int seen = 0;
        for (NavigableMap<Long, ThreadSample> samples : byThread.values()) {
            List<ThreadState> states =
                    samples.subMap(window.fromNanos(), true, window.toNanos(), true).values().stream()
                            .map(ThreadSample::state)
                            .filter(known -> known != ThreadState.NOT_RECORDED)
                            .toList();
            // A thread that lived shorter was looked at less often.
            looks = Math.max(looks, states.size());
            if (!states.isEmpty() && which.test(samples.lastEntry().getValue())) {
                seen += Collections.frequency(states, state);
            }
        }
        return looks > 0 ? OptionalDouble.of((double) seen / looks) : OptionalDouble.empty();
    }

    private double grown(
            NavigableMap<Long, ThreadSample> samples, Window window, ToLongFunction<ThreadSample> counter) {
        return at(samples, window.toNanos(), counter) - at(samples, window.fromNanos(), counter);
    }

    private double at(NavigableMap<Long, ThreadSample> samples, long nanos, ToLongFunction<ThreadSample> counter) {
        Map.Entry<Long, ThreadSample> before = samples.floorEntry(nanos);
        Map.Entry<Long, ThreadSample> after = samples.ceilingEntry(nanos);
        if (after == null) {
            return counter.applyAsLong(before.getValue());
        }
        double to = counter.applyAsLong(after.getValue());
        if (before != null) {
            double from = counter.applyAsLong(before.getValue());
            long step = after.getKey() - before.getKey();
            return step == 0 ? to : from + (to - from) * (nanos - before.getKey()) / step;
        }
        // It was born after everybody was looked at, and before it was seen.
        Long looked = times.lower(after.getKey());
        boolean atFirst = after.getKey() <= firstNanos + BORN_AFTER_NANOS;
        if ((looked == null && !seenFromLaunch()) || (!launched && atFirst)) {
            return to;
        }
        long born = looked == null ? 0 : looked;
        return nanos <= born ? 0 : to * (nanos - born) / (after.getKey() - born);
    }

    /** Returns what C2 got in a window, if it was starved there; empty where it was not, or nobody knows. */
    public Optional<CpuUse> starvedC2(Window window, Optional<Provenance> foreign) {
        return window.seconds() <= 0
                ? Optional.empty()
                : use(ThreadRole.C2, window, foreign).filter(CpuUse::starved);
    }

    public boolean isEmpty() {
        return byThread.isEmpty();
    }

    /** Tells whether threads were sampled in most of a window: in the rest it is not known what they did. */
    public boolean seen(Window window, Optional<Provenance> foreign) {
        return recorded.mostOf(window)
                && foreign.map(source -> 2 * source.seenNanos(window.fromNanos(), window.toNanos())
                                >= window.toNanos() - window.fromNanos())
                        .orElse(true);
    }

    /** Returns the time from the sample before a window to its last, of which {@link #between} tells. */
    public Window sampled(Window window) {
        Long first = times.floor(window.fromNanos());
        Long last = times.floor(window.toNanos());
        // Before anybody looked only the births of threads were seen.
        long from = first != null ? first : seenFromLaunch() ? window.fromNanos() : firstNanos;
        return new Window(from, Math.max(from, last == null ? from : last));
    }

    /** Returns the seconds in which threads were sampled, around a window; 0 where that is less than half of it. */
    double seconds(Window window, Optional<Provenance> foreign) {
        if (!seen(window, foreign)) {
            return 0;
        }
        Window sampled = sampled(window);
        return foreign.map(source -> source.seenNanos(sampled.fromNanos(), sampled.toNanos()) / 1e9)
                .orElse(sampled.seconds());
    }

    /** Tells whether sampling began at the launch: then all that a thread has used lies within the samples. */
    private boolean seenFromLaunch() {
        return launched && firstNanos < BORN_AFTER_NANOS;
    }

    /** Returns the use of every thread sampled by the end of the window, in the window (ns since launch). */
    public List<Use> between(long fromNanos, long toNanos) {
        List<Use> uses = new ArrayList<>();
        for (NavigableMap<Long, ThreadSample> samples : byThread.values()) {
            Map.Entry<Long, ThreadSample> end = samples.floorEntry(toNanos);
            if (end == null) {
                continue;
            }
            Map.Entry<Long, ThreadSample> start = samples.floorEntry(fromNanos);
            ThreadSample first = samples.firstEntry().getValue();
            boolean born = seenFromLaunch() || first.timeNanos() > firstNanos + BORN_AFTER_NANOS;
            ThreadSample last = end.getValue();
            if (start != null) {
                uses.add(difference(start.getValue(), last));
            } else if (born) {
                uses.add(new Use(
                        last, last.cpuNanos(), last.waitNanos(), last.voluntarySwitches(), last.involuntarySwitches()));
            } else {
                uses.add(difference(first, last));
            }
        }
        return uses;
    }

    /** Returns the thread with the most of what counts in a window, none of the JVM's own; empty without threads. */
    public Optional<Use> busiest(Window window, ToDoubleFunction<Use> counts) {
        return between(window.fromNanos(), window.toNanos()).stream()
                .filter(use -> !use.last().role().isOfJvm())
                .max(Comparator.comparingDouble(counts));
    }

    /** Returns CPU and wait, in ns, of all threads of a role in the window; both are 0 if there were none. */
    public long[] cpuAndWait(ThreadRole role, long fromNanos, long toNanos) {
        long cpu = 0;
        long wait = 0;
        for (Use use : between(fromNanos, toNanos)) {
            if (use.last().role() == role) {
                cpu += use.cpuNanos();
                wait += use.waitNanos();
            }
        }
        return new long[] {cpu, wait};
    }

    /**
     * Returns CPU and wait of the threads of a role, between the samples before either end: where threads were sampled
     * seldom, a difference is of more time than the window. It is empty where they were sampled in less than half of
     * it.
     *
     * @param foreign which stretches others sampled; empty where Kiln did
     */
    public Optional<CpuUse> use(ThreadRole role, Window window, Optional<Provenance> foreign) {
        double seconds = seconds(window, foreign);
        if (seconds <= 0) {
            return Optional.empty();
        }
        Window sampled = sampled(window);
        double cpu = 0;
        double wait = 0;
        CpuUse worst = new CpuUse(0, 0);
        for (Use use : between(sampled.fromNanos(), sampled.toNanos())) {
            if (use.last().role() == role) {
                CpuUse one = new CpuUse(use.cpuNanos() / 1e9 / seconds, use.waitNanos() / 1e9 / seconds);
                cpu += one.cpu();
                wait += one.waiting();
                worst = one.waiting() > worst.waiting() ? one : worst;
            }
        }
        return Optional.of(new CpuUse(cpu, wait, worst.waiting(), worst.blocked()));
    }

    public boolean has(ThreadRole role) {
        return byThread.values().stream()
                .anyMatch(samples -> samples.lastEntry().getValue().role() == role);
    }

    private static Use difference(ThreadSample a, ThreadSample b) {
        return new Use(
                b,
                b.cpuNanos() - a.cpuNanos(),
                b.waitNanos() - a.waitNanos(),
                b.voluntarySwitches() - a.voluntarySwitches(),
                b.involuntarySwitches() - a.involuntarySwitches());
    }
}
