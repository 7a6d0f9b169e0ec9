package dev.kiln.stats;

import java.util.OptionalDouble;

/**
 * Ratio of arithmetic means, b over a, with Fieller's interval (Fieller 1954) on Welch's degrees of freedom.
 *
 * @param lo empty if unbounded, as hi
 * @param bounded false if a's mean cannot be told from 0
 */
public record Fieller(
        double ratio, OptionalDouble lo, OptionalDouble hi, double df, boolean bounded, double confidence) {
    /** Of at least two runs a side; a's mean must not be exactly 0. */
    public static Fieller of(double[] a, double[] b, double confidence) {
        Series.requireFinite(a);
        Series.requireFinite(b);
        Checks.share("confidence", confidence);
        double df = Student.welch(a, b).df();
        double mean = Descriptive.mean(a);
        if (mean == 0) {
            throw new IllegalArgumentException("a ratio to a mean of 0");
        }
        double ratio = Descriptive.mean(b) / mean;
        double va = Descriptive.sampleVariance(a) / a.length;
        double vb = Descriptive.sampleVariance(b) / b.length;
        double t = Student.quantile(0.5 + confidence / 2, df);
        double g = t * t * va / (mean * mean);
        if (g >= 1) {
            return new Fieller(ratio, OptionalDouble.empty(), OptionalDouble.empty(), df, false, confidence);
        }
        double reach = t / Math.abs(mean) * Math.sqrt((1 - g) * vb + ratio * ratio * va);
        return new Fieller(
                ratio,
                OptionalDouble.of((ratio - reach) / (1 - g)),
                OptionalDouble.of((ratio + reach) / (1 - g)),
                df,
                true,
                confidence);
    }
}
