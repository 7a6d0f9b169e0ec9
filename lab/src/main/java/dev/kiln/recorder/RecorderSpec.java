package dev.kiln.recorder;

import java.util.Map;

/**
 * What to record.
 *
 * @param launchNanos the monotonic clock ({@link System#nanoTime}) at launch: zero of all times
 * @param parts the other parts of the lab, name to pid: {@code load}, {@code database}, {@code kiln}
 */
public record RecorderSpec(long targetPid, long launchNanos, Map<String, Long> parts) {
    public static final String TARGET = "target";
    public static final String KILN = "kiln";

    public RecorderSpec {
        parts = Map.copyOf(parts);
    }
}
