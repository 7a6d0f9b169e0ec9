package dev.kiln.stats;

import java.util.Optional;

/**
 * Exact permutation test of a difference of means (Fisher 1935; Pitman 1937).
 *
 * @param p two-sided: the share of all regroupings whose means differ at least as much
 * @param permutations number of regroupings
 * @param smallestPossible p of the most extreme grouping
 */
public record Permutation(double p, long permutations, double smallestPossible) {
    /** Regroupings up to which all are tried: 10 against 10. */
    private static final double MOST = 200_000;

    /** Sums that are equal but for rounding must count as equal: relative to the largest value. */
    private static final double TIE = 1e-12;

    /** Empty if there are too many regroupings. */
    public static Optional<Permutation> ofMeans(double[] a, double[] b) {
        Series.requireFinite(a);
        Series.requireFinite(b);
        Checks.atLeast("runs", Math.min(a.length, b.length), 1);
        double total = Combinations.choose(a.length + b.length, a.length);
        if (total > MOST) {
            return Optional.empty();
        }
        long extreme = new Search(a, b).count();
        // Of groups of one size the mirror image is as extreme; of others it does not exist.
        double smallest = (a.length == b.length ? 2 : 1) / total;
        return Optional.of(new Permutation(extreme / total, (long) total, smallest));
    }

    /** The same on logarithms, for ratios of geometric means. */
    public static Optional<Permutation> ofRatios(double[] a, double[] b) {
        Series.requirePositive(a);
        Series.requirePositive(b);
        return ofMeans(Series.logs(a), Series.logs(b));
    }

    private static final class Search {
        private final double[] all;
        private final int size;
        private final double sum;
        private final double least;

        Search(double[] a, double[] b) {
            all = new double[a.length + b.length];
            System.arraycopy(a, 0, all, 0, a.length);
            System.arraycopy(b, 0, all, a.length, b.length);
            size = a.length;
            sum = Descriptive.sum(all);
            double largest = 0;
            for (double v : all) {
                largest = Math.max(largest, Math.abs(v));
            }
            least = difference(Descriptive.sum(a)) - TIE * largest * all.length;
        }

        long count() {
            return count(0, size, 0);
        }

        /** Groupings that take {@code missing} more values from index {@code from} on, on top of what sums to {@code taken}. */
        private long count(int from, int missing, double taken) {
            if (missing == 0) {
                return difference(taken) >= least ? 1 : 0;
            }
            if (all.length - from < missing) {
                return 0;
            }
            return count(from + 1, missing - 1, taken + all[from]) + count(from + 1, missing, taken);
        }

        private double difference(double taken) {
            return Math.abs((sum - taken) / (all.length - size) - taken / size);
        }
    }
}
