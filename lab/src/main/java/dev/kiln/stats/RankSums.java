package dev.kiln.stats;

import java.util.OptionalDouble;

/** Exact null distribution of Mann and Whitney's U (1947), for samples without ties. */
public final class RankSums {
    private final double[] cumulative;

    /**
     * Exact p, two-sided, that needs no distribution; a half that ties leave of U is dropped. Empty for more than 60 runs a
     * side.
     */
    public static OptionalDouble p(double[] a, double[] b) {
        Series.requireFinite(a);
        Series.requireFinite(b);
        Checks.atLeast("runs", Math.min(a.length, b.length), 1);
        if (Math.max(a.length, b.length) > HodgesLehmann.MOST_RUNS) {
            return OptionalDouble.empty();
        }
        double u = u(a, b);
        int least = (int) Math.min(u, (double) a.length * b.length - u);
        return OptionalDouble.of(Math.min(1, 2 * new RankSums(a.length, b.length).cdf(least)));
    }

    /** Pairs in which b is greater; ties count a half. */
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
        if (Math.max(n, m) > HodgesLehmann.MOST_RUNS) {
            throw new IllegalArgumentException(
                    "exact U for at most " + HodgesLehmann.MOST_RUNS + " runs a side, not " + n + " and " + m);
        }
        double[] counts = counts(n, m);
        cumulative = new double[counts.length];
        double total = Combinations.choose(n + m, n);
        double sum = 0;
        for (int u = 0; u < counts.length; u++) {
            sum += counts[u];
            cumulative[u] = sum / total;
        }
    }

    /**
     * Arrangements by U: the coefficients of the Gaussian binomial, the product over i of (1 - q^(m+i)) / (1 - q^i), taken
     * one factor at a time so that each quotient is exact.
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

    /** P(U <= u); 0 below 0. */
    double cdf(int u) {
        return u < 0 ? 0 : cumulative[u];
    }
}
