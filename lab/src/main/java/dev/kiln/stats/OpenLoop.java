package dev.kiln.stats;

import java.util.Arrays;
import java.util.OptionalDouble;

/** Open loop: throughput is capped by the offered rate and shows no peak; the backlog shows when the service keeps up. */
public final class OpenLoop {
    private OpenLoop() {}

    /**
     * When the backlog was drained and stayed so.
     *
     * @param seconds from the first bin; empty if censored
     * @param censored not drained for long enough before the series ends
     * @param lastAbove start of the last bin with a backlog, in seconds
     * @param threshold requests up to which a backlog counts as drained
     */
    public record Drained(OptionalDouble seconds, boolean censored, OptionalDouble lastAbove, double threshold) {}

    /**
     * From when on the backlog, smoothed, stays drained to the end.
     *
     * @param backlog requests in flight or due but not yet sent, at the end of each bin
     * @param threshold requests that are in flight when the service keeps up: rate times latency (Little 1961)
     */
    public static Drained of(double[] backlog, double threshold, AnalysisConfig config) {
        Series.requireRates(backlog);
        if (!(threshold >= 0)) {
            throw new IllegalArgumentException("threshold must not be negative: " + threshold);
        }
        double[] smoothed = Series.centredMedian(backlog, config.smoothingBins());
        int drained = smoothed.length;
        while (drained > 0 && smoothed[drained - 1] <= threshold) {
            drained--;
        }
        double w = config.binSeconds();
        boolean censored = smoothed.length - drained < config.sustainedBins();
        return new Drained(
                censored ? OptionalDouble.empty() : OptionalDouble.of(drained * w),
                censored,
                drained == 0 ? OptionalDouble.empty() : OptionalDouble.of((drained - 1) * w),
                threshold);
    }

    /**
     * A threshold for when the latency is not known: the tail's own median and, above it, the spread that makes a dip; at
     * least one request. It means nothing while the tail climbs: ask {@link #climbing} first.
     */
    public static double ownThreshold(double[] backlog, AnalysisConfig config) {
        double[] tail = tail(backlog, config);
        Arrays.sort(tail);
        double spread = Descriptive.sortedQuantile(tail, 0.9) - Descriptive.sortedQuantile(tail, 0.1);
        return Descriptive.sortedQuantile(tail, 0.5) + Math.max(1, config.dipFactor() * spread);
    }

    /** The backlog still grows at the end: the offered rate is beyond the service. */
    public static boolean climbing(double[] backlog, AnalysisConfig config) {
        return TailTrend.of(tail(backlog, config), config).trend() == Trend.CLIMBING;
    }

    private static double[] tail(double[] backlog, AnalysisConfig config) {
        Series.requireRates(backlog);
        int w = Math.min(backlog.length, config.tailBins(backlog.length, config.minTailBins()));
        if (w < config.trendBlocks()) {
            throw new IllegalArgumentException("a backlog of " + w + " bins is too short for a tail");
        }
        return Arrays.copyOfRange(backlog, backlog.length - w, backlog.length);
    }
}
