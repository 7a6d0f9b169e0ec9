package dev.kiln.stats;

import java.util.Arrays;
import java.util.Optional;

/**
 * An Interference says how throughput differs between seconds in which others took CPU and seconds in which they did
 * not.
 *
 * <p>Throughput is fitted by least squares on time and a mark, so that a warm-up that climbs is not mistaken for a
 * difference. Seconds are not independent: the variance is multiplied, and their number divided, by (1 + r) / (1 - r),
 * r the lag-1 correlation of the residuals where it is above 0, corrected for its bias in few seconds (Kendall 1954).
 *
 * @param marked seconds in which others took CPU
 * @param unmarked the other seconds
 * @param difference of the marked ones, as a share of the mean of the others: -0.1 is a tenth less
 * @param lo of its 95 % interval
 * @param hi of its 95 % interval
 */
public record Interference(int marked, int unmarked, double difference, double lo, double hi) {
    /** An interval needs at least this many seconds of each kind. */
    private static final int LEAST = 3;

    /** The correlation is cut here, where variance is multiplied by 19 and the estimate becomes poor. */
    private static final double MOST_CORRELATED = 0.9;

    /** Compares the seconds that are marked with the others; empty with too few seconds of one kind. */
    public static Optional<Interference> of(double[] throughput, boolean[] taken) {
        int n = Math.min(throughput.length, taken.length);
        double[] mark = new double[n];
        int marked = 0;
        double others = 0;
        for (int i = 0; i < n; i++) {
            mark[i] = taken[i] ? 1 : 0;
            marked += taken[i] ? 1 : 0;
            others += taken[i] ? 0 : throughput[i];
        }
        if (marked < LEAST || n - marked < LEAST || others <= 0) {
            return Optional.empty();
        }
        double[] x = Series.besideLine(mark);
        double[] y = Series.besideLine(Arrays.copyOf(throughput, n));
        double xx = Series.product(x, x, 0);
        double slope = Series.product(x, y, 0) / xx;
        double[] rest = new double[n];
        for (int i = 0; i < n; i++) {
            rest[i] = y[i] - slope * x[i];
        }
        double squares = Series.product(rest, rest, 0);
        double seen = Series.lagOne(rest);
        double r = Math.clamp(seen + (1 + 4 * seen) / n, 0, MOST_CORRELATED);
        double inflation = Series.inflation(r);
        double error = Math.sqrt(squares / (n - 3) / xx * inflation);
        double half = Student.quantile(0.975, Math.max(2, n / inflation - 3)) * error;
        double level = others / (n - marked);
        return Optional.of(
                new Interference(marked, n - marked, slope / level, (slope - half) / level, (slope + half) / level));
    }

    /** Tells whether throughput was lower in the marked seconds, by the whole of the interval. */
    public boolean fell() {
        return hi < 0;
    }
}
