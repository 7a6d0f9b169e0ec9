package dev.kiln.recorder;

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
}
