package dev.kiln.explain.window;

import dev.kiln.model.load.LoadBin;
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
 * A WindowEvidence is a run's evidence and the window of it that is judged: the second half of the warm-up, when a
 * service that will peak has done so.
 *
 * @param zeroNanos the first request: zero of all moments
 * @param others windows of the same run that this one is held against
 */
public record WindowEvidence(
        RunEvidence evidence,
        WindowStatistics observed,
        ThreadTimes threads,
        Window window,
        long zeroNanos,
        OtherWindows others) {
    /** OtherWindows are what a window is held against: the same load before it, and the load after the pause. */
    public record OtherWindows(Optional<WindowEvidence> before, Optional<WindowEvidence> reference) {
        public static final OtherWindows NONE = new OtherWindows(Optional.empty(), Optional.empty());
    }

    /** Returns a window of a run, with the tables that tell of most of it. */
    public static WindowEvidence in(
            RunEvidence evidence, ThreadTimes threads, Window window, long zeroNanos, OtherWindows others) {
        RunEvidence seen = Recorded.in(evidence, window);
        ThreadTimes seenThreads = seen.threads().isEmpty() ? new ThreadTimes(List.of(), true) : threads;
        WindowStatistics observed = new WindowStatisticsBuilder(seen, seenThreads, window).build();
        return new WindowEvidence(seen, observed, seenThreads, window, zeroNanos, others);
    }

    /** Returns any window of evidence, for a live process; moments are seconds since its beginning. */
    public static WindowEvidence of(RunEvidence evidence, long fromNanos, long toNanos) {
        Window window = new Window(fromNanos, toNanos);
        ThreadTimes threads = ThreadTimes.of(evidence);
        WindowStatistics observed = new WindowStatisticsBuilder(evidence, threads, window).build();
        return new WindowEvidence(evidence, observed, threads, window, fromNanos, OtherWindows.NONE);
    }

    /** Returns the same window, held against the load after the pause. */
    public WindowEvidence heldAgainst(WindowEvidence reference) {
        return new WindowEvidence(
                evidence,
                observed,
                threads,
                window,
                zeroNanos,
                new OtherWindows(others.before(), Optional.of(reference)));
    }

    public double seconds() {
        return window.seconds();
    }

    public boolean tooShort() {
        return seconds() < Thresholds.WINDOW_SECONDS;
    }

    /** Tells whether the window is all there is: a live process has no warm-up to be halved. */
    public boolean whole() {
        return second(window.fromNanos()) <= 0;
    }

    /** Returns in words which part of the run the window is. */
    public String stretch() {
        return whole() ? "in the time watched" : "in the second half of the warm-up";
    }

    /** Returns the window at the end of the load: what ended before it holds nothing down there. */
    public Window end() {
        double length = whole() ? seconds() : Math.clamp(seconds() / 2, Thresholds.END_LEAST, Thresholds.END_MOST);
        return new Window(Math.max(window.fromNanos(), window.toNanos() - Math.round(length * 1e9)), window.toNanos());
    }

    /** Returns in words which part of the run that end is. */
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

    /** Returns what C2 did at the end; empty without C2 threads, or with less than half of it sampled. */
    public Optional<CpuUse> c2() {
        return observed.c2WaitShare().isPresent() && !tooShort() ? use(ThreadRole.C2, end()) : Optional.empty();
    }

    /**
     * Returns what C2 got at the end of the load, if it was starved there: findings and verdicts all ask here. A
     * compiler for which nothing waits any more holds nothing down, however long it waits for a CPU.
     */
    public Optional<CpuUse> starvedC2() {
        return c2().isEmpty()
                ? Optional.empty()
                : starvedC2(end()).filter(use -> c2Queue().orElse(1) > 0);
    }

    /** Returns what C2 got in any window, if it was starved there, whatever waited for it. */
    public Optional<CpuUse> starvedC2(Window of) {
        return threads.starvedC2(of, evidence.info().provenance());
    }

    public Optional<CpuUse> use(ThreadRole role, Window of) {
        return threads.use(role, of, evidence.info().provenance());
    }

    /** Counts the C2 threads in the window, as they come and go; it is at least one. */
    public int c2Threads() {
        long seen = within(evidence.threads(), ThreadSample::timeNanos).stream()
                .filter(t -> t.role() == ThreadRole.C2)
                .mapToInt(ThreadSample::tid)
                .distinct()
                .count();
        return (int) Math.max(1, seen);
    }

    /** Tells whether waits were recorded: without CONFIG_SCHED_INFO a kernel has zeros for all of them. */
    public boolean waitsRecorded() {
        return evidence.threads().stream().anyMatch(t -> t.waitNanos() > 0);
    }

    /** Returns compiler CPU over compile time at the end; empty where too little was compiled or seen. */
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

    /** Returns the efficiency where no waits were recorded, and it is that of a starved C2 for which methods wait. */
    public OptionalDouble starvedEfficiency() {
        OptionalDouble share = efficiency();
        boolean starved = share.orElse(1) <= Thresholds.EFFICIENCY_STARVED;
        return starved && !waitsRecorded() && c2Queue().orElse(1) > 0 ? share : OptionalDouble.empty();
    }

    /** Returns the median of C2's queue at the end; where no answer came then, the last before stands in. */
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

    /** Returns the number of CPUs that the target may use; empty where that is not recorded. */
    public OptionalDouble targetCpus() {
        var cpus = evidence.info().cpus();
        int count = cpus.pinned() && !cpus.target().isEmpty()
                ? cpus.target().size()
                : evidence.info().host().cpus();
        return count > 0 ? OptionalDouble.of(count) : OptionalDouble.empty();
    }

    /** Tells whether the CPUs of load and database had no room left, and not because other programs used it. */
    public boolean labSaturated() {
        return observed.lab().full() && !observed.lab().disturbed();
    }

    /** Returns the CPU of a part of the lab, as a share of one CPU; 0 where it was not recorded. */
    public double cpuOf(String part) {
        return part(part).map(WindowStatistics.PartUse::cpuShare).orElse(0.0);
    }

    public Optional<WindowStatistics.PartUse> part(String name) {
        return observed.parts().stream()
                .filter(part -> part.part().equals(name))
                .findFirst();
    }

    /** Returns the database or backend that the target calls here, whichever used more; empty without. */
    public Optional<WindowStatistics.PartUse> behind() {
        return Stream.of("database", "backend")
                .flatMap(name -> part(name).stream())
                .max(Comparator.comparingDouble(WindowStatistics.PartUse::cpuShare));
    }

    /** Returns CPU and wait of all threads of the target. */
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
     * A CpuLimit is what a CPU limit of the cgroup did in the window.
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

    /** Returns what a CPU limit did; empty where the cgroup was not sampled twice. */
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

    /** Returns the compilations that ended between the first and the last of at least two samples, per second. */
    public static double compilationsPerSecond(List<CompilerSample> samples) {
        CompilerSample first = samples.getFirst();
        CompilerSample last = samples.getLast();
        return (last.compilations() - first.compilations()) / ((last.timeNanos() - first.timeNanos()) / 1e9);
    }

    /** Returns the requests that were answered in the window, per second. */
    public double servedPerSecond() {
        return within(evidence.load(), LoadBin::startNanos).stream()
                        .mapToLong(LoadBin::completed)
                        .sum()
                / seconds();
    }

    public <T> List<T> within(List<T> samples, ToLongFunction<T> time) {
        return window.of(samples, time);
    }
}
