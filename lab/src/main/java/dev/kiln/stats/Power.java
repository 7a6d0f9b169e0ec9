package dev.kiln.stats;

import java.util.OptionalInt;
import java.util.function.IntPredicate;

/** What so many runs can show, and how many are needed. Two groups of n runs each, one coefficient of variation. */
public final class Power {
    private static final int MOST_RUNS = 10_000;
    private static final double USUAL = 0.95;

    private Power() {}

    /**
     * The smallest relative change that n runs a side show with 80 % power at 5 %:
     * exp((t(.975) + t(.8)) * CV * sqrt(2/n)) - 1, t with 2n - 2 degrees of freedom.
     *
     * @return a share, as 0.03
     */
    public static double minimalDetectableEffect(double cv, int runs) {
        Checks.atLeast("runs", runs, 2);
        requireCv(cv);
        return minimalDetectableEffect(cv * Math.sqrt(2.0 / runs), 2.0 * runs - 2);
    }

    /** The same from the standard error of the logarithm of the ratio, for groups that are not equal, and for pairs. */
    public static double minimalDetectableEffect(double seLog, double df) {
        return minimalDetectableEffect(seLog, df, USUAL);
    }

    /** The same at another confidence than 95 %: that of one of several comparisons. */
    public static double minimalDetectableEffect(double seLog, double df, double confidence) {
        double two = Student.quantile((1 + confidence) / 2, df);
        return Math.expm1((two + Student.quantile(0.8, df)) * seLog);
    }

    /** Fewest runs a side that show a relative change; empty beyond 10,000. */
    public static OptionalInt runsForEffect(double cv, double effect) {
        Checks.positive("effect", effect);
        requireCv(cv);
        return fewest(n -> minimalDetectableEffect(cv, n) <= effect);
    }

    /**
     * Fewest pairs that show a relative change; empty beyond 10,000.
     *
     * @param sdLog standard deviation of the logarithms of the pairs' ratios
     */
    public static OptionalInt pairsForEffect(double sdLog, double effect) {
        return pairsForEffect(sdLog, effect, USUAL);
    }

    /** The same at another confidence than 95 %. */
    public static OptionalInt pairsForEffect(double sdLog, double effect, double confidence) {
        Checks.positive("effect", effect);
        requireCv(sdLog);
        return fewest(n -> minimalDetectableEffect(sdLog / Math.sqrt(n), n - 1.0, confidence) <= effect);
    }

    private static void requireCv(double cv) {
        if (!(cv >= 0) || Double.isInfinite(cv)) {
            throw new IllegalArgumentException("cv must be finite and not negative: " + cv);
        }
    }

    /** Both conditions get easier with every run, so the search can halve. */
    private static OptionalInt fewest(IntPredicate enough) {
        if (!enough.test(MOST_RUNS)) {
            return OptionalInt.empty();
        }
        int low = 2;
        int high = MOST_RUNS;
        while (low < high) {
            int middle = (low + high) / 2;
            if (enough.test(middle)) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return OptionalInt.of(high);
    }
}
