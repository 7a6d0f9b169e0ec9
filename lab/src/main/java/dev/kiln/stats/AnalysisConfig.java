package dev.kiln.stats;

/**
 * Every constant of the analysis of one series, so that it can be configured and printed beside each result. Where no
 * source is named, the value was set for second-bins of HTTP services and is documented in docs/reference/statistics.md.
 *
 * @param binSeconds w: length of a bin, in seconds
 * @param minBins fewest bins from which a class is given
 * @param minTailBins shortest tail, in bins
 * @param tailShare the tail's share of the series, if that is longer
 * @param minMeasuringTailBins shortest tail of a measuring phase that is shorter than minTailBins / measuringTailShare bins
 * @param measuringTailShare the tail's share of such a phase
 * @param delta relative difference of levels that counts as a difference
 * @param penaltyFactor penalty of a changepoint = penaltyFactor * ln(bins); high, to absorb autocorrelation (false alarms
 *     at 150 bins of AR(1): none up to rho 0.6, 2.5 % at 0.8)
 * @param minSegmentBins shortest segment
 * @param dipWindowBins centred window against which a dip is judged
 * @param dipFactor a dip is further from the window's median than dipFactor * (P90 - P10)
 * @param dipMaxRunBins longest run of outlying bins that is a dip; longer runs are signal
 * @param trendAlpha level of the exact Mann-Kendall test on the tail
 * @param trendBlocks block means the test is made on: few enough for the exact distribution, long enough to be independent
 * @param sustainedBins bins for which a level must hold to be reached
 * @param smoothingBins width of the centred median that is held against a level
 * @param resolvableFactor a time to p % is resolvable if 1 - p is at least this many coefficients of variation
 * @param oscillationReversals reversals of the segments' levels that make an oscillation
 * @param jumpBins bins on either side of the pause that the cooldown jump compares
 * @param jumpSkipBins bins after the pause left out: the connections' restart
 * @param jumpThreshold ratio that the between-run lower bound of the jump must exceed
 * @param confidence two-sided, of the intervals between runs
 * @param maxErrorShare errors a completed-or-failed request, above which a bin is invalid
 * @param maxInvalidShare invalid bins, above which a run is
 * @param invalidReachSeconds distance to a reported time within which one invalid bin makes the run invalid
 */
public record AnalysisConfig(
        double binSeconds,
        int minBins,
        int minTailBins,
        double tailShare,
        int minMeasuringTailBins,
        double measuringTailShare,
        double delta,
        double penaltyFactor,
        int minSegmentBins,
        int dipWindowBins,
        double dipFactor,
        int dipMaxRunBins,
        double trendAlpha,
        int trendBlocks,
        int sustainedBins,
        int smoothingBins,
        double resolvableFactor,
        int oscillationReversals,
        int jumpBins,
        int jumpSkipBins,
        double jumpThreshold,
        double confidence,
        double maxErrorShare,
        double maxInvalidShare,
        double invalidReachSeconds) {

    public AnalysisConfig {
        Checks.positive("binSeconds", binSeconds);
        Checks.atLeast("minBins", minBins, 2);
        Checks.atLeast("minTailBins", minTailBins, 2);
        Checks.share("tailShare", tailShare);
        Checks.atLeast("minMeasuringTailBins", minMeasuringTailBins, 2);
        Checks.share("measuringTailShare", measuringTailShare);
        Checks.share("delta", delta);
        Checks.positive("penaltyFactor", penaltyFactor);
        Checks.atLeast("minSegmentBins", minSegmentBins, 2);
        Checks.atLeast("dipWindowBins", dipWindowBins, 3);
        Checks.positive("dipFactor", dipFactor);
        Checks.atLeast("dipMaxRunBins", dipMaxRunBins, 0);
        Checks.share("trendAlpha", trendAlpha);
        Checks.atLeast("trendBlocks", trendBlocks, 4);
        Checks.atLeast("sustainedBins", sustainedBins, 1);
        Checks.atLeast("smoothingBins", smoothingBins, 1);
        Checks.positive("resolvableFactor", resolvableFactor);
        Checks.atLeast("oscillationReversals", oscillationReversals, 1);
        Checks.atLeast("jumpBins", jumpBins, 1);
        Checks.atLeast("jumpSkipBins", jumpSkipBins, 0);
        Checks.positive("jumpThreshold", jumpThreshold);
        Checks.share("confidence", confidence);
        Checks.share("maxErrorShare", maxErrorShare);
        Checks.share("maxInvalidShare", maxInvalidShare);
        Checks.positive("invalidReachSeconds", invalidReachSeconds);
        if (minTailBins > minBins || Math.min(minTailBins, minMeasuringTailBins) < trendBlocks) {
            throw new IllegalArgumentException("the tail (" + minTailBins + ", measuring " + minMeasuringTailBins
                    + " bins) must fit into minBins (" + minBins + ") and hold trendBlocks (" + trendBlocks + ")");
        }
    }

    public static AnalysisConfig defaults() {
        return new AnalysisConfig(
                1, 60, 30, 0.25, 10, 1 / 3.0, 0.05, 15, 5, 21, 3, 2, 0.05, 10, 10, 5, 2, 2, 10, 1, 1.05, 0.95, 0.01,
                0.02, 5);
    }

    /** The same for bins of another length. */
    public AnalysisConfig withBinSeconds(double seconds) {
        return new AnalysisConfig(
                seconds,
                minBins,
                minTailBins,
                tailShare,
                minMeasuringTailBins,
                measuringTailShare,
                delta,
                penaltyFactor,
                minSegmentBins,
                dipWindowBins,
                dipFactor,
                dipMaxRunBins,
                trendAlpha,
                trendBlocks,
                sustainedBins,
                smoothingBins,
                resolvableFactor,
                oscillationReversals,
                jumpBins,
                jumpSkipBins,
                jumpThreshold,
                confidence,
                maxErrorShare,
                maxInvalidShare,
                invalidReachSeconds);
    }

    /** W of a series of n bins that is long enough for minTail. */
    int tailBins(int n, int minTail) {
        return Math.max(minTail, (int) Math.ceil(n * tailShare));
    }

    /** The shortest tail accepted of a measuring phase, relaxed if the phase is short. */
    int measuringMinTail(int n) {
        int share = (int) (n * measuringTailShare + 1e-9);
        return Math.min(minTailBins, Math.max(minMeasuringTailBins, share));
    }
}
