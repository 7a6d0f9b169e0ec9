package dev.kiln.recorder;

import dev.kiln.host.process.OrphanRegistry;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A RecorderSpec is what to record.
 *
 * @param launchNanos the monotonic clock ({@link System#nanoTime}) at launch, which is zero of all times
 * @param ports to which the load goes, where they are ports of this machine: who serves them is recorded
 * @param parts the other parts of the lab, name to pid: {@code load}, {@code database}, {@code kiln}, {@code agent}
 * @param jitQueries whether Kiln attaches to the JVM, and asks it for its compile queues and the like
 */
public record RecorderSpec(
        long targetPid,
        long launchNanos,
        Set<Integer> ports,
        Map<String, Long> parts,
        boolean jitQueries,
        RecorderPace pace,
        ThreadDumping dumping) {
    public static final String TARGET = "target";
    public static final String KILN = "kiln";

    /** This part is Kiln's recorder on the machine of a remote target. */
    public static final String AGENT = "agent";

    public RecorderSpec {
        ports = Set.copyOf(ports);
        parts = Map.copyOf(parts);
    }

    /** Records at the pace of a run. */
    public RecorderSpec(long targetPid, long launchNanos, Map<String, Long> parts, boolean jitQueries) {
        this(targetPid, launchNanos, Set.of(), parts, jitQueries, RecorderPace.LAB, ThreadDumping.NONE);
    }

    /** Returns the same, of whoever serves these ports. */
    public RecorderSpec serving(Set<Integer> some) {
        return new RecorderSpec(targetPid, launchNanos, some, parts, jitQueries, pace, dumping);
    }

    /** Returns the same, with or without thread dumps. */
    public RecorderSpec with(ThreadDumping other) {
        return new RecorderSpec(targetPid, launchNanos, ports, parts, jitQueries, pace, other);
    }

    /**
     * ThreadDumping says whether the target's threads are dumped when a load's moments come.
     *
     * @param registry notes what Kiln makes beside the target meanwhile, where this Kiln has one
     */
    public record ThreadDumping(boolean wanted, Optional<OrphanRegistry> registry) {
        public static final ThreadDumping NONE = new ThreadDumping(false, Optional.empty());
    }

    /**
     * A RecorderPace says how closely a process is watched. It decides what watching costs.
     *
     * @param looksASecond looks at the compilers; everything else gets one look a second
     * @param lab whether the parts of the lab, the target's children and its proportional memory are recorded too
     * @param otherThreads how many threads are recorded besides the compilers
     * @param othersEvery seconds between two looks at those
     */
    public record RecorderPace(int looksASecond, boolean lab, int otherThreads, int othersEvery, Questions questions) {
        private static final int MANY = 1_000;

        /**
         * Questions say how often the JVM is asked each of them.
         *
         * @param queuesEvery period of the question for compile queues, which takes a safepoint, and of that for
         *     deoptimisations
         * @param levelsEvery period of the question for methods by level, for which the JVM walks its compiled code
         * @param cacheEvery period of the question for the code cache
         * @param answerShare a question waits at least this many times the length of its last answer
         * @param seldom a question waits at most this many periods
         */
        record Questions(Duration queuesEvery, Duration levelsEvery, Duration cacheEvery, int answerShare, int seldom) {
            private static Questions everySeconds(long queues, long levels, long cache, int answerShare, int seldom) {
                return new Questions(
                        Duration.ofSeconds(queues),
                        Duration.ofSeconds(levels),
                        Duration.ofSeconds(cache),
                        answerShare,
                        seldom);
            }
        }

        /** This pace is for a run: everything, as closely as possible. */
        public static final RecorderPace LAB =
                new RecorderPace(10, true, Integer.MAX_VALUE, 1, Questions.everySeconds(2, 5, 2, 10, 4));

        /** This pace is for hours of watching: no question takes more than 0.05 % of the time. */
        public static final RecorderPace WATCH =
                new RecorderPace(1, false, MANY, 2, Questions.everySeconds(10, 60, 60, 2_000, 60));

        /** This pace is for a short look: the compilers, and the process as a whole. */
        public static final RecorderPace GLANCE =
                new RecorderPace(1, false, 0, 1, Questions.everySeconds(3_600, 3_600, 3_600, 2_000, 1));

        /** Returns the pace for a visit of this length: each question at the beginning and near the end. */
        public static RecorderPace visit(Duration length) {
            Duration again = Duration.ofMillis(Math.max(2_000, length.toMillis() - 1_500));
            return new RecorderPace(1, false, MANY, 1, new Questions(again, again, length.multipliedBy(2), 20, 1));
        }
    }
}
