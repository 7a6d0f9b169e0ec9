package dev.kiln.model;

/**
 * Latency of the requests completed in one second.
 *
 * @param startNanos since launch
 */
public record LatencyInterval(
        String phase, long startNanos, long endNanos, long count, long p50Nanos, long p99Nanos, long maxNanos) {}
