package dev.kiln.stats;

import java.util.Arrays;

/** Checks of what comes in, and windows over it. */
final class Series {
    private Series() {}

    static void requireFinite(double[] series) {
        for (int i = 0; i < series.length; i++) {
            if (!Double.isFinite(series[i])) {
                throw new IllegalArgumentException("bin " + i + " is not a finite number: " + series[i]);
            }
        }
    }

    /** Rates and counts are finite and not negative. */
    static void requireRates(double[] series) {
        requireFinite(series);
        for (int i = 0; i < series.length; i++) {
            if (series[i] < 0) {
                throw new IllegalArgumentException("bin " + i + " is negative: " + series[i]);
            }
        }
    }

    /** Runs of a quantity that has a logarithm. */
    static void requirePositive(double[] runs) {
        for (int i = 0; i < runs.length; i++) {
            if (!(runs[i] > 0) || Double.isInfinite(runs[i])) {
                throw new IllegalArgumentException("run " + i + " is not a finite number above 0: " + runs[i]);
            }
        }
    }

    static double[] logs(double[] runs) {
        return Arrays.stream(runs).map(Math::log).toArray();
    }

    /** Median of a centred window, which is cut off at both ends of the series. */
    static double[] centredMedian(double[] series, int width) {
        double[] out = new double[series.length];
        for (int i = 0; i < out.length; i++) {
            out[i] = Descriptive.median(window(series, i, width));
        }
        return out;
    }

    static double[] window(double[] series, int centre, int width) {
        int half = width / 2;
        return Arrays.copyOfRange(series, Math.max(0, centre - half), Math.min(series.length, centre + half + 1));
    }
}
