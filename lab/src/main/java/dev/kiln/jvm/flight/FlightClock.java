package dev.kiln.jvm.flight;

import java.time.Instant;

/** From a recording's wall clock to seconds since a zero. */
final class FlightClock {
    private static final long SECOND = 1_000_000_000;

    /** Both clocks are read to the ms, not at the same moment, and may be set: what is little too early is the first. */
    private static final long TOLERANCE = SECOND;

    private final long zero;
    private long early;

    FlightClock(Instant zero) {
        this.zero = nanos(zero);
    }

    /** Since 1970; good until 2262. */
    static long nanos(Instant time) {
        return time.getEpochSecond() * SECOND + time.getNano();
    }

    /** False for what happened before zero, which is counted. */
    boolean holds(long epochNanos) {
        boolean holds = epochNanos >= zero - TOLERANCE;
        early += holds ? 0 : 1;
        return holds;
    }

    long since(long epochNanos) {
        return Math.max(0, epochNanos - zero);
    }

    long second(long epochNanos) {
        return since(epochNanos) / SECOND;
    }

    /** Time of a second's row: its begin. */
    static long row(long second) {
        return second * SECOND;
    }

    long early() {
        return early;
    }
}
