package dev.kiln.stats;

/**
 * An Estimate is a figure with its interval.
 *
 * @param lo lower end, at most the value
 * @param hi upper end; infinite where nothing bounds it
 */
public record Estimate(double value, double lo, double hi) {
    /** Makes the estimate of a positive quantity: the interval reaches equally far to both sides on logarithms. */
    public static Estimate ofRelative(double value, double reach) {
        return new Estimate(value, value * Math.exp(-reach), value * Math.exp(reach));
    }

    public static Estimate ofDifference(double value, double reach) {
        return new Estimate(value, value - reach, value + reach);
    }

    public boolean below(double bound) {
        return hi < bound;
    }

    public boolean above(double bound) {
        return lo > bound;
    }

    public boolean within(double from, double to) {
        return lo >= from && hi <= to;
    }
}
