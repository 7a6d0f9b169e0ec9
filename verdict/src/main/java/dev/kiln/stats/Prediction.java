package dev.kiln.stats;

import org.apache.commons.statistics.distribution.TDistribution;

/**
 * A Prediction says what the next of some positive values may be: Student's t on their logarithms, as wide as so few
 * values make it (Hahn and Meeker, Statistical Intervals, section 4.7).
 *
 * @param meanLog mean of the logarithms
 * @param scale standard error of the next logarithm
 * @param df values less one
 */
public record Prediction(double meanLog, double scale, int df) {
    /** Predicts from at least two values that differ. */
    public static Prediction of(double... values) {
        Series.requirePositive(values);
        Checks.atLeast("values", values.length, 2);
        double[] logs = Series.logs(values);
        double variance = Descriptive.sampleVariance(logs);
        if (variance == 0) {
            throw new IllegalArgumentException("values that do not differ predict nothing");
        }
        return new Prediction(
                Descriptive.mean(logs), Math.sqrt(variance * (1 + 1.0 / values.length)), values.length - 1);
    }

    /**
     * Returns the value that the next one is below with probability p, given that it is above what is known; never less
     * than that.
     */
    public double quantileAbove(double known, double p) {
        TDistribution t = TDistribution.of(df);
        double more = t.survivalProbability((Math.log(known) - meanLog) / scale);
        return Math.max(known, Math.exp(meanLog + scale * t.inverseSurvivalProbability((1 - p) * more)));
    }
}
