package dev.kiln.stats;

/**
 * An ObservedShare is the share of samples that have a property, with Wilson's interval (1927), which holds for few samples and
 * for shares near 0 and 1. Samples that depend on each other are worth fewer: the interval is that of so many independent ones.
 *
 * @param of them have it
 * @param samples at least one
 * @param worth how many independent samples they are worth, at most their number
 */
public record ObservedShare(int of, int samples, double worth) {
    /** The quantile of the normal distribution for a two-sided interval of 95 %. */
    private static final double Z = 1.959964;

    public ObservedShare {
        Checks.atLeast("samples", samples, 1);
        if (of < 0 || of > samples) {
            throw new IllegalArgumentException(of + " of " + samples + " samples is no share");
        }
        if (!(worth > 0 && worth <= samples)) {
            throw new IllegalArgumentException(samples + " samples are not worth " + worth);
        }
    }

    /** Makes a share of samples that are independent of each other. */
    public ObservedShare(int of, int samples) {
        this(of, samples, samples);
    }

    public double share() {
        return (double) of / samples;
    }

    /** Returns the lower bound of the interval of 95 %. */
    public double least() {
        return Math.max(0, middle() - reach());
    }

    /** Returns the upper bound of the interval of 95 %. */
    public double most() {
        return Math.min(1, middle() + reach());
    }

    /** Returns half the width of the interval. */
    public double reach() {
        double p = share();
        return Z * Math.sqrt(p * (1 - p) / worth + Z * Z / (4 * worth * worth)) / (1 + Z * Z / worth);
    }

    private double middle() {
        return (share() + Z * Z / (2 * worth)) / (1 + Z * Z / worth);
    }
}
