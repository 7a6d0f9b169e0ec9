package dev.kiln.stats;

import java.util.OptionalDouble;

/**
 * Exact permutation test of pairs of runs, one pair a block: which of the two runs of a block is which is by chance if the
 * configurations do not differ, so all changes of sign are as likely (Fisher 1935). It is the only permutation that the
 * randomisation of blocks allows.
 *
 * @param p two-sided: the share of all changes of sign whose mean is at least as far from 0; empty beyond 20 pairs
 * @param smallestPossible p of pairs that all agree
 */
public record Permutation(OptionalDouble p, double smallestPossible) {
    /** A million changes of sign. */
    private static final int MOST_PAIRS = 20;

    /** Sums that are equal but for rounding must count as equal: relative to the largest value. */
    private static final double TIE = 1e-12;

    /** @param differences one a block */
    public static Permutation withinBlocks(double[] differences) {
        Series.requireFinite(differences);
        double smallest = SmallestP.withinBlocks(differences.length);
        if (differences.length > MOST_PAIRS) {
            return new Permutation(OptionalDouble.empty(), smallest);
        }
        double largest = 0;
        for (double v : differences) {
            largest = Math.max(largest, Math.abs(v));
        }
        double sum = Descriptive.sum(differences);
        double least = Math.abs(sum) - TIE * largest * differences.length;
        long extreme = 0;
        long all = 1L << differences.length;
        double[] signed = differences.clone();
        for (long step = 1; step <= all; step++) {
            extreme += Math.abs(sum) >= least ? 1 : 0;
            // Gray's order: each of them differs from the one before in one sign.
            int next = Long.numberOfTrailingZeros(step);
            if (next < signed.length) {
                sum -= 2 * signed[next];
                signed[next] = -signed[next];
            }
        }
        return new Permutation(OptionalDouble.of((double) extreme / all), smallest);
    }
}
