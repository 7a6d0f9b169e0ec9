package dev.kiln.stats;

import java.util.Arrays;

/** Series has the checks of incoming series, and the computations that apply to any of them. */
public final class Series {
    private static final int RUNNING_MEDIAN = 11;

    /** A value in this share of the bins is the level, and no dip; one dip may be as much of a short series. */
    private static final double OFTEN = 0.25;

    private static final int LONG = 20;

    /** Cutting that changes the mean by a larger share is undone: such dips are how the service runs. */
    private static final double MOST_TAMED = 0.05;

    private Series() {}

    public static void requireFinite(double[] series) {
        for (int i = 0; i < series.length; i++) {
            if (!Double.isFinite(series[i])) {
                throw new IllegalArgumentException("bin " + i + " is not a finite number: " + series[i]);
            }
        }
    }

    /** Requires rates or counts, which are finite and not negative. */
    public static void requireRates(double[] series) {
        requireFinite(series);
        for (int i = 0; i < series.length; i++) {
            if (series[i] < 0) {
                throw new IllegalArgumentException("bin " + i + " is negative: " + series[i]);
            }
        }
    }

    /** Requires runs of a quantity that has a logarithm: finite and above 0. */
    public static void requirePositive(double[] runs) {
        for (int i = 0; i < runs.length; i++) {
            if (!(runs[i] > 0) || Double.isInfinite(runs[i])) {
                throw new IllegalArgumentException("run " + i + " is not a finite number above 0: " + runs[i]);
            }
        }
    }

    public static double[] logs(double[] runs) {
        return Arrays.stream(runs).map(Math::log).toArray();
    }

    public static double mean(double[] series, int from, int to) {
        double sum = 0;
        for (int i = from; i < to; i++) {
            sum += series[i];
        }
        return sum / (to - from);
    }

    public static double median(double[] series, int from, int to) {
        return Descriptive.median(Arrays.copyOfRange(series, from, to));
    }

    /** Returns the median of a centred window, which is cut off at both ends of the series. */
    public static double[] centredMedian(double[] series, int width) {
        double[] out = new double[series.length];
        int half = width / 2;
        for (int i = 0; i < out.length; i++) {
            out[i] = median(series, Math.max(0, i - half), Math.min(series.length, i + half + 1));
        }
        return out;
    }

    /** Returns the slope of the line of least squares, per bin. */
    public static double slope(double[] series) {
        double middle = (series.length - 1) / 2.0;
        double covariance = 0;
        double variance = 0;
        for (int i = 0; i < series.length; i++) {
            covariance += (i - middle) * series[i];
            variance += (i - middle) * (i - middle);
        }
        return variance == 0 ? 0 : covariance / variance;
    }

    /** Returns what the line of least squares leaves. */
    public static double[] besideLine(double[] series) {
        double middle = (series.length - 1) / 2.0;
        double mean = Descriptive.mean(series);
        double slope = slope(series);
        double[] rest = new double[series.length];
        Arrays.setAll(rest, i -> series[i] - mean - slope * (i - middle));
        return rest;
    }

    /** Returns the sum of the products of each value of b with the value of a so many bins before. */
    public static double product(double[] a, double[] b, int lag) {
        double sum = 0;
        for (int i = lag; i < a.length; i++) {
            sum += a[i - lag] * b[i];
        }
        return sum;
    }

    /** Returns the correlation of each of these residuals with the next; 0 if there are none. */
    public static double lagOne(double[] rest) {
        double squares = product(rest, rest, 0);
        return squares > 0 ? product(rest, rest, 1) / squares : 0;
    }

    /** Returns by how much AR(1) of rho multiplies the variance of a mean or a slope. */
    public static double inflation(double rho) {
        return (1 + rho) / (1 - rho);
    }

    /** Joins bins to wider ones by their mean; what is left at the end is dropped. */
    public static double[] joined(double[] series, int per) {
        double[] out = new double[series.length / per];
        for (int i = 0; i < out.length; i++) {
            out[i] = mean(series, i * per, (i + 1) * per);
        }
        return out;
    }

    /**
     * Returns the series with deviations from the running median cut, so that a collection or a neighbour of some
     * seconds does not decide over a level of half a minute: a filter like Hampel's (Davies and Gather 1993), that cuts
     * in place of replacing.
     *
     * @param cut robust standard deviations
     */
    public static double[] tamed(double[] series, double cut) {
        if (series.length < RUNNING_MEDIAN / 2) {
            return series.clone();
        }
        double[] middle = centredMedian(series, RUNNING_MEDIAN);
        double[] away = new double[series.length];
        for (int i = 0; i < away.length; i++) {
            away[i] = Math.abs(series[i] - middle[i]);
        }
        double reach = cut * Descriptive.robustSd(away);
        double[] out = new double[series.length];
        int changed = 0;
        for (int i = 0; i < out.length; i++) {
            out[i] = middle[i] + Math.clamp(series[i] - middle[i], -reach, reach);
            changed += away[i] > reach ? 1 : 0;
        }
        boolean often = changed >= OFTEN * out.length && out.length >= LONG;
        return often || Descriptive.sum(out) > (1 + MOST_TAMED) * Descriptive.sum(series) ? series.clone() : out;
    }
}
