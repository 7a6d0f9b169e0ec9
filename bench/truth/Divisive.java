import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;

/**
 * E-divisive: D. Matteson, N. James, "A Nonparametric Approach for Multiple Change Point Analysis of Multivariate Data", JASA
 * 2014. Of all splits of all segments it takes the one with the greatest energy statistic, as long as a permutation test within
 * segments rejects. As usual for performance series, distances have exponent 1 and the right part of a split reaches to the
 * segment's end.
 */
final class Divisive {
    /** Permutations and level as in the authors' package ecp; segments may be shorter than its 30, as loads are short. */
    private static final int LEAST = 5, PERMUTATIONS = 199;

    private static final double LEVEL = 0.05;

    /** A split at {@code at}, and how far apart its parts are. */
    private record Split(int at, double statistic) {}

    /** First seconds of the segments, the first 0. */
    static List<Integer> segments(double[] x) {
        Random random = new Random(1);
        TreeSet<Integer> starts = new TreeSet<>(List.of(0));
        while (true) {
            Split best = best(x, starts);
            if (best.at() < 0) {
                break;
            }
            int beyond = 1;
            // No more than so many may beat it: the rest of the permutations cannot turn the answer.
            for (int i = 0; i < PERMUTATIONS && beyond <= LEVEL * (PERMUTATIONS + 1); i++) {
                beyond += best(shuffled(x, starts, random), starts).statistic() >= best.statistic() ? 1 : 0;
            }
            if (beyond > LEVEL * (PERMUTATIONS + 1)) {
                break;
            }
            starts.add(best.at());
        }
        return new ArrayList<>(starts);
    }

    private static Split best(double[] x, TreeSet<Integer> starts) {
        Split best = new Split(-1, 0);
        for (int from : starts) {
            Integer next = starts.higher(from);
            Split split = best(x, from, next == null ? x.length : next);
            best = split.statistic() > best.statistic() ? split : best;
        }
        return best;
    }

    /** Sums of distances within both parts and between them, moved along by one value a step. */
    private static Split best(double[] x, int from, int to) {
        Split best = new Split(-1, 0);
        double left = 0;
        double right = 0;
        double between = 0;
        for (int i = from; i < to; i++) {
            for (int j = from; j < i; j++) {
                right += Math.abs(x[i] - x[j]);
            }
        }
        for (int at = from; at + 1 < to; at++) {
            double toLeft = 0;
            double toRight = 0;
            for (int j = from; j < at; j++) {
                toLeft += Math.abs(x[at] - x[j]);
            }
            for (int j = at + 1; j < to; j++) {
                toRight += Math.abs(x[at] - x[j]);
            }
            left += toLeft;
            right -= toRight;
            between += toRight - toLeft;
            double n = at + 1 - from;
            double m = to - at - 1;
            if (n >= LEAST && m >= LEAST) {
                double apart = 2 * between / (n * m) - 2 * left / (n * (n - 1)) - 2 * right / (m * (m - 1));
                double statistic = apart * n * m / (n + m);
                best = statistic > best.statistic() ? new Split(at + 1, statistic) : best;
            }
        }
        return best;
    }

    private static double[] shuffled(double[] x, TreeSet<Integer> starts, Random random) {
        double[] out = x.clone();
        for (int from : starts) {
            Integer next = starts.higher(from);
            for (int i = (next == null ? x.length : next) - 1; i > from; i--) {
                int k = from + random.nextInt(i - from + 1);
                double value = out[i];
                out[i] = out[k];
                out[k] = value;
            }
        }
        return out;
    }
}
