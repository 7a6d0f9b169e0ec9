package dev.kiln.stats;

import java.util.Arrays;
import java.util.Optional;

/**
 * Throughput after the pause against that before it. What grows while no request is served was not held back by the load.
 *
 * @param before mean of the last warm-up bins, requests per second
 * @param after mean of the first measuring bins but the very first, which is the connections' restart
 * @param ratio J = after / before
 * @param slopeRatio what J would be if the warm-up's tail had gone on with its Theil-Sen slope for as many bins under load
 * @param exceedsSlope J is more than that, and more than 1
 * @param tail trend of the warm-up's tail
 */
public record CooldownJump(
        double before, double after, double ratio, double slopeRatio, boolean exceedsSlope, Trend tail) {

    public static Optional<CooldownJump> of(double[] warmup, double[] measure) {
        return of(warmup, measure, AnalysisConfig.defaults());
    }

    /** Empty if a phase is too short, or nothing was served before the pause. */
    public static Optional<CooldownJump> of(double[] warmup, double[] measure, AnalysisConfig config) {
        Series.requireRates(warmup);
        Series.requireRates(measure);
        int span = config.jumpBins();
        int skip = config.jumpSkipBins();
        int tailBins = Math.min(warmup.length, config.tailBins(warmup.length, config.minTailBins()));
        if (warmup.length < span || tailBins < config.trendBlocks() || measure.length < skip + span) {
            return Optional.empty();
        }
        double before = Descriptive.mean(Arrays.copyOfRange(warmup, warmup.length - span, warmup.length));
        if (before == 0) {
            return Optional.empty();
        }
        double after = Descriptive.mean(Arrays.copyOfRange(measure, skip, skip + span));
        double[] tail = Arrays.copyOfRange(warmup, warmup.length - tailBins, warmup.length);
        // From the middle of one window to the middle of the other, the pause left out: it serves nothing.
        double binsBetween = span + skip;
        double slopeRatio = 1 + TheilSen.slope(tail) * binsBetween / before;
        double ratio = after / before;
        boolean exceeds = ratio > Math.max(1, slopeRatio);
        Trend trend = TailTrend.of(tail, config).trend();
        return Optional.of(new CooldownJump(before, after, ratio, slopeRatio, exceeds, trend));
    }
}
