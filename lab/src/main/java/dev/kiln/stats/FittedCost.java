package dev.kiln.stats;

/** A cost bound to one series. Segments are half open, {@code [from, to)}, in bins. */
sealed interface FittedCost permits NormalCost, SquaredCost {
    /** What the segment costs, as the plain recursion adds it up. */
    double cost(int from, int to);

    /**
     * A superadditive minorant L of the exact cost: L(a,b) + L(b,c) <= L(a,c), computed so that rounding errs downwards.
     */
    double minorant(int from, int to);

    /**
     * Upper bound of L(s, to) - cost(s, to), errors of the sums included, over all s in [first, join); infinite where none is known.
     */
    double slack(int first, int join, int to);

    /** No segment of m bins costs less than m times this, but for {@link #rounding}. */
    double leastPerBin();

    /** By how much adding costs up can be off. */
    double rounding();

    /** Turns a sum of costs of the n-bin series into the unit of the definition. */
    double objective(double sum);
}
