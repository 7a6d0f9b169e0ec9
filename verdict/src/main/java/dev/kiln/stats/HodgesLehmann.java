package dev.kiln.stats;

import dev.kiln.stats.Estimate.Slack;
import dev.kiln.stats.ExactTest.RankSums;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * A HodgesLehmann is the ratio b over a without assuming a distribution: the median of all pairwise ratios, its
 * interval from the exact distribution of Mann and Whitney's U (Hodges and Lehmann 1963; Lehmann 1975).
 *
 * @param u pairs in which b is greater; ties count a half
 * @param exactP two-sided, of the distribution without ties
 * @param k the interval runs from the k-th smallest to the k-th largest pairwise ratio; 0 if there are too few runs
 * @param achievedConfidence at least the one asked for; 1 if there are too few runs
 * @param interval of the ratio; empty if there are too few runs
 */
public record HodgesLehmann(
        double ratio,
        double u,
        double exactP,
        int k,
        double achievedConfidence,
        Optional<Estimate> interval,
        List<String> warnings) {
    public HodgesLehmann {
        warnings = List.copyOf(warnings);
    }

    public static HodgesLehmann of(double[] a, double[] b, double confidence) {
        Series.requirePositive(a);
        Series.requirePositive(b);
        Checks.share("confidence", confidence);
        Checks.atLeast("runs", Math.min(a.length, b.length), 1);
        RankSums distribution = new RankSums(a.length, b.length);
        double[] differences = differences(Series.logs(a), Series.logs(b));
        double u = RankSums.u(a, b);
        double p = RankSums.p(a, b).orElseThrow();
        int k = k(distribution, differences.length, confidence);
        double ratio = Math.exp(Descriptive.sortedQuantile(differences, 0.5));
        if (k == 0) {
            String few = "n too small for this confidence";
            return new HodgesLehmann(ratio, u, p, 0, 1, Optional.empty(), List.of(few));
        }
        return new HodgesLehmann(
                ratio,
                u,
                p,
                k,
                1 - 2 * distribution.cdf(k - 1),
                Optional.of(new Estimate(
                        ratio, Math.exp(differences[k - 1]), Math.exp(differences[differences.length - k]))),
                ties(a, b));
    }

    /** Returns the lower end of the interval; empty if there are too few runs. */
    public OptionalDouble lo() {
        return interval.stream().mapToDouble(Estimate::lo).findFirst();
    }

    /** Returns the upper end of the interval; empty if there are too few runs. */
    public OptionalDouble hi() {
        return interval.stream().mapToDouble(Estimate::hi).findFirst();
    }

    /** Returns the greatest k with P(U <= k - 1) within the tail. */
    private static int k(RankSums distribution, int pairs, double confidence) {
        int k = 0;
        while (k < pairs && distribution.cdf(k) <= (1 - confidence) / 2) {
            k++;
        }
        return k;
    }

    private static double[] differences(double[] x, double[] y) {
        double[] out = new double[x.length * y.length];
        int k = 0;
        for (double from : x) {
            for (double to : y) {
                out[k++] = to - from;
            }
        }
        Arrays.sort(out);
        return out;
    }

    /** Returns the same ratio with its interval widened by how exactly its logarithm is known. */
    public HodgesLehmann widened(Slack slack) {
        return new HodgesLehmann(
                ratio,
                u,
                exactP,
                k,
                achievedConfidence,
                interval.map(known ->
                        new Estimate(ratio, known.lo() * Math.exp(-slack.down()), known.hi() * Math.exp(slack.up()))),
                warnings);
    }

    private static List<String> ties(double[] a, double[] b) {
        long distinct = Arrays.stream(a).distinct().count()
                + Arrays.stream(b).distinct().count();
        double[] both = Arrays.copyOf(a, a.length + b.length);
        System.arraycopy(b, 0, both, a.length, b.length);
        return Arrays.stream(both).distinct().count() == distinct
                ? List.of()
                : List.of("runs of both sides are equal: the rank test is approximate");
    }
}
