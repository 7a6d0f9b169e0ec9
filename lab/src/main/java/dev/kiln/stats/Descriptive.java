package dev.kiln.stats;

import java.util.Arrays;

/** Means, medians and quantiles of values whose number is at least 1. */
final class Descriptive {
    private Descriptive() {}

    static double sum(double[] values) {
        double sum = 0;
        for (double v : values) {
            sum += v;
        }
        return sum;
    }

    static double mean(double[] values) {
        return sum(values) / values.length;
    }

    static double populationSd(double[] values) {
        return Math.sqrt(squaredDeviations(values) / values.length);
    }

    static double sampleVariance(double[] values) {
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

    static double median(double[] values) {
        return quantile(values, 0.5);
    }

    /** Linear interpolation between order statistics (Hyndman and Fan 1996, type 7: the default of R and NumPy). */
    static double quantile(double[] values, double q) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sortedQuantile(sorted, q);
    }

    static double sortedQuantile(double[] sorted, double q) {
        double h = (sorted.length - 1) * q;
        int below = (int) h;
        int above = Math.min(below + 1, sorted.length - 1);
        return sorted[below] + (h - below) * (sorted[above] - sorted[below]);
    }
}
