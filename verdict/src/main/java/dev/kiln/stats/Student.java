package dev.kiln.stats;

import dev.kiln.stats.Estimate.Slack;
import dev.kiln.stats.ExactTest.Permutation;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.commons.statistics.distribution.TDistribution;

/** A Student is an estimate with its standard error, 0 for equal runs, and what Student's t says of it. */
public record Student(double estimate, double se, double df) {
    /** From so many values on Welch's t holds beside any number of others. Fewer lie close together by chance, and it takes them for exact. */
    private static final int FEW = 4;

    /** What decides which of two intervals is the wider one. */
    private static final double USUAL = 0.95;

    /**
     * Estimates the difference of means y - x with unequal variances (Welch 1947), from at least two values a side. Of two or three
     * values beside more of them it is the wider of that and of one variance for both (Student 1908): of 2 and 10 equal ones Welch's
     * interval of 95 % holds in 90 %, and this in 98 %. Where the few differ three times as much, these are 89 and 92 %.
     */
    public static Student welch(double[] x, double[] y) {
        Checks.atLeast("runs", Math.min(x.length, y.length), 2);
        double vx = Descriptive.sampleVariance(x) / x.length;
        double vy = Descriptive.sampleVariance(y) / y.length;
        double v = vx + vy;
        double both = x.length + y.length - 2.0;
        double df = v == 0 ? both : v * v / (vx * vx / (x.length - 1) + vy * vy / (y.length - 1));
        Student apart = new Student(Descriptive.mean(y) - Descriptive.mean(x), Math.sqrt(v), df);
        if (x.length == y.length || Math.min(x.length, y.length) >= FEW) {
            return apart;
        }
        double pooled = (vx * x.length * (x.length - 1) + vy * y.length * (y.length - 1)) / both;
        Student together = new Student(apart.estimate, Math.sqrt(pooled * (1.0 / x.length + 1.0 / y.length)), both);
        return together.reach(USUAL) > apart.reach(USUAL) ? together : apart;
    }

    /** Estimates the mean of the values, of which there are at least two. */
    public static Student oneSample(double[] values) {
        Checks.atLeast("runs", values.length, 2);
        double se = Math.sqrt(Descriptive.sampleVariance(values) / values.length);
        return new Student(Descriptive.mean(values), se, values.length - 1);
    }

    /** Estimates the mean of the differences y - x of at least two pairs. */
    public static Student pairs(double[] x, double[] y) {
        if (x.length != y.length) {
            throw new IllegalArgumentException("pairs need runs of one number, not " + x.length + " and " + y.length);
        }
        double[] differences = new double[x.length];
        Arrays.setAll(differences, i -> y[i] - x[i]);
        return oneSample(differences);
    }

    /**
     * Estimates the middle of two groups' means, from at least two values each, as in a cross-over: what moves one group up
     * and the other down by as much cancels. The groups have one variance (Hills and Armitage, The two-period cross-over
     * clinical trial, 1979).
     */
    public static Student crossedOver(double[] x, double[] y) {
        Checks.atLeast("runs", Math.min(x.length, y.length), 2);
        double df = x.length + y.length - 2.0;
        double squares =
                Descriptive.sampleVariance(x) * (x.length - 1) + Descriptive.sampleVariance(y) * (y.length - 1);
        double se = Math.sqrt(squares / df * (1.0 / x.length + 1.0 / y.length)) / 2;
        return new Student((Descriptive.mean(x) + Descriptive.mean(y)) / 2, se, df);
    }

    /** Returns the quantile of t at probability p. */
    public static double quantile(double p, double df) {
        return TDistribution.of(df).inverseCumulativeProbability(p);
    }

    /** Returns half the width of the two-sided interval. */
    public double reach(double confidence) {
        return quantile(0.5 + confidence / 2, df) * se;
    }

    public double lo(double confidence) {
        return estimate - reach(confidence);
    }

    public double hi(double confidence) {
        return estimate + reach(confidence);
    }

    /** Returns the estimate in standard errors; infinite if there is a difference and no variance. */
    public double t() {
        return estimate == 0 ? 0 : estimate / se;
    }

    /** Returns the two-sided p of the estimate against 0. */
    public double p() {
        return Math.min(1, 2 * TDistribution.of(df).survivalProbability(Math.abs(t())));
    }

    /** Returns the estimate moved towards 0 by the slack: the widened interval then decides on p. */
    public Student nearest(Slack slack) {
        return new Student(slack.towardsZero(estimate), se, df);
    }

