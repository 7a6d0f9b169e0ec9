package dev.kiln.explain;

import dev.kiln.stats.series.SeriesAnalysis;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * A CallResult is what the evidence of one run says of one call of its mix.
 *
 * @param series the call's own throughput, analysed as that of the whole
 * @param whyNoPeak in words; empty where there is a peak
 */
public record CallResult(CallLoad load, SeriesAnalysis series, Optional<String> whyNoPeak) {
    static final int END_SECONDS = 10;

    /**
     * A CallLoad is the load of one call.
     *
     * @param requests successful responses in all load phases
     * @param errors failed requests, likewise
     * @param warmup requests per second before the measuring phase
     * @param loadsAfterPause likewise, after it: one load, or all rounds
     * @param endOfWarmup response times of the last 10 s before the measuring phase
     * @param afterPause of the last load after the pause, without its first second
     * @param curve of each second of load, for pictures
     */
    public record CallLoad(
            String name,
            long requests,
            long errors,
            double[] warmup,
            List<double[]> loadsAfterPause,
            Percentiles endOfWarmup,
            Percentiles afterPause,
            List<Curves.LoadPoint> curve) {
        public CallLoad {
            loadsAfterPause = List.copyOf(loadsAfterPause);
            curve = List.copyOf(curve);
        }

        /**
         * Returns the successful responses per second of the last load: after the pause, or where there is none, at the
         * end of the warm-up.
         */
        OptionalDouble lastThroughput() {
            double[] last = loadsAfterPause.isEmpty()
                    ? Arrays.copyOfRange(warmup, Math.max(0, warmup.length - END_SECONDS), warmup.length)
                    : loadsAfterPause.getLast();
            return Arrays.stream(last).average();
        }

        /** Returns the response times of the load that {@code lastThroughput} is taken from. */
        Percentiles lastTimes() {
            return loadsAfterPause.isEmpty() ? endOfWarmup : afterPause;
        }
    }

    /**
     * Percentiles are response times of some seconds: the mean of 1 / p of each second, turned back into a time.
     *
     * @param p50Millis empty where a second had no response, or latencies were not recorded
     * @param p99Millis likewise, and where a second had under 100 requests, whose 99th percentile is their slowest
     */
    public record Percentiles(OptionalDouble p50Millis, OptionalDouble p99Millis) {}

    public String name() {
        return load.name();
    }
}
