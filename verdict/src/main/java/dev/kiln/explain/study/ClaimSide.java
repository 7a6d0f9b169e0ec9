package dev.kiln.explain.study;

import dev.kiln.model.experiment.Claim.Check;
import dev.kiln.model.experiment.Claim.Op;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * A ClaimSide is what the runs say of one side of a check, in their order.
 *
 * @param values infinite for a time that was not reached
 * @param loads what such a time is longer than: that of the run's load. It may be any longer one
 * @param blocks of the runs; empty for a number
 */
record ClaimSide(double[] values, double[] loads, int[] blocks) {
    /** Runs of different lengths differ in what is counted over all of them. */
    static final String UNLIKE = " grows with the load, and loads that end before their time differ in length";

    static final ClaimSide NOTHING = new ClaimSide(new double[0], new double[0], new int[0]);

    static ClaimSide of(double number) {
        return new ClaimSide(new double[] {number}, new double[] {0}, new int[0]);
    }

    /** Returns one value so many times, and several as they are. */
    static double[] repeated(double[] values, int n) {
        double[] out = values;
        if (values.length == 1) {
            out = new double[n];
            Arrays.fill(out, values[0]);
        }
        return out;
    }

    /** Returns the values from blocks that have a run of each side, in the order of the blocks. */
    double[] partners(ClaimSide other) {
        return IntStream.range(0, values.length)
                .filter(i -> blocks[i] > 0 && has(blocks[i]) && other.has(blocks[i]))
                .boxed()
                .sorted(Comparator.comparingInt(i -> blocks[i]))
                .mapToDouble(i -> values[i])
                .toArray();
    }

    private boolean has(int block) {
        return Arrays.stream(blocks).filter(one -> one == block).count() == 1;
    }

    /**
     * Returns why runs without an interval, because some value is 0 or was not reached, do not decide. It is empty if
     * they do: each pair of them gives the same answer, whatever the times are that were not reached.
     *
     * @param holds the answer by the medians
     */
    Optional<String> undecided(Check check, ClaimSide right, boolean holds) {
        boolean open = false;
        boolean divided = false;
        for (int i = 0; i < values.length; i++) {
            for (int j = 0; j < right.values.length; j++) {
                Optional<Boolean> one = answer(check.op(), i, right, j);
                open |= one.isEmpty();
                divided |= one.isPresent() && one.get() != holds;
            }
        }
        return divided
                ? Optional.of(check.text() + ": some runs say yes and others no, so this is not decided")
                : open
                        ? Optional.of(check.text()
                                + ": a time that was not reached in the load may be any longer one, so this is"
                                + " not decided")
                        : Optional.empty();
    }

    /** Returns the answer of one pair; empty if a time that was not reached could change it. */
    private Optional<Boolean> answer(Op op, int i, ClaimSide right, int j) {
        boolean leftOpen = Double.isInfinite(values[i]);
        boolean rightOpen = Double.isInfinite(right.values[j]);
        if (leftOpen && rightOpen) {
            return Optional.empty();
        }
        double leftLeast = leftOpen ? Math.nextUp(loads[i]) : values[i];
        double rightLeast = rightOpen ? Math.nextUp(right.loads[j]) : right.values[j];
        boolean atLeast = op.holds(leftLeast, rightLeast);
        return atLeast == op.holds(values[i], right.values[j]) ? Optional.of(atLeast) : Optional.empty();
    }
}
