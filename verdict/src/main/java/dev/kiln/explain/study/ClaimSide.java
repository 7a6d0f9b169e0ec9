package dev.kiln.explain.study;

import dev.kiln.explain.study.ExperimentResult.ClaimResult.Ratio;
import dev.kiln.model.experiment.Claim.Check;
import dev.kiln.model.experiment.Claim.Op;
import dev.kiln.stats.Estimate.Slack;
import dev.kiln.stats.Resolution;
import dev.kiln.stats.Student.PairedRatio;
import dev.kiln.stats.Student.Welch;
import dev.kiln.stats.Summary;
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
 * @param bin to which times are known; 0 for all else
 */
record ClaimSide(double[] values, double[] loads, int[] blocks, double bin) {
    /** Runs of different lengths differ in what is counted over all of them. */
    static final String UNLIKE = " grows with the load, and loads that end before their time differ in length";

    static final ClaimSide NOTHING = new ClaimSide(new double[0], new double[0], new int[0], 0);

    static ClaimSide of(double number) {
        return new ClaimSide(new double[] {number}, new double[] {0}, new int[0], 0);
    }

    boolean isNumber() {
        return blocks.length == 0;
    }

    /** Returns one value so many times, and several as they are. */
    private double[] repeated(int n) {
        double[] out = values;
        if (values.length == 1) {
            out = new double[n];
            Arrays.fill(out, values[0]);
        }
        return out;
    }

    /** Returns the values from blocks that have a run of each side, in the order of the blocks. */
    private double[] partners(ClaimSide other) {
        return IntStream.range(0, values.length)
                .filter(i -> blocks[i] > 0 && has(blocks[i]) && other.has(blocks[i]))
                .boxed()
                .sorted(Comparator.comparingInt(i -> blocks[i]))
                .mapToDouble(i -> values[i])
                .toArray();
    }

    /** Tells whether the values have logarithms that a bin more or less leaves finite. */
    boolean positive() {
        return Arrays.stream(values).allMatch(v -> v > 0 && v >= bin && Double.isFinite(v));
    }

    /**
     * Returns the interval of this side over the other, by pairs of a block where there are enough, as these met the same
     * machine. Times are known to their bins.
     */
    Ratio over(ClaimSide other, double confidence) {
        Slack slack = resolution(other)
                .ofLogRatio(
                        Summary.of(other.values).geomean(), Summary.of(values).geomean());
        boolean number = isNumber() || other.isNumber();
        int n = Math.max(values.length, other.values.length);
        double[] mine = number ? repeated(n) : partners(other);
        double[] theirs = number ? other.repeated(n) : other.partners(this);
        if (number || mine.length >= PairedRatio.FEWEST_PAIRS) {
            PairedRatio ratio = PairedRatio.of(theirs, mine, confidence, slack);
            return new Ratio(ratio.lo(), ratio.hi(), confidence);
        }
        Welch ratio = Welch.ratio(other.values, values, confidence, slack);
        return new Ratio(ratio.lo(), ratio.hi(), confidence);
    }

    private boolean has(int block) {
        return Arrays.stream(blocks).filter(one -> one == block).count() == 1;
    }

    /**
     * Returns why runs without an interval, because some value is 0 or was not reached, do not decide. It is empty if
     * they do: each pair of them gives the same answer, whatever the times are that were not reached, and wherever in
     * their bins the others are.
     *
     * @param holds the answer by the medians
     */
    Optional<String> undecided(Check check, ClaimSide right, boolean holds) {
        boolean open = false;
        boolean close = false;
        boolean divided = false;
        for (int i = 0; i < values.length; i++) {
            for (int j = 0; j < right.values.length; j++) {
                Optional<Boolean> one = answer(check.op(), i, right, j);
                open |= one.isEmpty() && (Double.isInfinite(values[i]) || Double.isInfinite(right.values[j]));
                close |= one.isEmpty();
                divided |= one.isPresent() && one.get() != holds;
            }
        }
        return divided
                ? Optional.of(check.text() + ": some runs say yes and others no, so this is not decided")
                : open
                        ? Optional.of(check.text()
                                + ": a time that was not reached in the load may be any longer one, so this is"
                                + " not decided")
                        : close ? Optional.of(known(check, right)) : Optional.empty();
    }

    private String known(Check check, ClaimSide right) {
        return check.text() + ": times are known to " + resolution(right).words() + ", so this is not decided";
    }

    /** Returns to what the other side and this are known; only times are known to bins. */
    private Resolution resolution(ClaimSide other) {
        return new Resolution(other.bin, bin, "s");
    }

    /** Returns the answer of one pair; empty if a time that was not reached, or the bin of another, could change it. */
    private Optional<Boolean> answer(Op op, int i, ClaimSide right, int j) {
        if (Double.isInfinite(values[i]) && Double.isInfinite(right.values[j])) {
            return Optional.empty();
        }
        boolean oneWay = op.holds(least(i), right.values[j] + right.bin / 2);
        return oneWay == op.holds(values[i] + bin / 2, right.least(j)) ? Optional.of(oneWay) : Optional.empty();
    }

    /** Returns the least that a value may be: what a time that was not reached is longer than, or half a bin less. */
    private double least(int i) {
        return Double.isInfinite(values[i]) ? Math.nextUp(loads[i]) : values[i] - bin / 2;
    }
}
