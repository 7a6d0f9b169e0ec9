package dev.kiln.stats;

import java.util.Arrays;
import java.util.SplittableRandom;

/** Slope of a series: the median of the slopes between all pairs of bins (Theil 1950, Sen 1968). */
final class TheilSen {
    /** Pairs up to which all slopes are held at once: 8 MB. */
    private static final long IN_MEMORY = 1_000_000;

    private static final int SAMPLE = 40_000;
    private static final double HALF_WIDTH = 0.02;

    private TheilSen() {}

    /** Per bin; at least two bins. */
    static double slope(double[] y) {
        if (y.length < 2) {
            throw new IllegalArgumentException("a slope needs two bins, not " + y.length);
        }
        long pairs = (long) y.length * (y.length - 1) / 2;
        return pairs <= IN_MEMORY ? Descriptive.median(all(y, (int) pairs)) : bracketed(y, pairs);
    }

    private static double[] all(double[] y, int pairs) {
        double[] slopes = new double[pairs];
        int k = 0;
        for (int i = 0; i < y.length; i++) {
            for (int j = i + 1; j < y.length; j++) {
                slopes[k++] = (y[j] - y[i]) / (j - i);
            }
        }
        return slopes;
    }

    /**
     * The same median without holding all slopes (a day's tail has 233 million): a sample of pairs brackets it, one pass
     * over all pairs counts those outside the bracket and keeps those inside, and the median is picked by its rank. The
     * sample decides only how many slopes are kept, never the result.
     */
    private static double bracketed(double[] y, long pairs) {
        double[] sample = sample(y);
        for (double half = HALF_WIDTH; half < 0.5; half *= 2) {
            double lo = sample[(int) (SAMPLE * (0.5 - half))];
            double hi = sample[(int) (SAMPLE * (0.5 + half))];
            Bracket bracket = Bracket.of(y, lo, hi);
            if (bracket.holds((pairs - 1) / 2) && bracket.holds(pairs / 2)) {
                return (bracket.ranked((pairs - 1) / 2) + bracket.ranked(pairs / 2)) / 2;
            }
        }
        throw new IllegalStateException("the median slope lies outside the middle of " + SAMPLE + " sampled slopes");
    }

    private static double[] sample(double[] y) {
        SplittableRandom random = new SplittableRandom(1);
        double[] slopes = new double[SAMPLE];
        for (int k = 0; k < SAMPLE; k++) {
            int i = random.nextInt(y.length);
            int j = (i + 1 + random.nextInt(y.length - 1)) % y.length;
            slopes[k] = (y[j] - y[i]) / (j - i);
        }
        Arrays.sort(slopes);
        return slopes;
    }

    /** Counts below, at and above the ends; ties at the ends are counted, not kept: a still series has nothing but ties. */
    private static final class Bracket {
        private final double lo;
        private final double hi;
        private long below;
        private long atLo;
        private long atHi;
        private double[] inside = new double[(int) IN_MEMORY];
        private int kept;

        private Bracket(double lo, double hi) {
            this.lo = lo;
            this.hi = hi;
        }

        static Bracket of(double[] y, double lo, double hi) {
            Bracket bracket = new Bracket(lo, hi);
            for (int i = 0; i < y.length; i++) {
                for (int j = i + 1; j < y.length; j++) {
                    bracket.add((y[j] - y[i]) / (j - i));
                }
            }
            Arrays.sort(bracket.inside, 0, bracket.kept);
            return bracket;
        }

        private void add(double slope) {
            if (slope <= lo) {
                below += slope < lo ? 1 : 0;
                atLo += slope < lo ? 0 : 1;
            } else if (slope < hi) {
                inside = kept < inside.length ? inside : Arrays.copyOf(inside, kept * 2);
                inside[kept++] = slope;
            } else {
                atHi += slope > hi ? 0 : 1;
            }
        }

        boolean holds(long rank) {
            return rank >= below && rank < below + atLo + kept + atHi;
        }

        double ranked(long rank) {
            long k = rank - below - atLo;
            return k < 0 ? lo : k < kept ? inside[(int) k] : hi;
        }
    }
}
