package dev.kiln.explain.window;

import dev.kiln.model.run.Sample.CompilerSample;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * WindowStatistics are what the machine was doing in the second half of the warm-up, when a service that will peak has
 * done so (in its last load phase, if a pause lies between), unless said otherwise. Shares are of one CPU: 1.0 is one
 * CPU kept busy, or one thread always waiting.
 *
 * @param c2CpuShare CPU time of all C2 threads per second
 * @param c2WaitShare run-queue wait of all C2 threads per second
 * @param compilers what the JIT had done by the end of the run; this, the memory and the throttling are empty where they were
 *     not recorded up to there
 * @param maxRssBytes highest resident set of the run
 * @param maxPssBytes highest proportional set of the run
 * @param throttledSeconds time the cgroup kept the target from running
 * @param threads busiest groups of threads first
 * @param parts CPU used by each part of the lab
 * @param labBusy busiest CPU among those of load and database that the target does not share: share busy of the time that
 *     the hypervisor left it
 * @param labForeign CPU that programs which are no part of the lab used on those CPUs
 * @param targetForeign CPU that other programs used on the target's CPUs; empty if others share them by design
 * @param generatorShare CPU of the load generator over what its threads can use, in the seconds in which the hypervisor took
 *     nothing from it; of several event loops, the busiest; empty where there were none, and where it was not recorded
 * @param generatorLoops share of a CPU that each event loop of the load generator used in the last load of the window; none for a
 *     generator with one
 * @param labSteal time the hypervisor took from load and database, their worst CPU
 * @param stealShare time the hypervisor took from the target, share of its CPUs
 * @param collections empty where they were not recorded
 * @param jit what only claims ask for
 */
