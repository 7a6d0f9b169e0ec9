package dev.kiln.stats;

import java.util.Arrays;

/**
 * A Summary describes one configuration's runs by their means and their spread.
 *
 * @param geomean geometric mean; 0 if a run is 0
 * @param populationSd the convention of the start-up tables people compare with
 * @param sampleSd with n - 1; 0 for one run
 * @param cv sampleSd over mean
 */
public record Summary(
        int runs, double geomean, double mean, double median, double populationSd, double sampleSd, double cv) {
    /** Sums up runs of a positive quantity; a value of 0 or less is an error. */
    public static Summary of(double[] runs) {
        Series.requirePositive(runs);
        return ofNotNegative(runs);
    }

    /** Sums up runs of a quantity that can be 0. */
    public static Summary ofNotNegative(double[] runs) {
        Series.requireRates(runs);
        Checks.atLeast("runs", runs.length, 1);
        boolean zero = Arrays.stream(runs).anyMatch(value -> value == 0);
        double mean = Descriptive.mean(runs);
        double sampleSd = runs.length == 1 ? 0 : Math.sqrt(Descriptive.sampleVariance(runs));
        return new Summary(
                runs.length,
                zero ? 0 : Math.exp(Descriptive.mean(Series.logs(runs))),
                mean,
                Descriptive.median(runs),
                Descriptive.populationSd(runs),
                sampleSd,
                sampleSd / mean);
    }
}
