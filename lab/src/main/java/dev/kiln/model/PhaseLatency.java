package dev.kiln.model;

import java.util.Optional;

/**
 * Latency of all requests completed in one phase under load.
 *
 * @param more empty where the source told no more
 */
public record PhaseLatency(String phase, long count, long p50Nanos, long p99Nanos, long maxNanos, Optional<More> more) {
    public PhaseLatency(String phase, long count, long p50Nanos, long p99Nanos, long maxNanos) {
        this(phase, count, p50Nanos, p99Nanos, maxNanos, Optional.empty());
    }

    /** What only a histogram tells. */
    public record More(double meanNanos, long p75Nanos, long p90Nanos, long p95Nanos, long p999Nanos) {}
}