    /**
     * A Welch compares two configurations by Welch's t (1947), b against a: the ratio of geometric means by logarithms, or
     * the difference of means for quantities that can be 0 or negative, as the warm-up cost.
     *
     * @param interval b over a, or b minus a, and what it lies between
     * @param se standard error of the difference; of a ratio that of its logarithm
     * @param p two-sided
     */
    public record Welch(Estimate interval, double se, double df, double t, double p) {
        /** Compares by the ratio of geometric means, of at least two runs a side. */
        public static Welch ratio(double[] a, double[] b, double confidence) {
            return ratio(a, b, confidence, Slack.NONE);
        }

        /** Compares by the ratio where its logarithm is known only so well: the interval and p allow for it. */
        public static Welch ratio(double[] a, double[] b, double confidence, Slack slack) {
            Series.requirePositive(a);
            Series.requirePositive(b);
            Welch logs = difference(Series.logs(a), Series.logs(b), confidence, slack);
            return new Welch(
                    new Estimate(Math.exp(logs.estimate()), Math.exp(logs.lo()), Math.exp(logs.hi())),
                    logs.se,
                    logs.df,
                    logs.t,
                    logs.p);
        }

        /** Compares by the difference of means, of at least two runs a side. */
        public static Welch difference(double[] a, double[] b, double confidence) {
            return difference(a, b, confidence, Slack.NONE);
        }

        /** Compares by the difference where it is known only so well: the interval and p allow for it. */
        public static Welch difference(double[] a, double[] b, double confidence, Slack slack) {
            Series.requireFinite(a);
            Series.requireFinite(b);
            Checks.share("confidence", confidence);
            Student s = Student.welch(a, b);
            return new Welch(
                    new Estimate(s.estimate(), s.lo(confidence) - slack.down(), s.hi(confidence) + slack.up()),
                    s.se(),
                    s.df(),
                    s.t(),
                    s.nearest(slack).p());
        }

        public double estimate() {
            return interval.value();
        }

        public double lo() {
            return interval.lo();
        }

        public double hi() {
            return interval.hi();
        }
    }

    /**
     * A Prediction says what the next of some positive values may be: Student's t on their logarithms, as wide as so few
     * values make it (Hahn and Meeker, Statistical Intervals, section 4.7).
     *
     * @param meanLog mean of the logarithms
     * @param scale standard error of the next logarithm
     * @param df values less one
     */
    public record Prediction(double meanLog, double scale, int df) {
        /** Predicts from at least two values that differ. */
        public static Prediction of(double... values) {
            Series.requirePositive(values);
            Checks.atLeast("values", values.length, 2);
            double[] logs = Series.logs(values);
            double variance = Descriptive.sampleVariance(logs);
            if (variance == 0) {
                throw new IllegalArgumentException("values that do not differ predict nothing");
            }
            return new Prediction(
                    Descriptive.mean(logs), Math.sqrt(variance * (1 + 1.0 / values.length)), values.length - 1);
        }

        /** Returns what the next value is below with probability p, given that it is above what is known. */
        public double quantileAbove(double known, double p) {
            TDistribution t = TDistribution.of(df);
            double more = t.survivalProbability((Math.log(known) - meanLog) / scale);
            return Math.max(known, Math.exp(meanLog + scale * t.inverseSurvivalProbability((1 - p) * more)));
        }
    }

    /**
     * A PairedRatio is the ratio b over a of runs interleaved in blocks: t interval on the logarithms of the pairs' ratios,
     * with the exact permutation within blocks beside it.
     *
     * @param interval of the ratio
     * @param seLog standard error of the logarithm of the ratio
     * @param p two-sided, of t
     * @param logs of the pairs' ratios, moved towards 0 by what they are known to
     */
    public record PairedRatio(
            Estimate interval, double seLog, double df, double p, List<Double> logs, double confidence) {
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
                    new Estimate(
                            Math.exp(s.estimate()),
                            Math.exp(s.lo(confidence) - slack.down()),
                            Math.exp(s.hi(confidence) + slack.up())),
                    s.se(),
                    s.df(),
                    s.nearest(slack).p(),
                    IntStream.range(0, x.length)
                            .mapToObj(i -> y[i] - x[i] - moved)
                            .toList(),
                    confidence);
        }

        public double ratio() {
            return interval.value();
        }

        public double lo() {
            return interval.lo();
        }

        public double hi() {
            return interval.hi();
        }

        /** Runs the exact test of the same pairs: a million changes of sign at 20 pairs. */
        public Permutation permutation() {
            return Permutation.withinBlocks(
                    logs.stream().mapToDouble(Double::doubleValue).toArray());
        }

        /** Returns what interval and permutation say together at the interval's own level. */
        public Conclusion conclusion() {
            Permutation exact = permutation();
            return Conclusion.of(Math.log(ratio()), p, exact.p(), exact.smallestPossible(), 1 - confidence);
        }
    }
}
