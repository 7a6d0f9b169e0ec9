package dev.kiln.stats;

import java.util.List;
import java.util.OptionalDouble;

/**
 * Ratio b over a of runs interleaved in blocks: t interval on the logarithms of the pairs' ratios, with Fisher's exact
 * sign-flip test (1935) beside it.
 *
 * @param p two-sided, of t
 * @param signFlipP exact, two-sided; empty beyond 20 pairs
 * @param smallestPossible sign-flip p of pairs that all agree
 */
public record PairedRatio(
        double ratio,
        double lo,
        double hi,
        double df,
        double t,
        double p,
        OptionalDouble signFlipP,
        double smallestPossible,
        double confidence,
        Conclusion conclusion,
        List<Warning> warnings) {
    private static final int MOST_PAIRS = 20;
    private static final double TIE = 1e-12;

    public PairedRatio {
        warnings = List.copyOf(warnings);
    }

    /** Run i of a is paired with run i of b; at least two pairs. */
    public static PairedRatio of(double[] a, double[] b, double confidence) {
        Series.requirePositive(a);
        Series.requirePositive(b);
        Checks.share("confidence", confidence);
        if (a.length != b.length) {
            throw new IllegalArgumentException("pairs need runs of one number, not " + a.length + " and " + b.length);
        }
        double[] logs = new double[a.length];
        for (int i = 0; i < logs.length; i++) {
            logs[i] = Math.log(b[i]) - Math.log(a[i]);
        }
        Student s = Student.oneSample(logs);
        OptionalDouble exact = signFlip(logs);
        double smallest = SmallestP.signFlip(logs.length);
        double alpha = 1 - confidence;
        Conclusion conclusion = Conclusion.of(s.estimate(), s.p(), exact, smallest, alpha);
        return new PairedRatio(
                Math.exp(s.estimate()),
                Math.exp(s.lo(confidence)),
                Math.exp(s.hi(confidence)),
                s.df(),
                s.t(),
                s.p(),
                exact,
                smallest,
                confidence,
                conclusion,
                conclusion.warnings(SmallestP.pairsNeeded(alpha)));
    }

    private static OptionalDouble signFlip(double[] logs) {
        if (logs.length > MOST_PAIRS) {
            return OptionalDouble.empty();
        }
        double largest = 0;
        for (double v : logs) {
            largest = Math.max(largest, Math.abs(v));
        }
        double least = Math.abs(Descriptive.sum(logs)) - TIE * largest * logs.length;
        long extreme = 0;
        long flips = 1L << logs.length;
        for (long signs = 0; signs < flips; signs++) {
            double sum = 0;
            for (int i = 0; i < logs.length; i++) {
                sum += (signs >> i & 1) == 0 ? logs[i] : -logs[i];
            }
            extreme += Math.abs(sum) >= least ? 1 : 0;
        }
        return OptionalDouble.of((double) extreme / flips);
    }
}
