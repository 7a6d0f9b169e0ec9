package dev.kiln.stats;

import java.util.Comparator;
import java.util.stream.IntStream;

/** Multiplicity adjusts the p-values of many comparisons; results have the order of the values given. */
public final class Multiplicity {
    private Multiplicity() {}

    /** Adjusts by Holm (1979), for the primary metric: this bounds the chance of any false alarm. */
    public static double[] holm(double[] p) {
        int[] order = ascending(p);
        double[] out = new double[p.length];
        double least = 0;
        for (int i = 0; i < p.length; i++) {
            least = Math.max(least, Math.min(1, (p.length - i) * p[order[i]]));
            out[order[i]] = least;
        }
        return out;
    }

    /**
     * Returns the levels of intervals that leave out "no difference" exactly where Holm's procedure rejects: alpha over
     * the number of comparisons not yet rejected; from the first that is not rejected on, all have its level.
     */
    public static double[] holmLevels(double[] p, double alpha) {
        int[] order = ascending(p);
        double[] out = new double[p.length];
        int rejected = 0;
        for (int i : order) {
            out[i] = alpha / (p.length - rejected);
            rejected += p[i] < out[i] ? 1 : 0;
        }
        return out;
    }

    /** Adjusts by Benjamini and Hochberg (1995): it bounds the share of false alarms among the alarms. */
    public static double[] benjaminiHochberg(double[] p) {
        int[] order = ascending(p);
        double[] out = new double[p.length];
        double most = 1;
        for (int i = p.length - 1; i >= 0; i--) {
            most = Math.min(most, p[order[i]] * p.length / (i + 1));
            out[order[i]] = most;
        }
        return out;
    }

    private static int[] ascending(double[] p) {
        for (int i = 0; i < p.length; i++) {
            if (!(p[i] >= 0 && p[i] <= 1)) {
                throw new IllegalArgumentException("p " + i + " is not between 0 and 1: " + p[i]);
            }
        }
        Comparator<Integer> byP = Comparator.comparingDouble(i -> p[i]);
        return IntStream.range(0, p.length)
                .boxed()
                .sorted(byP)
                .mapToInt(Integer::intValue)
                .toArray();
    }
}
