package dev.kiln.stats;

/** Exact null distribution of Mann and Whitney's U (1947), for samples without ties. */
final class RankSums {
    private final double[] cumulative;

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
