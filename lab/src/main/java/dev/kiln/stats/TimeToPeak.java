package dev.kiln.stats;

import java.util.OptionalDouble;

/**
 * When a series reached a percentage of a peak for good.
 *
 * @param percent of the peak
 * @param seconds from the first bin to the start of the first of the bins that hold the level; empty if censored
 * @param censored not reached within the series, or no peak to reach
 * @param lastBelow start of the last bin below the level, in seconds; much later than {@code seconds} it means unstable
 * @param resolvable the level is far enough from the peak to be told apart by this tail's noise
 */
public record TimeToPeak(
        int percent, OptionalDouble seconds, boolean censored, OptionalDouble lastBelow, boolean resolvable) {

    /** No peak, so no time to it. */
    static TimeToPeak none(int percent) {
        return new TimeToPeak(percent, OptionalDouble.empty(), true, OptionalDouble.empty(), false);
    }

    /**
     * Of a series of any length.
     *
     * @param w length of a bin, in seconds
     * @param peak in the unit of the bins
     * @param tailCv coefficient of variation of the tail
     */
    public static TimeToPeak of(
            double[] bins, double w, double peak, int percent, double tailCv, AnalysisConfig config) {
        Series.requireRates(bins);
        Checks.positive("w", w);
        Checks.positive("peak", peak);
        return ofSmoothed(Series.centredMedian(bins, config.smoothingBins()), w, peak, percent, tailCv, config);
    }

    static TimeToPeak ofSmoothed(
            double[] smoothed, double w, double peak, int percent, double tailCv, AnalysisConfig config) {
        double level = percent / 100.0 * peak;
        int run = 0;
        OptionalDouble reached = OptionalDouble.empty();
        OptionalDouble below = OptionalDouble.empty();
        for (int i = 0; i < smoothed.length; i++) {
            run = smoothed[i] >= level ? run + 1 : 0;
            if (run == config.sustainedBins() && reached.isEmpty()) {
                reached = OptionalDouble.of((i + 1 - run) * w);
            }
            if (run == 0) {
                below = OptionalDouble.of(i * w);
            }
        }
        boolean resolvable = 1 - percent / 100.0 >= config.resolvableFactor() * tailCv;
        return new TimeToPeak(percent, reached, reached.isEmpty(), below, resolvable);
    }
}
