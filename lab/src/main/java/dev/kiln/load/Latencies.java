package dev.kiln.load;

import org.HdrHistogram.IntCountsHistogram;

/**
 * The latencies of a second. Not of a bin: 300 requests are too few for a high percentile, nothing reads finer than a second, and
 * each histogram costs 60 us to encode and 400 KB to keep. Handed over like a {@link Bin}, together with one.
 */
final class Latencies {
    /** One hour: no timeout is longer. */
    static final long MAX_NANOS = 3_600_000_000_000L;

    private static final int SIGNIFICANT_DIGITS = 3;

    final IntCountsHistogram histogram = new IntCountsHistogram(MAX_NANOS, SIGNIFICANT_DIGITS);
    long startNanos;

    void begin(long start) {
        startNanos = start;
    }

    void record(long nanos) {
        histogram.recordValue(Math.clamp(nanos, 0, MAX_NANOS));
    }
}
