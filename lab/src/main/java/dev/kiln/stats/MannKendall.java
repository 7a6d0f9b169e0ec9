package dev.kiln.stats;

/**
 * Mann-Kendall test for a monotone trend with Kendall's exact null distribution (Kendall 1938; Mann 1945). Ties count 0 in S
 * and leave the distribution as it is, which makes the p-value conservative.
 *
 * @param s concordant minus discordant pairs
 * @param p exact, two-sided
 */
record MannKendall(int s, double p) {
    /** The recursion costs the fourth power of it. */
    private static final int MOST = 100;

    static MannKendall of(double[] y) {
        if (y.length > MOST) {
            throw new IllegalArgumentException("exact Kendall p for at most " + MOST + " values, not " + y.length);
        }
        int s = 0;
        for (int i = 0; i < y.length; i++) {
            for (int j = i + 1; j < y.length; j++) {
                s += (int) Math.signum(y[j] - y[i]);
            }
        }
        return new MannKendall(s, exactTwoSided(s, y.length));
    }

    /** Share of the permutations of n with |S| at least as large, by Kendall's recursion over inversions. */
    private static double exactTwoSided(int s, int n) {
        double[] share = {1};
        for (int i = 2; i <= n; i++) {
            double[] next = new double[share.length + i - 1];
            for (int k = 0; k < share.length; k++) {
                for (int q = 0; q < i; q++) {
                    next[k + q] += share[k] / i;
                }
            }
            share = next;
        }
        int pairs = n * (n - 1) / 2;
        double p = 0;
        for (int k = 0; k < share.length; k++) {
            if (Math.abs(pairs - 2 * k) >= Math.abs(s)) {
                p += share[k];
            }
        }
        return Math.min(1, p);
    }
}