public record WindowStatistics(
        OptionalDouble c2CpuShare,
        OptionalDouble c2WaitShare,
        Optional<CompilerSample> compilers,
        OptionalLong maxRssBytes,
        OptionalLong maxPssBytes,
        OptionalDouble throttledSeconds,
        List<ThreadGroup> threads,
        List<PartUse> parts,
        OptionalDouble labBusy,
        OptionalDouble labForeign,
        OptionalDouble targetForeign,
        OptionalDouble generatorShare,
        List<Double> generatorLoops,
        OptionalDouble labSteal,
        OptionalDouble stealShare,
        Optional<Collections> collections,
        Jit jit) {
    /**
     * A generator can send no more from this ratio of its CPU to what its threads can use. It rests while it waits for
     * the kernel, so a full one stays a little below 1; a guess.
     */
    private static final double GENERATOR_SATURATED = 0.9;

    /** Returns the CPU that the target used in the kernel, where it is known. */
    public OptionalDouble targetSystem() {
        return parts.stream()
                .filter(part -> part.part().equals("target"))
                .map(PartUse::systemShare)
                .findFirst()
                .orElse(OptionalDouble.empty());
    }

    /** Returns the number of compilations by the end of the run. */
    public OptionalLong compilations() {
        return compilers.map(CompilerSample::compilations).map(OptionalLong::of).orElse(OptionalLong.empty());
    }

    /** Returns the wall time spent compiling, by the end of the run. */
    public OptionalDouble compileSeconds() {
        return compilers
                .map(last -> OptionalDouble.of(last.compileNanos() / 1e9))
                .orElse(OptionalDouble.empty());
    }

    /**
     * Returns in words how much of the CPU that it can use the generator used; findings and reasons share this wording.
     */
    public String generatorUse() {
        return generatorLoops.isEmpty()
                ? String.format(Locale.ROOT, "it used %.0f %% of the CPU it can use", 100 * generatorShare.orElse(0))
                : String.format(
                        Locale.ROOT, "its %d event loops used %s %% of a CPU each", generatorLoops.size(), shares());
    }

    private String shares() {
        List<String> all = generatorLoops.stream()
                .map(share -> String.format(Locale.ROOT, "%.0f", 100 * share))
                .toList();
        return String.join(", ", all.subList(0, all.size() - 1)) + " and " + all.getLast();
    }

    /** Tells whether a CPU of load and database had no room for more requests, whoever took it. */
    public boolean labFull() {
        return labBusy.orElse(0) >= Thresholds.LAB_SATURATED;
    }

    /** Tells whether programs that are no part of the lab took a notable share of those CPUs. */
    public boolean labDisturbed() {
        return labForeign.orElse(0) >= Thresholds.FOREIGN;
    }

    /** Tells whether the generator's own CPU time says that it could not have sent more. */
    public boolean generatorSaturated() {
        return generatorShare.orElse(0) >= GENERATOR_SATURATED;
    }

    /**
     * Returns in words how a compiler fared; findings, verdicts and reports share this wording.
     *
     * @param cpu share of one CPU
     * @param waiting share of the time, or threads waiting on average where it is more than one
     */
    public static String words(String compiler, double cpu, double waiting) {
        return waiting > 1
                ? String.format(
                        Locale.ROOT,
                        "%s got %.1f %% of a CPU while %.1f of its threads waited for one",
                        compiler,
                        100 * cpu,
                        waiting)
                : String.format(
                        Locale.ROOT,
                        "%s got %.1f %% of a CPU and waited for one %.1f %% of the time",
                        compiler,
                        100 * cpu,
                        100 * waiting);
    }

    /**
     * A ThreadGroup is the threads of one role and name stem.
     *
     * @param name the threads' common name without its counter
     * @param threads that had CPU time in the window
     * @param cpuShare of one CPU, all together
     * @param waitShare threads waiting for a CPU on average
     * @param voluntaryPerSecond switches per second and thread
     * @param involuntaryPerSecond switches per second and thread; a thread that yields counts here too
     */
    @SuppressWarnings("AvoidCommonTypeNames")
    public record ThreadGroup(
            String name,
            String role,
            int threads,
            double cpuShare,
            double waitShare,
            double voluntaryPerSecond,
            double involuntaryPerSecond) {}

    /**
     * A PartUse is the CPU used by one part of the lab.
     *
     * @param part {@code target}, {@code load}, {@code database}, {@code backend} or {@code kiln}
     * @param cpuShare of one CPU
     * @param waitShare runnable but waiting for a CPU
     * @param totalCpuSeconds over the whole run; empty where the end of it was not recorded
     * @param systemShare of one CPU, in the kernel; empty where it is not known
     */
    public record PartUse(
            String part,
            double cpuShare,
            double waitShare,
            OptionalDouble totalCpuSeconds,
            OptionalDouble systemShare) {}

    /**
     * Collections are the garbage collections in the window.
     *
     * @param share of the time
     * @param perSecond how many
     */
    public record Collections(double share, double perSecond) {}

    /**
     * A Jit is what the JVM's counters and recordings say of compiled code, and of an AOT cache.
     *
     * @param c2Queue methods waiting for C2, median over the window
     * @param level3Percent methods with a full profile among those with counters, median over the window
     * @param aotClasses classes that came from an AOT cache; empty where none was asked for
     * @param aotCoverage share of the samples of hot methods in methods whose profile the cache has
     * @param compilations in the window
     * @param codeGrowth machine code produced in the window, kB per second
     * @param c1Frames execution samples in code of C1, per cent; this and the next two only where it was recorded
     * @param inlinedFrames execution samples in code that C2 inlined, per cent
     * @param longestCompilation seconds, of those that ended in the window
     * @param notEntrant code of C2 that may not be entered any more, by the end of the run
     * @param becameNotEntrant the same of the window alone
     */
    public record Jit(
            OptionalDouble c2Queue,
            OptionalDouble level3Percent,
            OptionalDouble aotClasses,
            OptionalDouble aotCoverage,
            OptionalDouble compilations,
            OptionalDouble codeGrowth,
            OptionalDouble c1Frames,
            OptionalDouble inlinedFrames,
            OptionalDouble longestCompilation,
            OptionalDouble notEntrant,
            OptionalDouble becameNotEntrant) {
        public static final Jit NOTHING = new Jit(
                OptionalDouble.empty(),
                OptionalDouble.empty(),
                OptionalDouble.empty(),
                OptionalDouble.empty(),
                OptionalDouble.empty(),
                OptionalDouble.empty(),
                OptionalDouble.empty(),
                OptionalDouble.empty(),
                OptionalDouble.empty(),
                OptionalDouble.empty(),
                OptionalDouble.empty());
    }
}
