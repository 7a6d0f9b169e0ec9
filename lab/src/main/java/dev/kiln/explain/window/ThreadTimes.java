package dev.kiln.explain.window;

import dev.kiln.model.run.Provenance;
import dev.kiln.model.run.Sample.ThreadRole;
import dev.kiln.model.run.Sample.ThreadSample;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Counters of all threads of a run, each thread apart: threads come and go, so sums are only ever taken of differences.
 */
public final class ThreadTimes {
    /** What a thread used between two moments. */
    public record Use(ThreadSample last, long cpuNanos, long waitNanos, long voluntary, long involuntary) {
        public Use plus(Use o) {
            return new Use(
                    o.last,
                    cpuNanos + o.cpuNanos,
                    waitNanos + o.waitNanos,
                    voluntary + o.voluntary,
                    involuntary + o.involuntary);
        }
    }

    /** A thread whose first sample is later than this after the recording began was born while we looked. */
    private static final long BORN_AFTER_NANOS = 1_500_000_000L;

    private final Map<Integer, NavigableMap<Long, ThreadSample>> byThread = new HashMap<>();
    private final NavigableSet<Long> times = new TreeSet<>();
    private final long firstNanos;

    public ThreadTimes(List<ThreadSample> samples) {
        for (ThreadSample sample : samples) {
            times.add(sample.timeNanos());
            byThread.computeIfAbsent(sample.tid(), tid -> new TreeMap<>()).put(sample.timeNanos(), sample);
        }
        firstNanos = samples.stream().mapToLong(ThreadSample::timeNanos).min().orElse(0);
    }

    public boolean isEmpty() {
        return byThread.isEmpty();
    }

    /** The use of every thread seen by the end of the window, in the window (ns since launch). */
    public List<Use> between(long fromNanos, long toNanos) {
        List<Use> uses = new ArrayList<>();
        for (NavigableMap<Long, ThreadSample> samples : byThread.values()) {
            Map.Entry<Long, ThreadSample> end = samples.floorEntry(toNanos);
            if (end == null) {
                continue;
            }
            Map.Entry<Long, ThreadSample> start = samples.floorEntry(fromNanos);
            ThreadSample first = samples.firstEntry().getValue();
            // Who looked from the launch on has seen every thread's birth.
            boolean born = firstNanos < BORN_AFTER_NANOS || first.timeNanos() > firstNanos + BORN_AFTER_NANOS;
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

    /** CPU and wait of all threads of a role in the window, or empty counters if there were none. */
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
     * CPU and wait of the threads of a role, between the samples before either end: where threads were sampled seldom, a
     * difference is of more time than the window.
     *
     * @param foreign which stretches others sampled; empty where Kiln did
     */
    public CpuUse use(ThreadRole role, Window window, Optional<Provenance> foreign) {
        Window sampled = sampled(window);
        double seconds = foreign.map(seen -> seen.seenNanos(sampled.fromNanos(), sampled.toNanos()) / 1e9)
                .orElse(sampled.seconds());
        if (seconds <= 0) {
            return new CpuUse(0, 0);
        }
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
        return new CpuUse(cpu, wait, worst.waiting(), worst.blocked());
    }

    /** The stretch that differences of counters are of: it lies between the samples before either end. */
    Window sampled(Window window) {
        Long first = times.floor(window.fromNanos());
        Long last = times.floor(window.toNanos());
        return new Window(first == null ? window.fromNanos() : first, last == null ? window.toNanos() : last);
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
