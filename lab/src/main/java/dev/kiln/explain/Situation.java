package dev.kiln.explain;

import dev.kiln.model.CompilerSample;
import dev.kiln.model.Finding.Moment;
import dev.kiln.model.FlightDigest;
import dev.kiln.model.JitSample;
import dev.kiln.model.RunEvidence;
import dev.kiln.model.ThreadRole;
import dev.kiln.model.ThreadSample;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.ToLongFunction;

/**
 * A run's evidence and the stretch of it that is judged: the second half of the warm-up, when a service that will peak
 * has done so.
 *
 * @param zeroNanos the first request: zero of all moments
 * @param jit C2 and C1 second by second
 */
record Situation(
        RunEvidence evidence,
        Observed observed,
        ThreadCounters threads,
        Window window,
        long zeroNanos,
        List<Curves.JitPoint> jit) {

    /** CPU and wait of compiler threads, of one CPU. */
    record Use(double cpu, double waiting) {
        double demand() {
            return cpu + waiting;
        }

        /** Share of what was asked for that was waiting. */
        double waitRatio() {
            return demand() > 0 ? waiting / demand() : 0;
        }

        boolean starved() {
            return Thresholds.starved(cpu, waiting);
        }
    }

    double seconds() {
        return window.seconds();
    }

    boolean tooShort() {
        return seconds() < Thresholds.WINDOW_SECONDS;
    }

    /** Whether the window is all there is: a live process has no warm-up to be halved. */
    boolean whole() {
        return second(window.fromNanos()) <= 0;
    }

    /** Which stretch the window is, in words. */
    String stretch() {
        return whole() ? "in the time watched" : "in the second half of the warm-up";
    }

    Moment moment() {
        return new Moment(second(window.fromNanos()), second(window.toNanos()));
    }

    double second(long nanos) {
        return (nanos - zeroNanos) / 1e9;
    }

    /** What C2 did in the window; empty without C2 threads, and where the window is too short. */
    Optional<Use> c2() {
        return observed.c2CpuShare().isPresent() && observed.c2WaitShare().isPresent() && !tooShort()
                ? Optional.of(new Use(
                        observed.c2CpuShare().getAsDouble(),
                        observed.c2WaitShare().getAsDouble()))
                : Optional.empty();
    }

    /** C2 threads in the window, at least one: they come and go. */
    int c2Threads() {
        long seen = within(evidence.threads(), ThreadSample::timeNanos).stream()
                .filter(t -> t.role() == ThreadRole.C2)
                .mapToInt(ThreadSample::tid)
                .distinct()
                .count();
        return (int) Math.max(1, seen);
    }

    /** A kernel without CONFIG_SCHED_INFO tells no waits: then every one is zero. */
    boolean waitsRecorded() {
        return evidence.threads().stream().anyMatch(t -> t.waitNanos() > 0);
    }

    /** Compiler CPU time over compile time in the window. */
    OptionalDouble efficiency() {
        List<CompilerSample> samples = within(evidence.compiler(), CompilerSample::timeNanos);
        if (samples.size() < 2 || !threads.has(ThreadRole.C2) || tooShort()) {
            return OptionalDouble.empty();
        }
        long from = samples.getFirst().timeNanos();
        long to = samples.getLast().timeNanos();
        double compiled = samples.getLast().compileNanos() - samples.getFirst().compileNanos();
        double cpu = threads.cpuAndWait(ThreadRole.C2, from, to)[0] + threads.cpuAndWait(ThreadRole.C1, from, to)[0];
        // Compile time is added when a compilation ends: under a second of it, one more or less would decide.
        return compiled < 1e9 ? OptionalDouble.empty() : OptionalDouble.of(cpu / compiled);
    }

    /** Median length of C2's queue in the window. */
    OptionalDouble c2Queue() {
        double[] asked = within(evidence.jit(), JitSample::timeNanos).stream()
                .flatMapToInt(sample -> sample.c2Queue().stream())
                .asDoubleStream()
                .toArray();
        double[] flown = evidence.flight().stream()
                .flatMap(flight -> within(flight.queues(), FlightDigest.QueueUse::timeNanos).stream())
                .filter(queue -> queue.compiler().equals("C2"))
                .mapToDouble(FlightDigest.QueueUse::size)
                .toArray();
        return median(asked.length > 0 ? asked : flown);
    }

    /** CPUs the target may use; empty where that is not recorded. */
    OptionalDouble targetCpus() {
        var cpus = evidence.info().cpus();
        int count = cpus.pinned() && !cpus.target().isEmpty()
                ? cpus.target().size()
                : evidence.info().host().cpus();
        return count > 0 ? OptionalDouble.of(count) : OptionalDouble.empty();
    }

    Optional<Observed.PartUse> part(String name) {
        return observed.parts().stream()
                .filter(part -> part.part().equals(name))
                .findFirst();
    }

    /** CPU and wait of all threads of the target. */
    Optional<Use> target() {
        if (tooShort()) {
            return Optional.empty();
        }
        Optional<Use> part = part("target").map(use -> new Use(use.cpuShare(), use.waitShare()));
        if (part.isPresent() || observed.threads().isEmpty()) {
            return part;
        }
        return Optional.of(new Use(
                observed.threads().stream()
                        .mapToDouble(Observed.ThreadGroup::cpuShare)
                        .sum(),
                observed.threads().stream()
                        .mapToDouble(Observed.ThreadGroup::waitShare)
                        .sum()));
    }

    <T> List<T> within(List<T> samples, ToLongFunction<T> time) {
        return samples.stream()
                .filter(s -> time.applyAsLong(s) >= window.fromNanos() && time.applyAsLong(s) <= window.toNanos())
                .toList();
    }

    static OptionalDouble median(double[] values) {
        if (values.length == 0) {
            return OptionalDouble.empty();
        }
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int middle = sorted.length / 2;
        return OptionalDouble.of(sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2);
    }
}
