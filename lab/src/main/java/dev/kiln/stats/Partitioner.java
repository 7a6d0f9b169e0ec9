package dev.kiln.stats;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Exact optimal partitioning with a minimum segment length (Jackson et al. 2005, IEEE Signal Processing Letters 12).
 *
 * <pre>
 * F[0] = -penalty;  F[t] = min over s in 0..t-minSegment of F[s] + cost(s,t) + penalty   (the first minimum wins)
 * </pre>
 *
 * <p>The recursion is quadratic. What makes it fast is a bound over a block of candidates, not PELT's pruning, which drops
 * a candidate for good and is wrong with a minimum segment: nothing is ever dropped here, each t asks every block anew.
 *
 * <p><b>Why the result is that of the plain recursion.</b> A block is a range of candidates s with one join j, at least
 * minSegment after each of them; it is consulted for t > j only, when all its candidates are admissible. L is a
 * superadditive minorant of the exact cost, so L(s,t) >= L(s,j) + L(j,t), and cost(s,t) as computed is >= L(s,t) - slack
 * (both in {@link FittedCost}, variance floor and rounding included). Hence every candidate of the block has
 *
 * <pre>
 * F[s] + cost(s,t) + penalty >= min over the block of (F[s] + L(s,j)) + L(j,t) - slack + penalty
 * </pre>
 *
 * <p>whose first term is computed once a block. Where the series stands still the slack has no bound; there a second bound
 * serves: a segment costs at least leastPerBin a bin, so every candidate is at least the minimum over the block of
 * (F[s] - s * leastPerBin), plus t * leastPerBin + penalty. If either right side is greater than the value of some
 * candidate already evaluated at this t, no candidate of the block is a minimum, not even a tied one. The rest is evaluated
 * in ascending order with the plain recursion's own expression, so the first minimum wins, with the same bits.
 */
public final class Partitioner {
    /** Candidates a block: near sqrt(n/2) for a day of seconds, where bounds and evaluations cost about the same. */
    private static final int BLOCK = 128;

    private final FittedCost cost;
    private final double penalty;
    private final int minSegment;
    private final double[] best;
    private final int[] previous;
    private final double[] blockMinimum;
    private final double[] blockLeast;

    private Partitioner(FittedCost cost, int n, double penalty, int minSegment) {
        this.cost = cost;
        this.penalty = penalty;
        this.minSegment = minSegment;
        best = new double[n + 1];
        previous = new int[n + 1];
        blockMinimum = new double[n / BLOCK + 1];
        blockLeast = new double[n / BLOCK + 1];
        Arrays.fill(best, Double.POSITIVE_INFINITY);
        best[0] = -penalty;
    }

    /**
     * Segments a series.
     *
     * @param minSegment shortest segment allowed, in bins
     */
    public static Partition partition(double[] series, SegmentCost cost, double penalty, int minSegment) {
        Series.requireFinite(series);
        if (minSegment < 1 || series.length < minSegment) {
            throw new IllegalArgumentException(
                    "a segment of at least " + minSegment + " bins does not fit into " + series.length + " bins");
        }
        if (!(penalty >= 0) || Double.isInfinite(penalty)) {
            throw new IllegalArgumentException("penalty must be finite and not negative: " + penalty);
        }
        FittedCost fitted = cost.fit(series);
        return new Partitioner(fitted, series.length, penalty, minSegment).solve();
    }

    private Partition solve() {
        int n = best.length - 1;
        int closed = 0;
        for (int t = minSegment; t <= n; t++) {
            if (join(closed) < t) {
                close(closed++);
            }
            step(t, closed);
        }
        List<Integer> changepoints = new ArrayList<>();
        for (int t = previous[n]; t > 0; t = previous[t]) {
            changepoints.add(t);
        }
        return new Partition(changepoints.reversed(), cost.objective(best[n]));
    }

    /** The bin at which the bound of a block splits its segments: the first that is admissible for its last candidate. */
    private int join(int block) {
        return (block + 1) * BLOCK - 1 + minSegment;
    }

    private void close(int block) {
        double minimum = Double.POSITIVE_INFINITY;
        double least = Double.POSITIVE_INFINITY;
        for (int s = block * BLOCK; s < (block + 1) * BLOCK; s++) {
            if (best[s] < Double.POSITIVE_INFINITY) {
                minimum = Math.min(minimum, best[s] + cost.minorant(s, join(block)));
                least = Math.min(least, best[s] - s * cost.leastPerBin());
            }
        }
        blockMinimum[block] = minimum;
        blockLeast[block] = least;
    }

    private void step(int t, int closed) {
        // The last t's winner is nearly always close to this t's: a good value to hold the blocks against.
        int hint = previous[t - 1];
        double reached = best[hint] + cost.cost(hint, t) + penalty;
        for (int block = 0; block < closed; block++) {
            if (!excluded(block, t, reached)) {
                scan(block * BLOCK, (block + 1) * BLOCK, t);
                reached = Math.min(reached, best[t]);
            }
        }
        scan(closed * BLOCK, t - minSegment + 1, t);
    }

    private boolean excluded(int block, int t, double reached) {
        // Sums that contain the penalty round in proportion to it.
        double limit = reached + cost.rounding() + 1e-13 * (penalty + Math.abs(reached));
        if (blockLeast[block] + t * cost.leastPerBin() + penalty > limit) {
            return true;
        }
        int join = join(block);
        double bound = blockMinimum[block] + cost.minorant(join, t) - cost.slack(block * BLOCK, join, t);
        return bound + penalty > limit;
    }

    private void scan(int from, int to, int t) {
        double least = best[t];
        int winner = previous[t];
        for (int s = from; s < to; s++) {
            double candidate = best[s] + cost.cost(s, t) + penalty;
            if (candidate < least) {
                least = candidate;
                winner = s;
            }
        }
        best[t] = least;
        previous[t] = winner;
    }
}
