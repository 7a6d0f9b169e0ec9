package dev.kiln.explain.window;

import dev.kiln.model.run.Course.PhaseTime;
import dev.kiln.model.run.Machine.LoadHost;
import dev.kiln.model.run.Provenance;
import dev.kiln.model.run.RunEvidence;
import dev.kiln.model.run.Sample.BlockedSample;
import dev.kiln.model.run.Sample.CgroupSample;
import dev.kiln.model.run.Sample.CompilerSample;
import dev.kiln.model.run.Sample.CpuSample;
import dev.kiln.model.run.Sample.MemorySample;
import dev.kiln.model.run.Sample.PartSample;
import dev.kiln.model.run.Sample.ThreadRole;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.IntPredicate;
import java.util.function.ToDoubleBiFunction;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;

/** A WindowStatisticsBuilder digests samples into what the machine was doing in a window of the run. */
public final class WindowStatisticsBuilder {
    private final RunEvidence evidence;
    private final ThreadTimes threads;
    private final Window window;

    public WindowStatisticsBuilder(RunEvidence evidence, ThreadTimes threads, Window window) {
        this.evidence = evidence;
        this.threads = threads;
        this.window = window;
    }

    public WindowStatistics build() {
        double seen = seenSeconds();
        boolean c2 = threads.has(ThreadRole.C2) && seen > 0;
        boolean wait =
                evidence.info().provenance().map(Provenance::waitRecorded).orElse(true);
        long[] c2Use = threads.cpuAndWait(ThreadRole.C2, window.fromNanos(), window.toNanos());
        Window run = new Window(0, Recorded.end(evidence));
        Optional<CompilerSample> compiler = evidence.compiler().stream()
                .reduce((earlier, later) -> later)
                .filter(last -> Recorded.of(evidence.compiler()).until(run.toNanos()));
        List<MemorySample> memory = Recorded.of(evidence.memory()).until(run.toNanos()) ? evidence.memory() : List.of();
        List<WindowStatistics.PartUse> parts = parts();
        return new WindowStatistics(
                new WindowStatistics.C2Shares(
                        c2 ? OptionalDouble.of(c2Use[0] / 1e9 / seen) : OptionalDouble.empty(),
                        c2 && wait ? OptionalDouble.of(c2Use[1] / 1e9 / seen) : OptionalDouble.empty()),
                new WindowStatistics.RunTotals(
                        compiler,
                        highest(memory, MemorySample::rssBytes),
                        highest(memory, MemorySample::pssBytes),
                        throttledSeconds(run)),
                threadGroups(),
                parts,
                labUse(parts),
                new CollectionWindow(evidence, window).statistics(),
                new JitWindow(evidence, window).statistics());
    }

    private static OptionalLong highest(List<MemorySample> memory, ToLongFunction<MemorySample> bytes) {
        return memory.stream().mapToLong(bytes).filter(each -> each > 0).max();
    }

    private WindowStatistics.LabUse labUse(List<WindowStatistics.PartUse> parts) {
        return new WindowStatistics.LabUse(
                cpuShares(labCpus()::contains, WindowStatisticsBuilder::busyOfWhatWasLeft)
                        .max(),
                foreign(labCpus(), parts, Set.of("load", "database", "backend", "kiln")),
                cpuShares(labCpus()::contains, share(CpuSample::stealNanos)).max(),
                targetForeign(parts),
                cpuShares(targetCpus(evidence)::contains, share(CpuSample::stealNanos))
                        .average(),
                new WindowStatistics.GeneratorUse(generatorShare(), generatorLoops()));
    }

    /** Returns the CPUs that the target may use: all, where processes were not pinned. */
    public static Set<Integer> targetCpus(RunEvidence evidence) {
        var cpus = evidence.info().cpus();
        return cpus.pinned() && !cpus.target().isEmpty()
                ? Set.copyOf(cpus.target())
                : evidence.cpus().stream().map(CpuSample::cpu).collect(Collectors.toSet());
    }

    /** Returns a counter of one CPU by time. */
    public static NavigableMap<Long, Long> counter(RunEvidence evidence, int cpu, ToLongFunction<CpuSample> nanos) {
        NavigableMap<Long, Long> counter = new TreeMap<>();
        evidence.cpus().stream()
                .filter(sample -> sample.cpu() == cpu)
                .forEach(sample -> counter.put(sample.timeNanos(), nanos.applyAsLong(sample)));
        return counter;
    }

