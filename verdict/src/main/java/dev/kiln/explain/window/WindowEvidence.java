package dev.kiln.explain.window;

import dev.kiln.model.run.Finding.Moment;
import dev.kiln.model.run.RunEvidence;
import dev.kiln.model.run.Sample.CgroupSample;
import dev.kiln.model.run.Sample.CompilerSample;
import dev.kiln.model.run.Sample.ThreadRole;
import dev.kiln.model.run.Sample.ThreadSample;
import dev.kiln.stats.Descriptive;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/**
 * A run's evidence and the stretch of it that is judged: the second half of the warm-up, when a service that will peak
 * has done so.
 *
 * @param zeroNanos the first request: zero of all moments
 */
public record WindowEvidence(
        RunEvidence evidence, WindowStatistics observed, ThreadTimes threads, Window window, long zeroNanos) {
    /** Any stretch of evidence; moments are seconds since its beginning. */
    public static WindowEvidence of(RunEvidence evidence, long fromNanos, long toNanos) {
        Window window = new Window(fromNanos, toNanos);
        ThreadTimes threads = new ThreadTimes(evidence.threads());
        WindowStatistics observed = new WindowStatisticsBuilder(evidence, threads, window).build();
        return new WindowEvidence(evidence, observed, threads, window, fromNanos);
    }

    public double seconds() {
        return window.seconds();
    }

    public boolean tooShort() {
        return seconds() < Thresholds.WINDOW_SECONDS;
    }

    /** Whether the window is all there is: a live process has no warm-up to be halved. */
    public boolean whole() {
        return second(window.fromNanos()) <= 0;
    }

    /** Which stretch the window is, in words. */
    public String stretch() {
        return whole() ? "in the time watched" : "in the second half of the warm-up";
    }

    /** The stretch at the end of the load: what ended before it holds nothing down there. */
    public Window end() {
        double length = whole() ? seconds() : Math.clamp(seconds() / 2, Thresholds.END_LEAST, Thresholds.END_MOST);
        return new Window(Math.max(window.fromNanos(), window.toNanos() - Math.round(length * 1e9)), window.toNanos());
    }

    /** The same in words. */
    public String ending() {
        return whole() ? stretch() : String.format(Locale.ROOT, "in the last %.0f s of the load", end().seconds());
    }

    public Moment moment() {
        return moment(window);
    }

    public Moment moment(Window of) {
        return new Moment(second(of.fromNanos()), second(of.toNanos()));
    }

    public double second(long nanos) {
        return (nanos - zeroNanos) / 1e9;
    }

    /** What C2 did at the end; empty without C2 threads, and where they were seen for less than half of it. */
    public Optional<CpuUse> c2() {
        return observed.c2WaitShare().isPresent() && !tooShort() ? use(ThreadRole.C2, end()) : Optional.empty();
    }

    /**
     * What C2 got at the end of the load, if it was starved there: findings and verdicts all ask here. A compiler for which
     * nothing waits any more holds nothing down, however long it waits for a CPU.
     */
    public Optional<CpuUse> starvedC2() {
        return c2().isEmpty()
                ? Optional.empty()
                : starvedC2(end()).filter(use -> c2Queue().orElse(1) > 0);
    }

    /** What C2 got in any stretch, if it was starved there, whatever waited for it. */
    public Optional<CpuUse> starvedC2(Window of) {
        return threads.starvedC2(of, evidence.info().provenance());
    }

    public Optional<CpuUse> use(ThreadRole role, Window of) {
        return threads.use(role, of, evidence.info().provenance());
    }

    /** C2 threads in the window, at least one: they come and go. */
    public int c2Threads() {
        long seen = within(evidence.threads(), ThreadSample::timeNanos).stream()
                .filter(t -> t.role() == ThreadRole.C2)
                .mapToInt(ThreadSample::tid)
                .distinct()
                .count();
        return (int) Math.max(1, seen);
    }

    /** A kernel without CONFIG_SCHED_INFO does not record waits: then all of them are zero. */
    public boolean waitsRecorded() {
        return evidence.threads().stream().anyMatch(t -> t.waitNanos() > 0);
    }

    /** Compiler CPU time over compile time at the end. */
    public OptionalDouble efficiency() {
        List<CompilerSample> samples = end().of(evidence.compiler(), CompilerSample::timeNanos);
        if (samples.size() < 2 || !threads.has(ThreadRole.C2) || tooShort()) {
            return OptionalDouble.empty();
        }
        long from = samples.getFirst().timeNanos();
        long to = samples.getLast().timeNanos();
        if (!threads.seen(new Window(from, to), evidence.info().provenance())) {
            return OptionalDouble.empty();
        }
        double compiled = samples.getLast().compileNanos() - samples.getFirst().compileNanos();
        double cpu = threads.cpuAndWait(ThreadRole.C2, from, to)[0] + threads.cpuAndWait(ThreadRole.C1, from, to)[0];
        // Compile time is added when a compilation ends: under a second of it, one more or less would decide.
        return compiled < 1e9 ? OptionalDouble.empty() : OptionalDouble.of(cpu / compiled);
    }

    /** Median length of C2's queue at the end; a starved JVM answers seldom, so the answer before it does where none fell there. */
    public OptionalDouble c2Queue() {
        OptionalDouble asked = queue(evidence.jit().stream()
                .filter(sample -> sample.c2Queue().isPresent())
                .map(sample -> new Length(sample.timeNanos(), sample.c2Queue().getAsInt()))
                .toList());
        return asked.isPresent()
                ? asked
                : queue(evidence.flight().stream()
                        .flatMap(flight -> flight.queues().stream())
                        .filter(queue -> queue.compiler().equals("C2"))
                        .map(queue -> new Length(queue.timeNanos(), queue.size()))
                        .toList());
    }

    private record Length(long nanos, double value) {}

    private OptionalDouble queue(List<Length> told) {
        List<Length> there = end().of(told, Length::nanos);
        double oldest = window.toNanos() - Thresholds.QUEUE_AGE_SECONDS * 1e9;
        List<Length> lately = within(told, Length::nanos).stream()
                .filter(length -> length.nanos() >= oldest)
                .toList();
        return Descriptive.median((there.isEmpty()
                        ? lately.stream().skip(Math.max(0, lately.size() - 1))
                        : there.stream())
                .mapToDouble(Length::value));
    }

    /** CPUs the target may use; empty where that is not recorded. */
    public OptionalDouble targetCpus() {
        var cpus = evidence.info().cpus();
        int count = cpus.pinned() && !cpus.target().isEmpty()
                ? cpus.target().size()
                : evidence.info().host().cpus();
        return count > 0 ? OptionalDouble.of(count) : OptionalDouble.empty();
    }

    /** Whether the CPUs of load and database had no room left, and not because other programs took it. */
    public boolean labSaturated() {
        return observed.labBusy().orElse(0) >= Thresholds.LAB_SATURATED
                && observed.labForeign().orElse(0) < Thresholds.FOREIGN;
    }

    /** CPU of a part of the lab, of one CPU. */
    public double cpuOf(String part) {
        return part(part).map(WindowStatistics.PartUse::cpuShare).orElse(0.0);
    }

    public Optional<WindowStatistics.PartUse> part(String name) {
        return observed.parts().stream()
                .filter(part -> part.part().equals(name))
                .findFirst();
    }

    /** What the target calls on this machine: its database or its backend, whichever used more. */
    public Optional<WindowStatistics.PartUse> behind() {
        return Stream.of("database", "backend")
                .flatMap(name -> part(name).stream())
                .max(Comparator.comparingDouble(WindowStatistics.PartUse::cpuShare));
    }

    /** CPU and wait of all threads of the target. */
    public Optional<CpuUse> target() {
        if (tooShort()) {
            return Optional.empty();
        }
        Optional<CpuUse> part = part("target").map(use -> new CpuUse(use.cpuShare(), use.waitShare()));
        if (part.isPresent() || observed.threads().isEmpty()) {
            return part;
        }
        return Optional.of(new CpuUse(
                observed.threads().stream()
                        .mapToDouble(WindowStatistics.ThreadGroup::cpuShare)
                        .sum(),
                observed.threads().stream()
                        .mapToDouble(WindowStatistics.ThreadGroup::waitShare)
                        .sum()));
    }

    /**
     * What a CPU limit of the cgroup did in the window.
     *
     * @param periods of the scheduler; 0 where no limit was in force
     * @param cut periods that the limit cut short
     * @param waitedSeconds of threads that the limit stopped
     * @param seconds between the samples
     */
    public record CpuLimit(long periods, long cut, double waitedSeconds, double seconds) {
        public double share() {
            return periods > 0 ? (double) cut / periods : 0;
        }
    }

    /** Empty where the cgroup was not sampled twice. */
    public Optional<CpuLimit> cpuLimit() {
        List<CgroupSample> samples = within(evidence.cgroup(), CgroupSample::timeNanos);
        if (samples.size() < 2) {
            return Optional.empty();
        }
        CgroupSample first = samples.getFirst();
        CgroupSample last = samples.getLast();
        return Optional.of(new CpuLimit(
                last.periods() - first.periods(),
                last.throttledPeriods() - first.throttledPeriods(),
                (last.throttledNanos() - first.throttledNanos()) / 1e9,
                (last.timeNanos() - first.timeNanos()) / 1e9));
    }

    /** Compilations that ended between the first and the last of at least two samples, per second. */
    public static double compilationsPerSecond(List<CompilerSample> samples) {
        CompilerSample first = samples.getFirst();
        CompilerSample last = samples.getLast();
        return (last.compilations() - first.compilations()) / ((last.timeNanos() - first.timeNanos()) / 1e9);
    }

    public <T> List<T> within(List<T> samples, ToLongFunction<T> time) {
        return window.of(samples, time);
    }
}
