package dev.kiln.stats;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * A series with its segments, class, peak and times. Rates are requests per second, times seconds from the first bin.
 *
 * @param tailBins W
 * @param masked indices of the bins masked as dips
 * @param changepoints index of the first bin of each segment but the first
 * @param objective of the segmentation of the bins that are not masked
 * @param segmentLevels median of each segment's unmasked bins
 * @param level L, the median of the tail's unmasked bins
 * @param steadyStart T_ss; empty if not steady
 * @param subLabel why not steady
 * @param peakSelf mean of the tail's unmasked bins; it is a peak only if steady
 * @param peakUsed what times and deficit refer to; empty without a steady state and without a reference
 * @param tailCv population standard deviation over mean of the tail's unmasked bins
 * @param tailGrowth Theil-Sen slope over the tail, as a share of its mean
 * @param trendP exact Mann-Kendall on block means of the tail
 * @param reversals turns among the moves of segment levels greater than delta
 * @param deficitRequests signed; empty without a peak, as the next two
 * @param minTailUsed shortest tail accepted
 */
public record Analysed(
        int bins,
        int tailBins,
        List<Integer> masked,
        List<Integer> changepoints,
        double objective,
        List<Double> segmentLevels,
        double level,
        boolean steady,
        OptionalDouble steadyStart,
        SteadyClass steadyClass,
        SubLabel subLabel,
        double peakSelf,
        OptionalDouble peakUsed,
        double tailCv,
        double tailGrowth,
        double trendP,
        Trend trend,
        int reversals,
        List<TimeToPeak> timeToPeak,
        double requests,
        OptionalDouble deficitRequests,
        OptionalDouble deficitSeconds,
        OptionalDouble efficiency,
        int minTailUsed,
        List<Warning> warnings)
        implements SeriesAnalysis {
    public Analysed {
        masked = List.copyOf(masked);
        changepoints = List.copyOf(changepoints);
        segmentLevels = List.copyOf(segmentLevels);
        timeToPeak = List.copyOf(timeToPeak);
        warnings = List.copyOf(warnings);
    }

    /** One of the percentages of {@link SeriesAnalyzer#PERCENTAGES}. */
    public Optional<TimeToPeak> timeToPeak(int percent) {
        return timeToPeak.stream().filter(t -> t.percent() == percent).findFirst();
    }

    /** Steady, but at a level that is not the reference peak: the class "plateau below reference". */
    public boolean plateauBelow(double referencePeak, double delta) {
        return steady && peakSelf < (1 - delta) * referencePeak;
    }
}
