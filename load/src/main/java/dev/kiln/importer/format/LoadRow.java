package dev.kiln.importer.format;

import dev.kiln.model.load.LoadBin;

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
