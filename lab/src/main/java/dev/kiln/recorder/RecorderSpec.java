package dev.kiln.recorder;

import java.time.Duration;
import java.util.Map;

/**
 * What to record.
 *
 * @param launchNanos the monotonic clock ({@link System#nanoTime}) at launch: zero of all times
 * @param parts the other parts of the lab, name to pid: {@code load}, {@code database}, {@code kiln}, {@code agent}
 * @param jitQueries whether the JVM is asked for its compile queues and the like, for which it is attached
 * @param pace how closely it is watched
 */
public record RecorderSpec(long targetPid, long launchNanos, Map<String, Long> parts, boolean jitQueries, Pace pace) {
    public static final String TARGET = "target";
    public static final String KILN = "kiln";

    /** Kiln's recorder on the machine of a target that is not here. */
    public static final String AGENT = "agent";

    public RecorderSpec {
        parts = Map.copyOf(parts);
    }

    /** As closely as a run is. */
    public RecorderSpec(long targetPid, long launchNanos, Map<String, Long> parts, boolean jitQueries) {
        this(targetPid, launchNanos, parts, jitQueries, Pace.LAB);
    }

    /** Only looks, and asks nothing. */
    public RecorderSpec(long targetPid, long launchNanos, Map<String, Long> parts) {
        this(targetPid, launchNanos, parts, false);
    }

    /**
     * How closely a process is watched, which is what watching costs.
     *
     * @param looksASecond at the compilers; at everything it is one a second
     * @param lab whether Kiln's other processes, children of the target and proportional memory are looked at too
     * @param otherThreads how many threads that are no compilers are looked at
     * @param othersEvery seconds between two looks at those
     * @param queuesEvery the JVM is asked for its compile queues, which takes a safepoint
     * @param levelsEvery it is asked for its methods by level, for which it walks its compiled code
     * @param cacheEvery it is asked for its code cache
     * @param answerShare a question is not asked again before this many times the length of its last answer
     * @param seldom but at the latest after so many times its period
     */
    public record Pace(
            int looksASecond,
            boolean lab,
            int otherThreads,
            int othersEvery,
            Duration queuesEvery,
            Duration levelsEvery,
            Duration cacheEvery,
            int answerShare,
            int seldom) {
        private static final int MANY = 1_000;

        /** A run: everything, as closely as can be. */
        public static final Pace LAB = new Pace(
                10,
                true,
                Integer.MAX_VALUE,
                1,
                Duration.ofSeconds(2),
                Duration.ofSeconds(5),
                Duration.ofSeconds(2),
                10,
                4);

        /** For hours: no question takes more than 0.05 % of the time. */
        public static final Pace WATCH = new Pace(
                1, false, MANY, 2, Duration.ofSeconds(10), Duration.ofSeconds(60), Duration.ofSeconds(60), 2_000, 60);

        /** Compilers and the process as a whole, without its other threads. */
        public static final Pace GLANCE =
                new Pace(1, false, 0, 1, Duration.ofHours(1), Duration.ofHours(1), Duration.ofHours(1), 2_000, 1);

        /** For so long, each question asked at the beginning and near the end. */
        public static Pace visit(Duration length) {
            Duration again = Duration.ofMillis(Math.max(2_000, length.toMillis() - 1_500));
            return new Pace(1, false, MANY, 1, again, again, length.multipliedBy(2), 20, 1);
        }
    }
}
