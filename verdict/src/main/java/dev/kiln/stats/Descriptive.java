package dev.kiln.stats;

import java.util.Arrays;
import java.util.OptionalDouble;
import java.util.stream.DoubleStream;

/** Descriptive has the means, medians and quantiles of one value or more. */
public final class Descriptive {
    /** The standard deviation of normal values is this multiple of their median absolute deviation. */
    private static final double MAD_TO_SD = 1.4826;

    private Descriptive() {}

    public static double sum(double[] values) {
        double sum = 0;
        for (double v : values) {
            sum += v;
        }
        return sum;
    }

    public static double mean(double[] values) {
        return sum(values) / values.length;
    }

    public static double populationSd(double[] values) {
        return Math.sqrt(squaredDeviations(values) / values.length);
    }

    public static double sampleVariance(double[] values) {
        return squaredDeviations(values) / (values.length - 1);
    }

    private static double squaredDeviations(double[] values) {
        double mean = mean(values);
        double sum = 0;
        for (double v : values) {
            sum += (v - mean) * (v - mean);
        }
        return sum;
    }

    /** Returns the standard deviation of normal values: 1.4826 times their median distance to the level. */
    public static double robustSd(double[] distances) {
        return MAD_TO_SD * median(distances);
    }

    /** Returns the median, of an even number the mean of the middle two, maybe infinite; empty for none. */
    public static OptionalDouble median(DoubleStream values) {
        double[] sorted = values.sorted().toArray();
        if (sorted.length == 0) {
            return OptionalDouble.empty();
        }
        double lower = sorted[(sorted.length - 1) / 2];
        double upper = sorted[sorted.length / 2];
        return OptionalDouble.of(lower == upper ? lower : (lower + upper) / 2);
    }

    public static double median(double[] values) {
        return quantile(values, 0.5);
    }

    /**
     * Returns a quantile by linear interpolation between order statistics (Hyndman and Fan 1996, type 7, as R and
     * NumPy).
     */
    public static double quantile(double[] values, double q) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sortedQuantile(sorted, q);
    }

    public static double sortedQuantile(double[] sorted, double q) {
        double h = (sorted.length - 1) * q;
        int below = (int) h;
        int above = Math.min(below + 1, sorted.length - 1);
        return sorted[below] + (h - below) * (sorted[above] - sorted[below]);
    }
}
