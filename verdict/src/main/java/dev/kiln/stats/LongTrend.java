package dev.kiln.stats;

import java.util.Arrays;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/**
 * A LongTrend says where a quantity goes over a long time: the slope of a line through it, with an interval that holds
 * though neighbouring values are alike. The line is fitted by least squares to at most 40 blocks; the variance of its
 * slope is that of independent blocks times (1 + rho) / (1 - rho), with rho the lag-1 correlation of the residuals,
 * corrected for what fitting the line takes from it (Kendall 1954), and the degrees of freedom are those of the
 * effective number of blocks.
 *
 * @param bins the blocks were made of
 * @param slope per bin, as lo and hi
 * @param level mean of the blocks
 * @param rho of the residuals of the blocks, at least 0
 */
public record LongTrend(int bins, int blocks, double slope, double lo, double hi, double level, double rho) {
    /** A trend needs at least this many blocks: with fewer neither the line nor its noise is known. */
    public static final int LEAST_BLOCKS = 8;

    /** A series has at most so many blocks, of 90 s in an hour's soak; more would depend on each other. */
    private static final int MOST_BLOCKS = 40;

    /** The correlation is cut here: residuals that correlate more are no noise around a line. */
    private static final double MOST_RHO = 0.9;

    /** Fits the trend to the means of the blocks; empty where there are too few bins. */
    public static Optional<LongTrend> ofMeans(double[] bins, double confidence) {
        return of(bins, confidence, values -> Arrays.stream(values).average().orElse(0));
    }

    /** Fits the trend to each block's least value: for a heap, whose collections leave some garbage. */
    public static Optional<LongTrend> ofLeast(double[] bins, double confidence) {
        return of(bins, confidence, values -> Arrays.stream(values).min().orElse(0));
    }

    private static Optional<LongTrend> of(double[] bins, double confidence, ToDoubleFunction<double[]> join) {
        Series.requireFinite(bins);
        Checks.share("confidence", confidence);
        if (bins.length < LEAST_BLOCKS) {
            return Optional.empty();
        }
        int count = Math.min(MOST_BLOCKS, bins.length);
        double[] blocks = new double[count];
        for (int b = 0; b < count; b++) {
            int from = (int) ((long) b * bins.length / count);
            int to = (int) ((long) (b + 1) * bins.length / count);
            blocks[b] = join.applyAsDouble(Arrays.copyOfRange(bins, from, to));
        }
        return Optional.of(line(blocks, bins.length, confidence));
    }

    private static LongTrend line(double[] y, int bins, double confidence) {
        int n = y.length;
        double level = Descriptive.mean(y);
        double slope = Series.slope(y);
        double[] rest = Series.besideLine(y);
        double squares = Series.product(rest, rest, 0);
        double sxx = n * (n * (double) n - 1) / 12;
        double rho = squares == 0 ? 0 : Math.clamp((Series.lagOne(rest) + 2.0 / n) / (1 - 4.0 / n), 0, MOST_RHO);
        double inflation = Series.inflation(rho);
        double df = Math.max(1, n / inflation - 2);
        double se = Math.sqrt(squares / (n - 2) / sxx * inflation);
        double reach = se == 0 ? 0 : Student.quantile(0.5 + confidence / 2, df) * se;
        double perBin = n / (double) bins;
        return new LongTrend(bins, n, slope * perBin, (slope - reach) * perBin, (slope + reach) * perBin, level, rho);
    }

    /** Tells whether the quantity rises, by the whole of its interval. */
    public boolean rises() {
        return lo > 0;
    }

    /** Tells whether the quantity falls, by the whole of its interval. */
    public boolean falls() {
        return hi < 0;
    }

    /** Returns what a slope per bin amounts to over all bins, as a share of the level. */
    public double growth(double perBin) {
        return level == 0 ? 0 : perBin * bins / Math.abs(level);
    }
}
