package dev.kiln.stats;

import dev.kiln.stats.ExactTest.Permutation;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A PairedRatio is the ratio b over a of runs interleaved in blocks: t interval on the logarithms of the pairs' ratios,
 * with the exact permutation within blocks beside it.
 *
 * @param seLog standard error of the logarithm of the ratio
 * @param p two-sided, of t
 * @param logs of the pairs' ratios, moved towards 0 by what they are known to
 */
public record PairedRatio(
        double ratio, double lo, double hi, double seLog, double df, double p, List<Double> logs, double confidence) {
    /** Runs are compared as pairs from this number on: fewer are not worth the loss of degrees of freedom. */
    public static final int FEWEST_PAIRS = 3;

    public PairedRatio {
        logs = List.copyOf(logs);
    }

    /** Pairs run i of a with run i of b; there are at least two pairs. */
    public static PairedRatio of(double[] a, double[] b, double confidence) {
        return of(a, b, confidence, Slack.NONE);
    }

    /** Compares pairs where the logarithm of the ratio is known only so well: the interval and both p allow for it. */
    public static PairedRatio of(double[] a, double[] b, double confidence, Slack slack) {
        Series.requirePositive(a);
        Series.requirePositive(b);
        Checks.share("confidence", confidence);
        double[] x = Series.logs(a);
        double[] y = Series.logs(b);
        Student s = Student.pairs(x, y);
        double moved = s.estimate() - slack.towardsZero(s.estimate());
        return new PairedRatio(
                Math.exp(s.estimate()),
                Math.exp(s.lo(confidence) - slack.down()),
                Math.exp(s.hi(confidence) + slack.up()),
                s.se(),
                s.df(),
                s.nearest(slack).p(),
                IntStream.range(0, x.length).mapToObj(i -> y[i] - x[i] - moved).toList(),
                confidence);
    }

    /** Runs the exact test of the same pairs: a million changes of sign at 20 pairs. */
    public Permutation permutation() {
        return Permutation.withinBlocks(
                logs.stream().mapToDouble(Double::doubleValue).toArray());
    }

    /** Returns what interval and permutation say together at the interval's own level. */
    public Conclusion conclusion() {
        Permutation exact = permutation();
        return Conclusion.of(Math.log(ratio), p, exact.p(), exact.smallestPossible(), 1 - confidence);
    }
}
