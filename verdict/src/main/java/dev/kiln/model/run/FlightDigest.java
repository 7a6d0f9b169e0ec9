package dev.kiln.model.run;

import dev.kiln.model.run.Sample.CgroupSample;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A FlightDigest sums up a flight recording: what it says of the JIT, the collector and the samples, a row a second.
 * Times are since launch; a duration counts in the second in which it ended.
 *
 * @param throttling what the container's CPU limit took, as counters since the container began
 */
public record FlightDigest(
        FlightJit compilers, FlightCollector collector, FlightSamples samples, List<CgroupSample> throttling) {
    /** This digest is that of a recording without any of these events. */
    public static final FlightDigest EMPTY = new FlightDigest(
            new FlightJit(List.of(), List.of(), List.of(), List.of(), List.of()),
            new FlightCollector(List.of(), List.of()),
            new FlightSamples(List.of(), List.of(), List.of(), List.of()),
            List.of());

    public FlightDigest {
        throttling = List.copyOf(throttling);
    }

    /**
     * A FlightJit is what the compilers did.
     *
     * @param compilations those that ended, by second and level
     * @param queues the compilers' queues, by second and compiler
     * @param deoptimizations by second, reason and action
     * @param codeCache every event of the code cache: full, compilation switched off or on again
     * @param c2Work what C2 compiled in the whole recording, by library, the one that took most first
     */
    public record FlightJit(
            List<FlightCompilations> compilations,
            List<QueueUse> queues,
            List<FlightDeoptimizations> deoptimizations,
            List<CodeCacheEvent> codeCache,
            List<Work> c2Work) {
        public FlightJit {
            compilations = List.copyOf(compilations);
            queues = List.copyOf(queues);
            deoptimizations = List.copyOf(deoptimizations);
            codeCache = List.copyOf(codeCache);
            c2Work = List.copyOf(c2Work);
        }
    }

    /** A FlightCollector has every pause, and the heap around every collection that stopped the program. */
    public record FlightCollector(List<FlightPause> pauses, List<HeapChange> heap) {
        public FlightCollector {
            pauses = List.copyOf(pauses);
            heap = List.copyOf(heap);
        }
    }

    /**
     * FlightSamples are what the execution samples found.
     *
     * @param tiers by the kind of code that ran, by second
     * @param hot the methods with most samples in the first ten minutes, a row for each method and ten seconds
     * @param families all samples by family, by second; empty where that was not recorded
     * @param throwables how many were made, where the recording counts them
     */
    public record FlightSamples(
            List<TierShare> tiers, List<HotMethod> hot, List<FamilySamples> families, List<ThrowableCount> throwables) {
        public FlightSamples {
            tiers = List.copyOf(tiers);
            hot = List.copyOf(hot);
            families = List.copyOf(families);
            throwables = List.copyOf(throwables);
        }

        /** Returns these samples, with those of another recording in the place of what is missing here. */
        FlightSamples or(FlightSamples other) {
            return new FlightSamples(
                    tiers.isEmpty() ? other.tiers : tiers,
                    hot.isEmpty() ? other.hot : hot,
                    families.isEmpty() ? other.families : families,
                    throwables.isEmpty() ? other.throwables : throwables);
        }
    }

    /** Returns this digest with a profiler's samples where it has any: it tells C1 from C2, and native code. */
    public FlightDigest sampledBy(FlightDigest profiler) {
        return new FlightDigest(compilers, collector, profiler.samples.or(samples), throttling);
    }

    public List<FlightCompilations> compilations() {
        return compilers.compilations;
    }

    public List<QueueUse> queues() {
        return compilers.queues;
    }

    public List<FlightDeoptimizations> deoptimizations() {
        return compilers.deoptimizations;
    }

    public List<CodeCacheEvent> codeCache() {
        return compilers.codeCache;
    }

    public List<TierShare> tiers() {
        return samples.tiers;
    }

    public List<HotMethod> hot() {
        return samples.hot;
    }

    public List<FamilySamples> families() {
        return samples.families;
    }

    public List<ThrowableCount> throwables() {
        return samples.throwables;
    }

    /**
     * @param level 1 to 3 are C1's, 4 is C2's
     * @param failed of those counted, the ones that gave no code
     * @param maxNanos the longest: seconds, where a compiler was kept from the CPU
     * @param longestMethod whose compilation that was, {@code class.method}; empty where it is not known
     */
    public record FlightCompilations(
            long timeNanos, int level, int count, int failed, long sumNanos, long maxNanos, String longestMethod) {}

    /**
     * @param compiler {@code C1} or {@code C2}
     * @param size methods that waited at the end of the second
     * @param peakSize since the JVM began
     * @param added since the row before, as {@code removed} is
     */
    public record QueueUse(long timeNanos, String compiler, long size, long peakSize, long added, long removed) {}

    /**
     * @param action what the JVM did about it beside leaving the code: {@code none}, {@code maybe_recompile}, {@code
     *     reinterpret}, {@code make_not_entrant} or {@code make_not_compilable}; empty where it is not known
     */
    public record FlightDeoptimizations(long timeNanos, String reason, String action, int count) {}

    /**
     * @param timeNanos when it began
     * @param collector which stopped the program, by its name in the recording; empty where it is not known
     */
    public record FlightPause(long timeNanos, String cause, long durationNanos, String collector) {
        /** These collectors collect the whole heap while the service stands still (gcName.hpp of HotSpot). */
        private static final Set<String> FULL = Set.of("SerialOld", "PSMarkSweep", "ParallelOld", "G1Full");

        /** These are the others of collectors that have a full one. */
        private static final Set<String> PARTIAL = Set.of("DefNew", "ParallelScavenge", "G1New", "G1Old");

        public boolean full() {
            return FULL.contains(collector);
        }

        /** Tells whether this collector tells full collections from others. */
        public boolean tellsFull() {
            return full() || PARTIAL.contains(collector);
        }
    }

    /** A HeapChange is the heap before and after one collection, by when it began. */
    public record HeapChange(long timeNanos, long beforeBytes, long afterBytes) {}

    /**
     * A Work is what C2 compiled of one library.
     *
     * @param library the first parts of its package
     * @param compilations those that failed included
     * @param again of those the ones whose method had code of C2 before, which was thrown away
     * @param nanos they took, from begin to end, waits for a CPU included
     * @param longestMethod the method that took most of it, {@code class.method}
     */
    public record Work(
            String library, int compilations, int again, long nanos, String longestMethod, long longestNanos) {}

    /**
     * A HotMethod has the samples of one method in ten seconds, by what it ran as. What was inlined into a method
     * counts for it.
     *
     * @param method {@code class.method}
     * @param level of its latest compilation at their end; 0 if there was none
     * @param deepest the last of its bytecodes at which it was found, by its index: the method is longer than that; 0 where that is not known
     */
    public record HotMethod(long timeNanos, String method, int interpreted, int c1, int c2, int level, int deepest) {}

    /**
     * FamilySamples are the samples of one second that were in one family, called from one place. All rows of a second add
     * up to all its samples.
     *
     * @param family empty where it was not told: earlier versions knew four of those with a purpose
     * @param frame the first that is not the JDK's, {@code class.method}; empty for code without a purpose, where there is none,
     *     and for places that are seldom
     */
    public record FamilySamples(long timeNanos, Optional<CodeFamily> family, String frame, int samples) {}

    /** A ThrowableCount is how many throwables were made since the JVM began to count them. */
    public record ThrowableCount(long timeNanos, long count) {}

    public record CodeCacheEvent(long timeNanos, String what) {}

    /**
     * A TierShare has the samples of one second, by what the first frame ran as. Those of unknown kind are left out.
     *
     * @param c1 code of C1, what C1 inlined into it included
     * @param c2 a method's own code, compiled by C2
     * @param inlined what C2 inlined into another method's code
     * @param nativeCode native code called from Java, the kernel's included
     */
    public record TierShare(long timeNanos, int interpreted, int c1, int c2, int inlined, int nativeCode) {}
}
