package dev.kiln.stats;

/**
 * Sums of y and y*y over every prefix, compensated (Neumaier 1974), so that the error of a sum does not grow with the
 * length of the series: with u = 2^-53 and N the sum of all squares, each stored sum is within u of itself.
 */
final class PrefixSums {
    private final double[] sum;
    private final double[] squares;

    PrefixSums(double[] y) {
        sum = accumulate(y, false);
        squares = accumulate(y, true);
    }

    private static double[] accumulate(double[] y, boolean squared) {
        double[] out = new double[y.length + 1];
        double s = 0;
        double lost = 0;
        for (int i = 0; i < y.length; i++) {
            double v = squared ? y[i] * y[i] : y[i];
            double t = s + v;
            lost += Math.abs(s) >= Math.abs(v) ? (s - t) + v : (v - t) + s;
            s = t;
            out[i + 1] = s + lost;
        }
        return out;
    }

    int length() {
        return sum.length - 1;
    }

    double totalOfSquares() {
        return squares[length()];
    }

    /** Sum of squared deviations from the segment's mean; may come out slightly below 0. */
    double deviation(int from, int to) {
        double d = sum[to] - sum[from];
        return squares[to] - squares[from] - d * d / (to - from);
    }

    /**
     * How far {@link #deviation} can be from the truth. The difference of squares is within 5uN. The sums are at most
     * sqrt(nN)/2 for a centred series, so their difference d is off by at most u*sqrt(nN), and d*d/m, with |d| <=
     * sqrt(mN), by 2uN*sqrt(n) + small. 16uN(1+sqrt(n)) covers both with room.
     */
    double deviationError() {
        return 16 * 0x1p-53 * totalOfSquares() * (1 + Math.sqrt(length()));
    }
}