    /** Returns the event loops' shares in the window's last load phase; none where they are not known. */
    private List<Double> generatorLoops() {
        return evidence.info().phases().stream()
                .filter(phase -> phase.load()
                        && phase.startNanos() < window.toNanos()
                        && phase.endNanos().orElse(Long.MAX_VALUE) > window.fromNanos())
                .reduce((earlier, later) -> later)
                .flatMap(PhaseTime::loops)
                .orElse(List.of());
    }

    /** Returns the generator's CPU over what it can use, at its busiest; elsewhere it may have less than a CPU for a loop. */
    private OptionalDouble generatorShare() {
        List<Double> loops = generatorLoops();
        Optional<LoadHost> from = evidence.info().loadFrom();
        OptionalDouble busiest = loops.stream().mapToDouble(share -> share).max();
        if (from.isPresent()) {
            double can = loops.isEmpty()
                    ? Math.min(1, from.get().cpus())
                    : from.get().cpus();
            return DoubleStream.concat(
                            busiest.stream(), generatorCpus().stream().map(used -> used / can))
                    .max();
        }
        if (busiest.isPresent()) {
            return busiest;
        }
        var cpus = evidence.info().cpus();
        double can = evidence.info().provenance().isEmpty() || cpus.load().isEmpty()
                ? 1
                : cpus.load().size();
        OptionalDouble used = generatorCpus();
        return used.isPresent() ? OptionalDouble.of(used.getAsDouble() / can) : used;
    }

    /** Returns how many CPUs the generator used on average, where the hypervisor took nothing from it. */
    private OptionalDouble generatorCpus() {
        var cpus = evidence.info().cpus();
        List<NavigableMap<Long, Long>> steal = cpus.pinned()
                ? cpus.load().stream()
                        .map(cpu -> counter(evidence, cpu, CpuSample::stealNanos))
                        .toList()
                : List.of();
        List<PartSample> samples = window.of(
                evidence.parts().stream()
                        .filter(sample -> sample.part().equals("load"))
                        .toList(),
                PartSample::timeNanos);
        double used = 0;
        double time = 0;
        for (int i = 1; i < samples.size(); i++) {
            PartSample a = samples.get(i - 1);
            PartSample b = samples.get(i);
            Window step = new Window(a.timeNanos(), b.timeNanos());
            if (steal.stream().noneMatch(cpu -> step.growth(cpu) >= Thresholds.STEAL)) {
                used += b.cpuNanos() - a.cpuNanos();
                time += b.timeNanos() - a.timeNanos();
            }
        }
        return time > 0 ? OptionalDouble.of(used / time) : OptionalDouble.empty();
    }

    private double seenSeconds() {
        return threads.seconds(window, evidence.info().provenance());
    }

    /** Returns the throttled time to the run's end; empty unless rows cover it from the first load on. */
    private OptionalDouble throttledSeconds(Window run) {
        List<CgroupSample> samples = evidence.cgroup();
        long load = evidence.info().phases().stream()
                .filter(PhaseTime::load)
                .mapToLong(PhaseTime::startNanos)
                .findFirst()
                .orElse(run.toNanos());
        return !Recorded.of(samples).allOf(new Window(load, run.toNanos()))
                ? OptionalDouble.empty()
                : OptionalDouble.of(
                        (samples.getLast().throttledNanos() - samples.getFirst().throttledNanos()) / 1e9);
    }

    private List<WindowStatistics.ThreadGroup> threadGroups() {
        Map<String, List<ThreadTimes.Use>> groups = new TreeMap<>();
        for (ThreadTimes.Use use : threads.between(window.fromNanos(), window.toNanos())) {
            if (use.cpuNanos() > 0) {
                String stem = BlockedSample.poolOf(use.last().name());
                groups.computeIfAbsent(stem, name -> new ArrayList<>()).add(use);
            }
        }
        List<WindowStatistics.ThreadGroup> result = new ArrayList<>();
        if (seenSeconds() == 0) {
            return result;
        }
        groups.forEach((name, uses) -> {
            ThreadTimes.Use sum = uses.stream().reduce(ThreadTimes.Use::plus).orElseThrow();
            double seconds = seenSeconds();
            result.add(new WindowStatistics.ThreadGroup(
                    name,
                    sum.last().role().name(),
                    uses.size(),
                    sum.cpuNanos() / 1e9 / seconds,
                    sum.waitNanos() / 1e9 / seconds,
                    sum.voluntary() / seconds / uses.size(),
                    sum.involuntary() / seconds / uses.size()));
        });
        result.sort(Comparator.comparingDouble(WindowStatistics.ThreadGroup::cpuShare)
                .reversed());
        return result;
    }

