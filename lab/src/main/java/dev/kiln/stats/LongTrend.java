package dev.kiln.stats;

import java.util.Arrays;
import java.util.Optional;
import org.apache.commons.statistics.distribution.NormalDistribution;

/**
 * Where a quantity is going over a long time. Bins that follow one another are alike, which would make any test see trends
 * everywhere, so they are joined to a few blocks first.
 *
 * @param blocks that were tested
 * @param slope per bin: Theil and Sen's, between blocks
 * @param lo of its interval by Kendall's statistic (Sen 1968, with ties), per bin
 * @param level median of the blocks
 * @param growth slope over all bins, as a share of the level
 * @param p of Mann and Kendall's exact test on the blocks
 */
public record LongTrend(
        int blocks, double slope, double lo, double hi, double level, double growth, double p, Direction direction) {
    /** With fewer the smallest p of an exact test is of the order of the level asked for. */
    public static final int LEAST_BLOCKS = 8;

    /** Blocks of a minute and a half in an hour's soak; more, and shorter ones would be alike again. */
    private static final int MOST_BLOCKS = 40;

    /** What the test says, and whether it is as much as counts (delta of the analysis). */
    public enum Direction {
        LEVEL("level"),
        RISING_A_LITTLE("rising, by less than counts"),
        FALLING_A_LITTLE("falling, by less than counts"),
        RISING("rising"),
        FALLING("falling");

        private final String label;

        Direction(String label) {
            this.label = label;
        }

        public String label() {
            return label;
        }
    }

    /** By the means of the blocks; empty where there are too few bins. */
    public static Optional<LongTrend> ofMeans(double[] bins, AnalysisConfig config) {
        return of(bins, config, values -> Arrays.stream(values).average().orElse(0));
    }

    /** By the least of each block: of a heap after collections, which hold garbage more or less. */
    public static Optional<LongTrend> ofLeast(double[] bins, AnalysisConfig config) {
        return of(bins, config, values -> Arrays.stream(values).min().orElse(0));
    }

    private interface Join {
        double of(double[] bins);
    }

    private static Optional<LongTrend> of(double[] bins, AnalysisConfig config, Join join) {
        Series.requireFinite(bins);
        if (bins.length < LEAST_BLOCKS) {
            return Optional.empty();
        }
        int count = Math.min(MOST_BLOCKS, bins.length);
        double[] blocks = new double[count];
        for (int b = 0; b < count; b++) {
            int from = (int) ((long) b * bins.length / count);
            int to = (int) ((long) (b + 1) * bins.length / count);
            blocks[b] = join.of(Arrays.copyOfRange(bins, from, to));
        }
        double perBin = count / (double) bins.length;
        double[] slopes = TheilSen.sortedSlopes(blocks);
        int[] ranks = ranks(blocks, slopes.length, config.confidence());
        double slope = Descriptive.sortedQuantile(slopes, 0.5) * perBin;
        double level = Descriptive.median(blocks);
        double growth = level == 0 ? 0 : slope * bins.length / Math.abs(level);
        double p = MannKendall.of(blocks).p();
        return Optional.of(new LongTrend(
                count,
                slope,
                slopes[ranks[0]] * perBin,
                slopes[ranks[1]] * perBin,
                level,
                growth,
                p,
                direction(growth, p, config)));
    }

    private static Direction direction(double growth, double p, AnalysisConfig config) {
        if (p >= 0.05 || growth == 0) {
            return Direction.LEVEL;
        }
        boolean counts = Math.abs(growth) > config.delta();
        return growth > 0
                ? counts ? Direction.RISING : Direction.RISING_A_LITTLE
                : counts ? Direction.FALLING : Direction.FALLING_A_LITTLE;
    }

    /** Ranks of the slopes that bound the interval: Kendall's S with its normal variance, ties taken off. */
    private static int[] ranks(double[] y, int slopes, double confidence) {
        double n = y.length;
        double variance = n * (n - 1) * (2 * n + 5) / 18;
        double[] sorted = y.clone();
        Arrays.sort(sorted);
        for (int i = 0; i < sorted.length; ) {
            int j = i;
            while (j < sorted.length && sorted[j] == sorted[i]) {
                j++;
            }
            double ties = j - i;
            variance -= ties * (ties - 1) * (2 * ties + 5) / 18;
            i = j;
        }
        double z = NormalDistribution.of(0, 1).inverseCumulativeProbability(0.5 + confidence / 2);
        double reach = z * Math.sqrt(Math.max(0, variance));
        int lo = (int) Math.max(Math.rint((slopes - reach) / 2) - 1, 0);
        int hi = (int) Math.min(Math.rint((slopes + reach) / 2), slopes - 1);
        return new int[] {Math.min(lo, hi), hi};
    }

    public boolean rises() {
        return direction == Direction.RISING;
    }

    public boolean falls() {
        return direction == Direction.FALLING;
    }
}
