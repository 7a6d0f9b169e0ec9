package dev.kiln.stats;

import java.util.OptionalDouble;

/** An ExactTest permutes runs within their blocks, or ranks them, and says the smallest two-sided p of so many. */
public final class ExactTest {
    private ExactTest() {}

    /** Returns the smallest p of the rank test: 2 over the number of groupings; 0.1 for 3 runs against 3. */
    public static double unpaired(int n, int m) {
        Checks.atLeast("runs", Math.min(n, m), 1);
        return Math.min(1, 2 / choose(n + m, n));
    }

    /** Returns the smallest p of the permutation within n blocks of a pair each: 2^(1-n). */
    public static double withinBlocks(int pairs) {
        Checks.atLeast("pairs", pairs, 1);
        return Math.pow(2, 1 - pairs);
    }

    /** Returns how many ways there are to choose k of n; exact as long as it is below 2^53. */
    static double choose(int n, int k) {
        double out = 1;
        for (int i = 1; i <= k; i++) {
            out = out * (n - k + i) / i;
        }
        return out;
    }

    /** Returns the fewest runs a side that can reject at alpha; 4 at 5 %. */
    public static int runsNeeded(double alpha) {
        Checks.share("alpha", alpha);
        int n = 1;
        while (unpaired(n, n) >= alpha) {
            n++;
        }
        return n;
    }

    /** Returns the fewest pairs that can reject at alpha; 6 at 5 %. */
    public static int pairsNeeded(double alpha) {
        Checks.share("alpha", alpha);
        int n = 1;
        while (withinBlocks(n) >= alpha) {
            n++;
        }
        return n;
    }

    /**
     * A Permutation is the exact test of pairs of runs, one pair a block: which of the two runs of a block is which is
     * by chance if the configurations do not differ, so all changes of sign are as likely (Fisher 1935). It is the only
     * permutation that the randomisation of blocks allows.
     *
     * @param p two-sided: the share of all changes of sign whose mean is at least as far from 0; empty beyond 20 pairs
     * @param smallestPossible p of pairs that all agree
     */
    public record Permutation(OptionalDouble p, double smallestPossible) {
        /** The test counts all changes of sign up to this many pairs, which have a million. */
        private static final int MOST_PAIRS = 20;

        /** Sums count as equal within this, relative to the largest value: rounding makes such differences. */
        private static final double TIE = 1e-12;

        /** @param differences one a block */
        public static Permutation withinBlocks(double[] differences) {
            Series.requireFinite(differences);
            double smallest = ExactTest.withinBlocks(differences.length);
            if (differences.length > MOST_PAIRS) {
                return new Permutation(OptionalDouble.empty(), smallest);
            }
            double largest = 0;
            for (double v : differences) {
                largest = Math.max(largest, Math.abs(v));
            }
            double sum = Descriptive.sum(differences);
            double least = Math.abs(sum) - TIE * largest * differences.length;
            long extreme = 0;
            long all = 1L << differences.length;
            double[] signed = differences.clone();
            for (long step = 1; step <= all; step++) {
                extreme += Math.abs(sum) >= least ? 1 : 0;
                // Gray's order: each of them differs from the one before in one sign.
                int next = Long.numberOfTrailingZeros(step);
                if (next < signed.length) {
                    sum -= 2 * signed[next];
                    signed[next] = -signed[next];
                }
            }
            return new Permutation(OptionalDouble.of((double) extreme / all), smallest);
        }
    }

    /** RankSums is the exact null distribution of Mann and Whitney's U (1947), for samples without ties. */
    public static final class RankSums {
        /** A side has at most this many runs: the cost of the exact distribution grows with the fourth power. */
        public static final int MOST_RUNS = 60;

        private final double[] cumulative;

        /**
         * Returns the exact p, two-sided, that needs no distribution; a half that ties leave of U is dropped. Empty for
         * more than 60 runs a side.
         */
        public static OptionalDouble p(double[] a, double[] b) {
            Series.requireFinite(a);
            Series.requireFinite(b);
            Checks.atLeast("runs", Math.min(a.length, b.length), 1);
            if (Math.max(a.length, b.length) > MOST_RUNS) {
                return OptionalDouble.empty();
            }
            double u = u(a, b);
            int least = (int) Math.min(u, (double) a.length * b.length - u);
            return OptionalDouble.of(Math.min(1, 2 * new RankSums(a.length, b.length).cdf(least)));
        }

        /** Returns U: the number of pairs in which b is greater; ties count a half. */
        static double u(double[] a, double[] b) {
            double u = 0;
            for (double x : a) {
                for (double y : b) {
                    u += y > x ? 1 : y == x ? 0.5 : 0;
                }
            }
            return u;
        }

        RankSums(int n, int m) {
            if (Math.max(n, m) > MOST_RUNS) {
                throw new IllegalArgumentException(
                        "exact U for at most " + MOST_RUNS + " runs a side, not " + n + " and " + m);
            }
            double[] counts = counts(n, m);
            cumulative = new double[counts.length];
            double total = choose(n + m, n);
            double sum = 0;
            for (int u = 0; u < counts.length; u++) {
                sum += counts[u];
                cumulative[u] = sum / total;
            }
        }

        /**
         * Returns the number of arrangements by U: the coefficients of the Gaussian binomial, the product over i of (1
         * - q^(m+i)) / (1 - q^i), taken one factor at a time so that each quotient is exact.
         */
        private static double[] counts(int n, int m) {
            double[] counts = new double[n * m + 1];
            counts[0] = 1;
            for (int i = 1; i <= n; i++) {
                for (int u = counts.length - 1; u >= m + i; u--) {
                    counts[u] -= counts[u - m - i];
                }
                for (int u = i; u < counts.length; u++) {
                    counts[u] += counts[u - i];
                }
            }
            return counts;
        }

        /** Returns the largest U of n runs against m, counted from the end, whose p is below alpha; -1 if none is. */
        static int most(int n, int m, double alpha) {
            RankSums sums = new RankSums(n, m);
            int u = -1;
            while (2 * sums.cdf(u + 1) < alpha) {
                u++;
            }
            return u;
        }

        /** Returns P(U <= u), which is 0 below 0. */
        double cdf(int u) {
            return u < 0 ? 0 : cumulative[u];
        }
    }
}
