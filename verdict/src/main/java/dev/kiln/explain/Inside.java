package dev.kiln.explain;

import dev.kiln.model.run.FlightDigest.Work;
import java.util.List;
import java.util.Optional;

/**
 * Inside is what went on inside a JVM and its cgroup, for pictures: at most a row a second, in order of time, in
 * seconds since the first request. A list is empty where nothing was recorded, and has zeros where nothing happened.
 *
 * @param collector what the garbage collector's pauses took
 * @param throttled what the cgroup's CPU quota took, all CPUs together
 * @param closing what ran when all else had been measured; empty without such a recording
 */
public record Inside(
        InsideJit jit,
        InsideCode code,
        List<Stopped> collector,
        List<Stopped> throttled,
        Optional<InsideClosing> closing) {
    public static final Inside NOTHING = new Inside(
            new InsideJit(List.of(), List.of(), List.of(), List.of()),
            new InsideCode(List.of(), List.of(), List.of(), List.of()),
            List.of(),
            List.of(),
            Optional.empty());

    /** An InsideClosing is the closing recording: when it began, and the twenty methods with most samples. */
    public record InsideClosing(double second, List<Hot> hot) {
        /** The recording has this name in the run's folder. */
        public static final String FILE = "closing/recording.jfr";
    }

    /** An InsideJit is what the compilers did, by second and level; c2Work is of the whole run, by library. */
    public record InsideJit(
            List<Queue> queues,
            List<Compilations> compilations,
            List<Deoptimizations> deoptimizations,
            List<Work> c2Work) {}

    /** An InsideCode is which code there was and ran; hot has the methods with most samples in the first load. */
    public record InsideCode(List<Levels> levels, List<CodeCache> codeCache, List<Tiers> tiers, List<Hot> hot) {}

    /** A Queue is the methods that wait to be compiled; NaN where one of the two was not recorded. */
    public record Queue(double second, double c1, double c2) {}

    /** Levels are the compiled methods in use: 1 is C1 alone, 2 C1 with counters, 3 C1 with a full profile, 4 C2. */
    public record Levels(double second, int level1, int level2, int level3, int level4) {}

    /** A CodeCache is how full the code cache was, as a share from 0 to 1 of what it may hold. */
    public record CodeCache(double second, double fullness) {}

    /** Tiers are shares of the execution samples of a second, 0 to 1, by what the running frame was. */
    public record Tiers(double second, double interpreted, double c1, double c2, double inlined, double nativeCode) {}

    public record Compilations(double second, int level, int count, double longestMillis) {}

    public record Deoptimizations(double second, int count) {}

    /**
     * A Hot is the samples of one method in the first load.
     *
     * @param level of its latest compilation at the end of that load; 0 where none is known, or it was not sampled there any more
     * @param slow whether it was sampled at the end, and fewer than half of those samples were in code of C2
     */
    public record Hot(String method, int interpreted, int c1, int c2, int level, boolean slow) {
        public int samples() {
            return interpreted + c1 + c2;
        }
    }

    /** A Stopped is the ms of a second that threads lost to pauses of the collector, or to a CPU quota. */
    public record Stopped(double second, double millis) {}
}
