package dev.kiln.importer.program;

import dev.kiln.model.load.Latency.Quantiles;
import java.util.Optional;

/**
 * PrintedQuantiles are the median, the 99th percentile and the maximum that a load generator prints. The first of each counts:
 * {@code wrk2 -U} prints a second distribution, without the time that requests waited to be sent.
 */
final class PrintedQuantiles {
    private long p50 = -1;
    private long p99 = -1;
    private long max = -1;

    /** @param percent 50 or 99; any other is the maximum */
    void put(String percent, long nanos) {
        switch (percent) {
            case "50" -> p50 = p50 < 0 ? nanos : p50;
            case "99" -> p99 = p99 < 0 ? nanos : p99;
            default -> max = max < 0 ? nanos : max;
        }
    }

    /** Replaces the maximum. */
    void max(long nanos) {
        max = nanos;
    }

    /** Returns the quantiles of so many requests; empty where one of them is not known. */
    Optional<Quantiles> of(long requests) {
        return p50 >= 0 && p99 >= 0 && max >= 0
                ? Optional.of(new Quantiles(requests, p50, p99, max))
                : Optional.empty();
    }
}
