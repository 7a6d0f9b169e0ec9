package dev.kiln.model;

import java.util.Optional;

/** Latency of the requests completed in a second, or in a phase. */
public sealed interface Latency {
    String phase();

    long count();

    long p50Nanos();

    long p99Nanos();

    long maxNanos();

    /**
     * Latency of the requests completed in one second.
     *
     * @param startNanos since launch
     */
    record LatencyInterval(
            String phase, long startNanos, long endNanos, long count, long p50Nanos, long p99Nanos, long maxNanos)
            implements Latency {}

    /**
     * Latency of all requests completed in one phase under load.
     *
     * @param more empty where the source told no more
     */
    record PhaseLatency(String phase, long count, long p50Nanos, long p99Nanos, long maxNanos, Optional<More> more)
            implements Latency {
        public PhaseLatency(String phase, long count, long p50Nanos, long p99Nanos, long maxNanos) {
            this(phase, count, p50Nanos, p99Nanos, maxNanos, Optional.empty());
        }

        /** What only a histogram tells. */
        public record More(double meanNanos, long p75Nanos, long p90Nanos, long p95Nanos, long p999Nanos) {}
    }
}
