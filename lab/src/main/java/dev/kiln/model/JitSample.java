package dev.kiln.model;

import java.util.Optional;
import java.util.OptionalInt;

/**
 * What the JVM's own diagnostic commands tell of its JIT, at one moment. The parts are asked for at different rates, so
 * each may be missing from a sample.
 *
 * @param timeNanos since launch
 * @param c1Queue methods waiting for C1
 * @param c2Queue methods waiting for C2
 */
public record JitSample(
        long timeNanos,
        OptionalInt c1Queue,
        OptionalInt c2Queue,
        Optional<Levels> levels,
        Optional<CodeCache> codeCache)
        implements Sample {

    /**
     * Compiled methods in use by level: 1 is C1 alone, 2 C1 with counters of calls, 3 C1 with a full profile, 4 C2.
     */
    public record Levels(int level1, int level2, int level3, int level4) {}

    /**
     * The code cache, all its segments together.
     *
     * @param usedBytes code in it
     * @param sizeBytes what it may hold
     * @param full times it was found full
     * @param stopped times compilation was switched off for lack of room
     */
    public record CodeCache(long usedBytes, long sizeBytes, int full, int stopped) {}
}
