package dev.kiln.jvm.flight;

import java.time.Instant;

/** Converts a recording's wall clock to times since a zero. */
final class FlightClock {
    private static final long SECOND = 1_000_000_000;

    /** Clocks are read at different moments and may be set: events slightly before zero count as zero. */
    private static final long TOLERANCE = SECOND;

    private final long zero;
    private long early;

    FlightClock(Instant zero) {
        this.zero = nanos(zero);
    }

    /** Time since 1970 in ns, up to the year 2262. */
    static long nanos(Instant time) {
        return time.getEpochSecond() * SECOND + time.getNano();
    }

    /** Returns false for an event before zero, and counts it. */
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

    /** Time since 1970 in ns at the beginning of a second. */
    long epochNanos(long second) {
        return zero + second * SECOND;
    }

    /** The time of a second's row is the beginning of the second. */
    static long row(long second) {
        return second * SECOND;
    }

    long early() {
        return early;
    }
}
