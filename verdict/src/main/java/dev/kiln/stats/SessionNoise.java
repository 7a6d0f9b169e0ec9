package dev.kiln.stats;

/**
 * A SessionNoise says how much sessions differ from one to the next, and how alike neighbours are: an autoregression of
 * order one, from segments of sessions that share a level.
 *
 * @param variance of a session
 * @param df of the variance: what correlated sessions are worth, less a level for each segment
 * @param correlation of neighbours, 0 to 0.9
 */
record SessionNoise(double variance, double df, double correlation) {
    /**
     * Few sessions do not show their correlation, and an estimate that is too low makes false alarms. So it counts as
     * if so many sessions with the correlation of {@link #ASSUMED} had been measured before. Set with LevelShifts.ALPHA
     * on simulated nights (bench/sessions), for at most 5 alarms in 100 series of 100 nights up to a correlation of
     * 0.5.
     */
    static final double ASSUMED_SESSIONS = 60;

    static final double ASSUMED = 0.65;

    private static final double MOST = 0.9;

    /** Estimates the noise from squares and products of neighbours, over segments of so many sessions. */
    static SessionNoise of(double squares, double products, int... lengths) {
        double n = 0;
        for (int length : lengths) {
            n += length;
        }
        double correlation = correlation(squares, products, n, lengths.length);
        double left = 0;
        double scatter = 0;
        for (int length : lengths) {
            left += length - inflation(length, correlation);
            scatter += scatter(length, correlation);
        }
        return new SessionNoise(squares / left, left * left / scatter, correlation);
    }

    /**
     * Returns half the variance of the sum of squares around the mean of n sessions, for a variance of 1: the trace of
     * the square of their centred covariance (Box 1954). With the mean of that sum it gives degrees of freedom.
     */
    private static double scatter(int n, double rho) {
        double tail = Math.pow(rho, n);
        double all = (1 + rho) / (1 - rho);
        double part = 1 / (1 - rho);
        double once = rho * (1 - tail) / (1 - rho);
        double twice = rho * rho * (1 - tail * tail) / (1 - rho * rho);
        double rows = n * all * all - 4 * all * part * once + part * part * (2 * twice + 2 * n * rho * tail);
        double mean = inflation(n, rho);
        return n * inflation(n, rho * rho) - 2 * rows / n + mean * mean;
    }

    /** Returns the correlation without its bias: each level takes (1 + rho) / n, rho 2 rho / n (Kendall 1954). */
    private static double correlation(double squares, double products, double n, int levels) {
        double free = n - levels - 2;
        double seen = free > 0 && squares > 0 ? (products / squares * n + levels) / free : ASSUMED;
        double both = (n * Math.clamp(seen, -1, 1) + ASSUMED_SESSIONS * ASSUMED) / (n + ASSUMED_SESSIONS);
        return Math.clamp(both, 0, MOST);
    }

    /** Returns the variance of the mean of n sessions over that of n independent ones. */
    private static double inflation(int n, double rho) {
        return (1 + rho) / (1 - rho) - 2 * rho * (1 - Math.pow(rho, n)) / (n * (1 - rho) * (1 - rho));
    }

    /** Returns the standard error of the difference of the levels of two adjacent segments, for a variance of 1. */
    double unit(int before, int after) {
        double rho = correlation;
        double shared = rho
                * (1 - Math.pow(rho, before))
                * (1 - Math.pow(rho, after))
                / ((1 - rho) * (1 - rho) * before * after);
        return Math.sqrt(inflation(before, rho) / before + inflation(after, rho) / after - 2 * shared);
    }
}
