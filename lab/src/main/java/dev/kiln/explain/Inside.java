package dev.kiln.explain;

import java.util.List;

/**
 * What went on inside a JVM and its cgroup, for pictures: at most a row a second, in order of time, in seconds since the
 * first request. A list is empty where nothing was recorded, and has zeros where nothing happened.
 *
 * @param compilations those that ended, a row for each second and level that had any
 * @param collector what the garbage collector's pauses took
 * @param throttled what the cgroup's CPU quota took, all CPUs together
 */
public record Inside(
        List<Queue> queues,
        List<Levels> levels,
        List<CodeCache> codeCache,
        List<Tiers> tiers,
        List<Compilations> compilations,
        List<Deoptimizations> deoptimizations,
        List<Stopped> collector,
        List<Stopped> throttled) {

    public static final Inside NOTHING =
            new Inside(List.of(), List.of(), List.of(), List.of(), List.of(), List.of(), List.of(), List.of());

    /** Methods waiting to be compiled; NaN where one of the two was not told. */
    public record Queue(double second, double c1, double c2) {}

    /** Compiled methods in use: 1 is C1 alone, 2 C1 with counters, 3 C1 with a full profile, 4 C2. */
    public record Levels(double second, int level1, int level2, int level3, int level4) {}

    /** @param fullness used share of what it may hold, 0 to 1 */
    public record CodeCache(double second, double fullness) {}

    /** Shares of the execution samples of a second, 0 to 1, by what the running frame was. */
    public record Tiers(double second, double interpreted, double c1, double c2, double inlined, double nativeCode) {}

    public record Compilations(double second, int level, int count, double longestMillis) {}

    public record Deoptimizations(double second, int count) {}

    /** @param millis of that second */
    public record Stopped(double second, double millis) {}
}
