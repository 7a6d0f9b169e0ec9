package dev.kiln.explain.window;

import dev.kiln.model.run.CollectionCause;
import dev.kiln.model.run.Sample.CompilerSample;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;

/**
 * WindowStatistics are what the machine was doing in the second half of the warm-up, when a service that will peak has
 * done so (in its last load phase, if a pause lies between), unless said otherwise. Shares are of one CPU: 1.0 is one
 * CPU kept busy, or one thread always waiting.
 *
 * @param threads busiest groups of threads first
 * @param parts CPU used by each part of the lab
 * @param collections empty where they were not recorded
 * @param jit what only claims ask for
 */
public record WindowStatistics(
        C2Shares c2,
        RunTotals totals,
        List<ThreadGroup> threads,
        List<PartUse> parts,
        LabUse lab,
        Optional<Collections> collections,
        Jit jit) {
    /** Returns the CPU that the target used in the kernel, where it is known. */
    public OptionalDouble targetSystem() {
        return parts.stream()
                .filter(part -> part.part().equals("target"))
                .map(PartUse::systemShare)
                .findFirst()
                .orElse(OptionalDouble.empty());
    }

    public OptionalDouble c2CpuShare() {
        return c2.cpu;
    }

    public OptionalDouble c2WaitShare() {
        return c2.waiting;
    }

    public OptionalLong maxRssBytes() {
        return totals.maxRssBytes;
    }

    /** Returns the number of compilations by the end of the run. */
    public OptionalLong compilations() {
        return totals.compilers
                .map(CompilerSample::compilations)
                .map(OptionalLong::of)
                .orElse(OptionalLong.empty());
    }

    /** Returns the wall time spent compiling, by the end of the run. */
    public OptionalDouble compileSeconds() {
        return totals.compilers
                .map(last -> OptionalDouble.of(last.compileNanos() / 1e9))
                .orElse(OptionalDouble.empty());
    }

    public OptionalDouble labBusy() {
        return lab.busy;
    }

    /** Returns the time that the hypervisor took from the target, as a share of its CPUs. */
    public OptionalDouble stealShare() {
        return lab.targetSteal;
    }

    /** Returns how a compiler fared, in shares of a CPU and of time, or threads waiting where more than one. */
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

    /** C2Shares are what all C2 threads had per second, CPU and run-queue wait; empty where not known. */
    public record C2Shares(OptionalDouble cpu, OptionalDouble waiting) {}

    /** RunTotals are the run's counters and maxima; each is empty where it was not recorded up to its end. */
    public record RunTotals(
            Optional<CompilerSample> compilers,
            OptionalLong maxRssBytes,
            OptionalLong maxPssBytes,
            OptionalDouble throttledSeconds) {}

    /**
     * A LabUse is how the CPUs of the lab were used, and who else took of them.
     *
     * @param busy busiest CPU among those of load and database that the target does not share: share busy of the time
     *     that the hypervisor left it
     * @param foreign CPU that programs which are no part of the lab used on those CPUs
     * @param steal time the hypervisor took from load and database, their worst CPU
     * @param targetForeign CPU that other programs used on the target's CPUs; empty if others share them by design
     * @param targetSteal time the hypervisor took from the target, share of its CPUs
     */
    public record LabUse(
            OptionalDouble busy,
            OptionalDouble foreign,
            OptionalDouble steal,
            OptionalDouble targetForeign,
            OptionalDouble targetSteal,
            GeneratorUse generator) {
        /** Tells whether a CPU of load and database had no room for more requests, whoever took it. */
        public boolean full() {
            return busy.orElse(0) >= Thresholds.LAB_SATURATED;
        }

        /** Tells whether programs that are no part of the lab took a notable share of those CPUs. */
        public boolean disturbed() {
            return foreign.orElse(0) >= Thresholds.FOREIGN;
        }

        /** Tells whether other programs took a notable share of the target's CPUs. */
        public boolean targetDisturbed() {
            return targetForeign.orElse(0) >= Thresholds.FOREIGN;
        }
    }

    /**
     * A GeneratorUse is how much of the CPU that it can use the load generator used.
     *
     * @param share CPU of the load generator over what its threads can use, in the seconds in which the hypervisor took
     *     nothing from it; of several event loops, the busiest; empty where there were none, and where it was not
     *     recorded
     * @param loops share of a CPU that each event loop used in the last load of the window; none for a generator with
     *     one
     */
    public record GeneratorUse(OptionalDouble share, List<Double> loops) {
        public static final GeneratorUse UNKNOWN = new GeneratorUse(OptionalDouble.empty(), List.of());

        /** A generator can send no more from this ratio of usable CPU on; it also waits for the kernel; a guess. */
        private static final double GENERATOR_SATURATED = 0.9;

        public GeneratorUse {
            loops = List.copyOf(loops);
        }

        /** Tells whether the generator's own CPU time says that it could not have sent more. */
        public boolean saturated() {
            return share.orElse(0) >= GENERATOR_SATURATED;
        }

        /** Returns in words how much it used; findings and reasons share this wording. */
        public String words() {
            return loops.isEmpty()
                    ? String.format(Locale.ROOT, "it used %.0f %% of the CPU it can use", 100 * share.orElse(0))
                    : String.format(Locale.ROOT, "its %d event loops used %s %% of a CPU each", loops.size(), shares());
        }

        private String shares() {
            List<String> all = loops.stream()
                    .map(one -> String.format(Locale.ROOT, "%.0f", 100 * one))
                    .toList();
            return String.join(", ", all.subList(0, all.size() - 1)) + " and " + all.getLast();
        }
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
     * @param full those of the whole heap; empty where they are not counted apart
     * @param purposes what they were for, what took most first; none where the JVM's causes were not recorded
     */
    public record Collections(double share, double perSecond, Optional<FullOnes> full, List<Purpose> purposes) {
        public Collections {
            purposes = List.copyOf(purposes);
        }

        /** Returns what was collected for one cause; nothing where none was, or where causes are not known. */
        public Purpose of(CollectionCause cause) {
            return purposes.stream()
                    .filter(purpose -> purpose.cause() == cause)
                    .findFirst()
                    .orElse(new Purpose(cause, 0, 0, Optional.empty()));
        }

        /** Returns the others, without those of some causes; how many were full, only where it is known of each cause left. */
        public Collections without(Set<CollectionCause> causes) {
            List<Purpose> left = purposes.stream()
                    .filter(purpose -> !causes.contains(purpose.cause()))
                    .toList();
            List<Purpose> gone = purposes.stream()
                    .filter(purpose -> causes.contains(purpose.cause()))
                    .toList();
            double share = gone.stream().mapToDouble(Purpose::share).sum();
            double perSecond = gone.stream().mapToDouble(Purpose::perSecond).sum();
            Optional<FullOnes> known = left.stream()
                    .map(Purpose::full)
                    .reduce((one, other) -> one.flatMap(some -> other.map(some::plus)))
                    .orElse(Optional.empty());
            return new Collections(
                    Math.max(0, this.share - share), Math.max(0, this.perSecond - perSecond), known, left);
        }
    }

    /** FullOnes are the collections of the whole heap, with their share of the time. */
    public record FullOnes(double share, double perSecond) {
        private FullOnes plus(FullOnes other) {
            return new FullOnes(share + other.share, perSecond + other.perSecond);
        }
    }

    /** A Purpose is what was collected for one cause, with its share of the time; full ones where they are counted by cause. */
    public record Purpose(CollectionCause cause, double share, double perSecond, Optional<FullOnes> full) {}

    /**
     * A Jit is what the JVM's counters and recordings say of compiled code, and of an AOT cache.
     *
     * @param c2Queue methods waiting for C2, median over the window
     * @param level3Percent methods with a full profile among those with counters, median over the window
     */
    public record Jit(
            OptionalDouble c2Queue,
            OptionalDouble level3Percent,
            AotYield aot,
            Compiled compiled,
            SampledFrames frames,
            NotEntrant notEntrant) {
        public static final Jit NOTHING = new Jit(
                OptionalDouble.empty(),
                OptionalDouble.empty(),
                new AotYield(OptionalDouble.empty(), OptionalDouble.empty()),
                new Compiled(OptionalDouble.empty(), OptionalDouble.empty(), OptionalDouble.empty()),
                new SampledFrames(OptionalDouble.empty(), OptionalDouble.empty()),
                new NotEntrant(OptionalDouble.empty(), OptionalDouble.empty()));
    }

    /** An AotYield is an AOT cache's classes, and the share of hot methods' samples whose profile it has. */
    public record AotYield(OptionalDouble classes, OptionalDouble coverage) {}

    /** A Compiled is what was compiled in the window: code in kB per second, the longest in seconds. */
    public record Compiled(OptionalDouble compilations, OptionalDouble codeGrowth, OptionalDouble longest) {}

    /** SampledFrames are the per cent of execution samples in code of C1, and in what C2 inlined. */
    public record SampledFrames(OptionalDouble c1, OptionalDouble inlined) {}

    /** A NotEntrant is C2's code that may not be entered, by the end of the run and in the window alone. */
    public record NotEntrant(OptionalDouble byEnd, OptionalDouble became) {}
}