    private List<WindowStatistics.PartUse> parts() {
        List<WindowStatistics.PartUse> result = new ArrayList<>();
        for (String part : List.of("target", "load", "database", "backend", "kiln", "agent")) {
            List<PartSample> all = evidence.parts().stream()
                    .filter(sample -> sample.part().equals(part))
                    .toList();
            List<PartSample> within = window.of(all, PartSample::timeNanos);
            if (within.size() < 2) {
                continue;
            }
            PartSample first = within.getFirst();
            PartSample last = within.getLast();
            double nanos = last.timeNanos() - first.timeNanos();
            result.add(new WindowStatistics.PartUse(
                    part,
                    (last.cpuNanos() - first.cpuNanos()) / nanos,
                    (last.waitNanos() - first.waitNanos()) / nanos,
                    total(part, all),
                    systemShare(within)));
        }
        return result;
    }

    /** Returns a part's CPU seconds since launch or attaching; empty where rows end before the run. */
    private OptionalDouble total(String part, List<PartSample> all) {
        return Recorded.of(all).until(Recorded.end(evidence))
                ? OptionalDouble.of((all.getLast().cpuNanos()
                                - (part.equals("target")
                                                && evidence.info().attached().isEmpty()
                                        ? 0
                                        : all.getFirst().cpuNanos()))
                        / 1e9)
                : OptionalDouble.empty();
    }

    private static OptionalDouble systemShare(List<PartSample> rows) {
        List<PartSample> known =
                rows.stream().filter(row -> row.modes().isPresent()).toList();
        return known.size() < 2
                ? OptionalDouble.empty()
                : OptionalDouble.of((double) (system(known.getLast()) - system(known.getFirst()))
                        / (known.getLast().timeNanos() - known.getFirst().timeNanos()));
    }

    private static long system(PartSample row) {
        return row.modes().orElseThrow().systemNanos();
    }

    /** Returns the CPUs of load and database that the target does not share: those say nothing of it. */
    private Set<Integer> labCpus() {
        var cpus = evidence.info().cpus();
        Set<Integer> lab = new TreeSet<>(cpus.load());
        lab.addAll(cpus.database());
        cpus.target().forEach(lab::remove);
        return cpus.pinned() ? lab : Set.of();
    }

    /** Returns the busy time of some CPUs beyond what the parts that run there account for, as a share of one CPU. */
    private OptionalDouble foreign(Set<Integer> cpus, List<WindowStatistics.PartUse> parts, Set<String> running) {
        double[] busy =
                cpuShares(cpus::contains, share(CpuSample::programNanos)).toArray();
        if (busy.length == 0 || parts.stream().noneMatch(part -> running.contains(part.part()))) {
            return OptionalDouble.empty();
        }
        double known = parts.stream()
                .filter(part -> running.contains(part.part()))
                .mapToDouble(WindowStatistics.PartUse::cpuShare)
                .sum();
        return OptionalDouble.of(Math.max(0, Arrays.stream(busy).sum() - known));
    }

    private OptionalDouble targetForeign(List<WindowStatistics.PartUse> parts) {
        var cpus = evidence.info().cpus();
        boolean alone = cpus.pinned()
                && cpus.target().stream()
                        .noneMatch(cpu ->
                                cpus.load().contains(cpu) || cpus.database().contains(cpu));
        return alone ? foreign(new TreeSet<>(cpus.target()), parts, Set.of("target")) : OptionalDouble.empty();
    }

    private DoubleStream cpuShares(IntPredicate which, ToDoubleBiFunction<CpuSample, CpuSample> share) {
        return evidence.cpus().stream()
                .mapToInt(CpuSample::cpu)
                .filter(which)
                .distinct()
                .mapToObj(cpu -> window.of(
                        evidence.cpus().stream().filter(s -> s.cpu() == cpu).toList(), CpuSample::timeNanos))
                .filter(samples -> samples.size() >= 2)
                .mapToDouble(samples -> share.applyAsDouble(samples.getFirst(), samples.getLast()));
    }

    private static ToDoubleBiFunction<CpuSample, CpuSample> share(ToLongFunction<CpuSample> nanos) {
        return (a, b) -> (nanos.applyAsLong(b) - nanos.applyAsLong(a)) / (double) (b.timeNanos() - a.timeNanos());
    }

    /** Returns how busy a CPU was in the time that a hypervisor left it: a CPU that is busy for all of that is full. */
    private static double busyOfWhatWasLeft(CpuSample a, CpuSample b) {
        long left = b.timeNanos() - a.timeNanos() - (b.stealNanos() - a.stealNanos());
        return left > 0 ? Math.min(1, (b.busyNanos() - a.busyNanos()) / (double) left) : 0;
    }
}
