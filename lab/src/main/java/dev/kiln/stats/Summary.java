package dev.kiln.stats;

/**
 * One configuration's runs, of a positive quantity.
 *
 * @param geomean geometric mean
 * @param populationSd the convention of the start-up tables people compare with
 * @param sampleSd with n - 1; 0 for one run
 * @param cv sampleSd over mean
 */
public record Summary(
        int runs, double geomean, double mean, double median, double populationSd, double sampleSd, double cv) {
    public static Summary of(double[] runs) {
        Series.requirePositive(runs);
        Checks.atLeast("runs", runs.length, 1);
        double mean = Descriptive.mean(runs);
        double sampleSd = runs.length == 1 ? 0 : Math.sqrt(Descriptive.sampleVariance(runs));
        return new Summary(
                runs.length,
                Math.exp(Descriptive.mean(Series.logs(runs))),
                mean,
                Descriptive.median(runs),
                Descriptive.populationSd(runs),
                sampleSd,
                sampleSd / mean);
    }
}
