package dev.kiln.stats;

import org.apache.commons.statistics.distribution.NormalDistribution;

/**
 * An AnalysisConfig has every constant of the analysis of one series, so that it can be configured and printed beside
 * each result. Where no source is named, the value was set on simulated series whose truth is known (bench/truth).
 *
 * @param minRequests fewest requests in a bin: bins are joined until they hold as many, as counting alone makes fewer noisy; 0
 *     where bins are timed and not counted
 * @param delta relative difference of levels that counts as a difference
 * @param confidence two-sided, of the intervals that are printed; those that decide a verdict have their own
 */
public record AnalysisConfig(
        double binSeconds,
        double minRequests,
        double delta,
        double confidence,
        NoiseRules noise,
        TimeRules time,
        EndRules end,
        ShapeRules shape,
        JumpRules jump,
        ValidityRules validity) {

    /**
     * NoiseRules say how noise is estimated.
     *
     * @param noiseBins most bins of the first load, back from its end, that noise is estimated from
     * @param cutSds deviations from the running median beyond this many robust standard deviations are cut
     * @param stepShare share of the variance of consecutive bins that a single step must explain to count as one
     */
    public record NoiseRules(int noiseBins, double cutSds, double stepShare) {
        public NoiseRules {
            Checks.atLeast("noiseBins", noiseBins, 10);
            Checks.positive("cutSds", cutSds);
            Checks.share("stepShare", stepShare);
        }
    }

    /**
     * TimeRules make the interval of a time to p % of the peak.
     *
     * @param timeZ standard errors that the sum must rise above its least value; with 1.7 the interval has the true time in 95 % or more
     * @param timeSpan bins on either side of the time from which their noise is taken
     * @param timeFloor least noise there, as a share of the noise of the series
     * @param clipSds standard deviations at which a bin is clipped, where that is beyond the share of the peak that is missing
     */
    public record TimeRules(double timeZ, int timeSpan, double timeFloor, double clipSds) {
        public TimeRules {
            Checks.positive("timeZ", timeZ);
            Checks.atLeast("timeSpan", timeSpan, 6);
            Checks.share("timeFloor", timeFloor);
            Checks.positive("clipSds", clipSds);
        }
    }

    /**
     * EndRules find where the series stood at its end.
     *
     * @param breakZ standard errors by which the end's two parts must differ for the first to be left out
     * @param endZ standard errors of the interval of the end over the peak, which decides the verdict: 1.42, that is 84 %, so that
     *     each side is wrong in 8 %
     * @param slopeZ standard errors of the interval of a slope, which separates a level from a rise: 3, that is 99.7 %
     * @param peakedAbove the interval of the end over the peak lies above this for a peak that was reached
     */
    public record EndRules(
            int leastEndBins, int mostEndBins, double breakZ, double endZ, double slopeZ, double peakedAbove) {
        public EndRules {
            Checks.atLeast("leastEndBins", leastEndBins, 5);
            Checks.atLeast("mostEndBins", mostEndBins, leastEndBins);
            Checks.positive("breakZ", breakZ);
            Checks.positive("endZ", endZ);
            Checks.positive("slopeZ", slopeZ);
            Checks.share("peakedAbove", peakedAbove);
        }
    }

    /**
     * ShapeRules recognise other shapes than a rise to a level.
     *
     * @param heldBins bins that a higher level must have been held for; less is an overshoot
     * @param heldZ standard errors by which it must be higher
     * @param stoppedBins bins at the end that make a stop
     * @param stoppedShare of the level before, under which a service has stopped
     * @param cycleStays complete stays at two levels from which a cycle cannot be ruled out
     * @param cycleShare of the variance that two levels must explain; two levels explain 0.64 of normal noise
     * @param cycleDoubt share from which a cycle cannot be ruled out
     */
    public record ShapeRules(
            int heldBins,
            double heldZ,
            int stoppedBins,
            double stoppedShare,
            int cycleStays,
            double cycleShare,
            double cycleDoubt) {
        public ShapeRules {
            Checks.atLeast("heldBins", heldBins, 2);
            Checks.positive("heldZ", heldZ);
            Checks.atLeast("stoppedBins", stoppedBins, 1);
            Checks.share("stoppedShare", stoppedShare);
            Checks.atLeast("cycleStays", cycleStays, 2);
            Checks.share("cycleShare", cycleShare);
            Checks.share("cycleDoubt", cycleDoubt);
        }
    }

    /** JumpRules compare throughput around the pause, without the bins of the connections' restart. */
    public record JumpRules(int jumpBins, int jumpSkipBins) {
        public JumpRules {
            Checks.atLeast("jumpBins", jumpBins, 1);
            Checks.atLeast("jumpSkipBins", jumpSkipBins, 0);
        }
    }

    /**
     * ValidityRules say what makes a run invalid.
     *
     * @param maxErrorShare errors a completed-or-failed request, above which a bin is invalid
     * @param maxInvalidShare invalid bins, above which a run is
     * @param invalidReachSeconds distance to a reported time within which one invalid bin makes the run invalid
     */
    public record ValidityRules(double maxErrorShare, double maxInvalidShare, double invalidReachSeconds) {
        public ValidityRules {
            Checks.share("maxErrorShare", maxErrorShare);
            Checks.share("maxInvalidShare", maxInvalidShare);
            Checks.positive("invalidReachSeconds", invalidReachSeconds);
        }
    }

    public AnalysisConfig {
        Checks.positive("binSeconds", binSeconds);
        if (minRequests != 0) {
            Checks.positive("minRequests", minRequests);
        }
        Checks.share("delta", delta);
        Checks.share("confidence", confidence);
    }

    /** Levels differ by more than this share, unless a user sets another (docs/reference/statistics.md). */
    public static final double DELTA = 0.05;

    public static AnalysisConfig defaults() {
        return new AnalysisConfig(
                1,
                15,
                DELTA,
                0.95,
                new NoiseRules(120, 2.5, 0.45),
                new TimeRules(1.7, 30, 0.1, 2),
                new EndRules(10, 30, 5, 1.42, 3.0, 0.9),
                new ShapeRules(20, 2.6, 3, 0.1, 3, 0.75, 0.55),
                new JumpRules(10, 1),
                new ValidityRules(0.01, 0.02, 5));
    }

    /** Returns the same configuration for bins of another length. */
    public AnalysisConfig withBinSeconds(double seconds) {
        return new AnalysisConfig(seconds, minRequests, delta, confidence, noise, time, end, shape, jump, validity);
    }

    /** Returns the same configuration for bins whose rate was timed: a mean of few operations is as exact as one of many. */
    public AnalysisConfig timed() {
        return new AnalysisConfig(binSeconds, 0, delta, confidence, noise, time, end, shape, jump, validity);
    }

    /** Returns the seconds in which a bin counts: counting makes no noise where they have no end. */
    public double countedSeconds() {
        return minRequests == 0 ? Double.POSITIVE_INFINITY : binSeconds;
    }

    /** Returns the same configuration for intervals of another confidence. */
    public AnalysisConfig withConfidence(double other) {
        return new AnalysisConfig(binSeconds, minRequests, delta, other, noise, time, end, shape, jump, validity);
    }

    /** Returns the standard errors to either side of an interval that is printed, where the noise is known. */
    public double intervalZ() {
        return NormalDistribution.of(0, 1).inverseCumulativeProbability(0.5 + confidence / 2);
    }

    /** Returns the level of an interval of so many standard errors to either side, in percent: 84.4 for 1.42. */
    public static double level(double z) {
        return 100 * (2 * NormalDistribution.of(0, 1).cumulativeProbability(z) - 1);
    }

    /** Returns the number of bins that last as long as a rule's seconds, and at least as many as given. */
    public int bins(int seconds, int least) {
        return Math.max(least, (int) Math.ceil(seconds / binSeconds - 1e-9));
    }
}
