package dev.kiln.stats;

import java.util.Arrays;
import java.util.OptionalDouble;
import java.util.stream.DoubleStream;

/** Means, medians and quantiles of values whose number is at least 1. */
public final class Descriptive {
    /** Median absolute deviation to standard deviation, of normal values. */
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

    /** Of normal values whose distances from their level are these: 1.4826 times the median distance, which outliers do not move. */
    public static double robustSd(double[] distances) {
        return MAD_TO_SD * median(distances);
    }

    /** Of the middle two the mean; empty of none. Values may be infinite, as a time that was never reached. */
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

    /** Linear interpolation between order statistics (Hyndman and Fan 1996, type 7: the default of R and NumPy). */
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
