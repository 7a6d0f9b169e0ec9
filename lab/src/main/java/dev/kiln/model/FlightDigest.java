package dev.kiln.model;

import java.util.List;

/**
 * A flight recording, digested: what it says of the JIT, the collector and the samples, a row a second. Times are since
 * launch; a duration counts in the second in which it ended.
 *
 * @param compilations those that ended, by second and level
 * @param queues the compilers' queues, by second and compiler
 * @param deoptimizations by second and reason
 * @param pauses every pause of the collector
 * @param codeCache every event of the code cache: full, compilation switched off or on again
 * @param tiers execution samples by the kind of code that ran, by second
 */
public record FlightDigest(
        List<Compilations> compilations,
        List<QueueUse> queues,
        List<Deoptimizations> deoptimizations,
        List<Pause> pauses,
        List<CodeCacheEvent> codeCache,
        List<TierShare> tiers) {

    /** @param maxNanos the longest: seconds, where a compiler was kept from the CPU */
    public record Compilations(long timeNanos, int level, int count, int failed, long sumNanos, long maxNanos) {}

    /** @param compiler {@code C1} or {@code C2} */
    public record QueueUse(long timeNanos, String compiler, long size, long peakSize, long added, long removed) {}

    public record Deoptimizations(long timeNanos, String reason, int count) {}

    /** @param timeNanos when it began */
    public record Pause(long timeNanos, String cause, long durationNanos) {}

    public record CodeCacheEvent(long timeNanos, String what) {}

    /** Samples in one second, by what the first frame ran as. */
    public record TierShare(long timeNanos, int interpreted, int c1, int c2, int inlined, int nativeCode) {}
}
