package dev.kiln.importer.format;

import dev.kiln.model.load.Latency.LatencyInterval;
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
     */
    record LoadRow(
            long startNanos,
            long endNanos,
            long started,
            long completed,
            LoadBin.Errors errors,
            RowLatencies latencies) {
        public LoadRow until(long nanos) {
            return new LoadRow(startNanos, nanos, started, completed, errors, latencies);
        }

        /** Returns the row's quantiles as evidence, between these times of a phase. */
        public LatencyInterval interval(String phase, long from, long to) {
            // Without a maximum, the highest value that was reached for sure.
            long most = latencies.maxNanos < 0 ? latencies.p99Nanos : latencies.maxNanos;
            return new LatencyInterval(phase, from, to, completed, latencies.p50Nanos, latencies.p99Nanos, most);
        }

        /** Adds the counts of both rows; their quantiles cannot be joined. */
        public LoadRow plus(LoadRow o) {
            return new LoadRow(
                    startNanos,
                    Math.max(endNanos, o.endNanos),
                    started + o.started,
                    completed + o.completed,
                    errors.plus(o.errors),
                    latencies.joined(o.latencies));
        }
    }

    /** RowLatencies are a row's quantiles in ns; each is -1 if the source does not have it. */
    record RowLatencies(long p50Nanos, long p99Nanos, long maxNanos) {
        public static final RowLatencies NONE = new RowLatencies(-1, -1, -1);

        /** Tells whether both quantiles are known. */
        public boolean quantiles() {
            return p50Nanos >= 0 && p99Nanos >= 0;
        }

        private RowLatencies joined(RowLatencies o) {
            return new RowLatencies(-1, -1, Math.max(maxNanos, o.maxNanos));
        }
    }
}
