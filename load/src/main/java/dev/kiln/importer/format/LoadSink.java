package dev.kiln.importer.format;

import org.HdrHistogram.Histogram;

/** A LoadSink receives the load of a run, phase after phase, each in the order of time. Times are those of the source. */
public interface LoadSink {
    void phase(String name, long startNanos);

    void row(LoadRow row);

    /** Receives the latencies of the requests that completed in a part of the phase. */
    void latencies(long startNanos, long endNanos, Histogram latencies);

    /**
     * Ends the phase.
     *
     * @param endNanos the exact end if the source has it; otherwise the end of the last row
     */
    void end(long endNanos);

    /** Receives the quantiles of the whole phase that ended last, if the source has them. */
    void total(Quantiles total);

    /**
     * Receives the requests per second that were offered at the end, before the last pause; called only by sources that know
     * it.
     */
    default void offered(double rate) {}

    /** Receives what could not be read, with file and line. */
    void gap(String what);

    /**
     * Quantiles are those of a whole phase.
     *
     * @param p99Nanos 0 if the source does not have it
     */
    record Quantiles(long count, long p50Nanos, long p99Nanos, long maxNanos) {}
}
