package dev.kiln.importer.format;

import org.HdrHistogram.Histogram;

/** Takes the load of a run, phase after phase, each in the order of time. Times are those of the source. */
public interface LoadSink {
    void phase(String name, long startNanos);

    void row(LoadRow row);

    /** Latencies of the requests that completed in a stretch of the phase. */
    void latencies(long startNanos, long endNanos, Histogram latencies);

    /**
     * Ends the phase.
     *
     * @param endNanos the exact end if the source has it; otherwise the end of the last row
     */
    void end(long endNanos);

    /** Quantiles of the whole phase that ended last, if the source has them. */
    void total(Quantiles total);

    /** Requests per second that were offered at the end, before the last pause; told only by sources that know it. */
    default void offered(double rate) {}

    /** What could not be read, with file and line. */
    void gap(String what);

    /**
     * Of a whole phase.
     *
     * @param p99Nanos 0 if the source does not have it
     */
    record Quantiles(long count, long p50Nanos, long p99Nanos, long maxNanos) {}
}
