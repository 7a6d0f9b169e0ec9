package dev.kiln.importer.format;

import dev.kiln.model.load.LoadBin;
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

    /**
     * A LoadRow is one row of a load series, as its source counts. Times are in ns since the epoch, or since the source's own
     * beginning.
     *
     * @param p50Nanos -1 if the source does not have it
     * @param p99Nanos -1 if the source does not have it
     * @param maxNanos -1 if the source does not have it
     */
    public record LoadRow(
            long startNanos,
            long endNanos,
            long started,
            long completed,
            LoadBin.Errors errors,
            long p50Nanos,
            long p99Nanos,
            long maxNanos) {
        public LoadRow until(long nanos) {
            return new LoadRow(startNanos, nanos, started, completed, errors, p50Nanos, p99Nanos, maxNanos);
        }

        /** Adds the counts of both rows; their quantiles cannot be joined. */
        public LoadRow plus(LoadRow o) {
            return new LoadRow(
                    startNanos,
                    Math.max(endNanos, o.endNanos),
                    started + o.started,
                    completed + o.completed,
                    errors.plus(o.errors),
                    -1,
                    -1,
                    Math.max(maxNanos, o.maxNanos));
        }
    }
}
