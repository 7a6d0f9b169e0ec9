package dev.kiln.explain;

import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * One configuration under the load of so many connections, over its runs.
 *
 * @param runs that were recorded
 * @param validRuns of them; the figures are theirs, or of all runs where none is valid
 * @param throughput mean over the runs of the measuring phase, in requests per second; 0 where nothing was measured
 * @param perRun the same of each run that counts
 * @param bestSecond most requests of any second of that phase
 * @param response of the same phase; empty where no latency was recorded
 * @param startSeconds median, from launch to readiness
 * @param maxRssBytes of any run, from launch to its end
 * @param steadySeconds median over the runs that became steady, from the first request
 * @param steadyRuns runs that became steady before the load's limit
 * @param errors of all phases and runs
 */
public record SweepPoint(
        int connections,
        int runs,
        int validRuns,
        double throughput,
        double[] perRun,
        OptionalDouble bestSecond,
        Optional<Response> response,
        OptionalDouble startSeconds,
        OptionalLong maxRssBytes,
        OptionalLong maxPssBytes,
        OptionalDouble steadySeconds,
        int steadyRuns,
        long errors) {
    /**
     * Response times in ms. Means are means over the runs, percentiles the runs' median, the highest is that of any run:
     * percentiles of several runs cannot be joined.
     *
     * @param p90 empty where the source told no more than three quantiles, as the next and the mean
     */
    public record Response(
            OptionalDouble mean, double p50, OptionalDouble p90, double p99, OptionalDouble p999, double max) {}

    /** Whether its throughput may be fitted. */
    public boolean valid() {
        return validRuns > 0 && throughput > 0;
    }
}
