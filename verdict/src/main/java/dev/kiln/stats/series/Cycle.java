package dev.kiln.stats.series;

import dev.kiln.stats.AnalysisConfig;
import dev.kiln.stats.Descriptive;
import dev.kiln.stats.Series;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A Cycle is throughput that changes between two levels again and again.
 *
 * @param high requests per second
 * @param low requests per second
 * @param periodBins bins from one change up to the next, on average
 * @param sure false where it may be noise
 */
public record Cycle(double high, double low, double periodBins, boolean sure) {
    private static final int ROUNDS = 8;
    private static final int LEAST_BINS = 20;

    /** A change costs as much as this many variances: Viterbi's path through two levels with normal noise. */
    private static final double CHANGE_COST = 6;

    /** Each of the two levels has at least this share of the time: dips of a second are no cycle. */
    private static final double LEAST_SHARE = 0.2;

    /** Levels closer than this are one, as a share of the higher. */
    private static final double LEAST_DEPTH = 0.1;

    /** Times at the two levels are alike by this ratio: dips are short against what they interrupt. */
    private static final double ALIKE = 0.4;

    private static final double ALIKE_DOUBT = 0.3;

    /** Each level has at least this many complete stays: a single fall has one. */
    private static final int LEAST_STAYS = 2;

    /** A stay lasts at least this many bins: a shorter one is no level, but an effect of counting. */
    private static final double LEAST_STAY = 3;

    /** Two levels leave at most this share of the variance that a line or one step leaves. */
    private static final double BETTER = 0.4;

    private static final double BETTER_DOUBT = 0.6;

    /** A Path is that of a series through two levels: true is the lower. */
    private record Path(boolean[] low, double high, double lower) {}

    /**
     * Returns the cycle of a series, or null where there is none: a working value, not for other packages.
     *
     * @param bins the first load
     * @param from bin at which it begins to be of interest: the rise before it is no cycle
     * @param after the load after the pause
     */
    static @org.jspecify.annotations.Nullable Cycle of(double[] bins, int from, double[] after, AnalysisConfig config) {
        double[] first = Arrays.copyOfRange(bins, from, bins.length);
        double[] all = Arrays.copyOf(first, first.length + after.length);
        System.arraycopy(after, 0, all, first.length, after.length);
        Path path = first.length < LEAST_BINS ? null : path(all, first.length);
        return path == null ? null : judged(path, all, first, config);
    }

    private static @org.jspecify.annotations.Nullable Path path(double[] all, int pause) {
        double[] sorted = all.clone();
        Arrays.sort(sorted);
        double high = sorted[(int) (sorted.length * 0.8)];
        double low = sorted[(int) (sorted.length * 0.2)];
        boolean[] state = new boolean[all.length];
        for (int round = 0; round < ROUNDS; round++) {
            if (high - low < LEAST_DEPTH / 5 * high) {
                return null;
            }
            state = viterbi(all, pause, high, low);
            double sumLow = 0;
            double sumHigh = 0;
            int lows = 0;
            for (int i = 0; i < all.length; i++) {
                lows += state[i] ? 1 : 0;
                sumLow += state[i] ? all[i] : 0;
                sumHigh += state[i] ? 0 : all[i];
            }
            if (lows == 0 || lows == all.length) {
                return null;
            }
            low = sumLow / lows;
            high = sumHigh / (all.length - lows);
        }
        return new Path(state, high, low);
    }

    /** Returns the path that costs least; a change over the pause is free, because nothing was measured there. */
    private static boolean[] viterbi(double[] all, int pause, double high, double low) {
        double squares = 0;
        for (double x : all) {
            squares += Math.min((x - high) * (x - high), (x - low) * (x - low));
        }
        double change = CHANGE_COST * Math.max(squares / all.length, 1e-9 * high * high);
        boolean[][] from = new boolean[all.length][2];
        double costHigh = 0;
        double costLow = 0;
        for (int i = 0; i < all.length; i++) {
            double cost = i == pause ? 0 : change;
            from[i][0] = costHigh > costLow + cost;
            from[i][1] = costLow <= costHigh + cost;
            double nextHigh = Math.min(costHigh, costLow + cost);
            double nextLow = Math.min(costLow, costHigh + cost);
            costHigh = nextHigh + (all[i] - high) * (all[i] - high);
            costLow = nextLow + (all[i] - low) * (all[i] - low);
        }
        boolean[] state = new boolean[all.length];
        boolean at = costHigh > costLow;
        for (int i = all.length - 1; i >= 0; i--) {
            state[i] = at;
            at = from[i][at ? 1 : 0];
        }
        return state;
    }

    private static @org.jspecify.annotations.Nullable Cycle judged(
            Path path, double[] all, double[] first, AnalysisConfig config) {
        boolean[] low = path.low;
        int pause = first.length;
        int lows = 0;
        double residual = 0;
        double residualBefore = 0;
        for (int i = 0; i < all.length; i++) {
            double away = all[i] - (low[i] ? path.lower : path.high);
            lows += low[i] ? 1 : 0;
            residual += away * away;
            residualBefore += i < pause ? away * away : 0;
        }
        double share = (double) lows / all.length;
        double explained = 1 - residual / squares(all);
        double better = residualBefore / Math.max(lineOrStep(first), 1e-9);
        Stays stays = Stays.of(low, pause);
        var rules = config.shape();
        boolean doubt = stays.complete() >= rules.cycleStays()
                && share > LEAST_SHARE
                && share < 1 - LEAST_SHARE
                && 1 - path.lower / path.high > LEAST_DEPTH
                && explained >= rules.cycleDoubt()
                && stays.alike() > ALIKE_DOUBT
                && better < BETTER_DOUBT;
        boolean sure = doubt
                && stays.twiceEach()
                && explained >= rules.cycleShare()
                && stays.alike() > ALIKE
                && better < BETTER;
        return doubt ? new Cycle(path.high, path.lower, stays.period(), sure) : null;
    }

    /** Stays are the lengths, in bins, of whole stays at the high and at the low level within loads. */
    private record Stays(List<Integer> high, List<Integer> low) {
        static Stays of(boolean[] low, int pause) {
            Stays stays = new Stays(new ArrayList<>(), new ArrayList<>());
            int begin = 0;
            int rise = 0; // the rest of a rise ends no stay, and begins none
            for (int i = 1; i <= low.length; i++) {
                boolean ends = i == low.length || i == pause || low[i] != low[i - 1];
                if (!ends) {
                    continue;
                }
                boolean inner = begin > rise && begin != pause && i != low.length && i != pause;
                if (begin == 0 && low[0]) {
                    rise = i;
                }
                if (inner) {
                    (low[begin] ? stays.low : stays.high).add(i - begin);
                }
                begin = i;
            }
            return stays;
        }

        int complete() {
            return high.size() + low.size();
        }

        boolean twiceEach() {
            return Math.min(high.size(), low.size()) >= LEAST_STAYS;
        }

        double period() {
            return mean(high) + mean(low);
        }

        /** Returns the shorter stay over the longer, between levels and within; 0 where all are too short. */
        double alike() {
            if (complete() == 0 || Math.min(middle(high), middle(low)) < LEAST_STAY) {
                return 0;
            }
            double between = Math.min(middle(high), middle(low)) / Math.max(middle(high), middle(low));
            return Math.min(between, Math.min(within(high), within(low)));
        }

        /** Compares the stays at one level by their quartiles, because noise cuts some stays in two. */
        private static double within(List<Integer> stays) {
            double[] bins = bins(stays);
            return Descriptive.quantile(bins, 0.25) / Descriptive.quantile(bins, 0.75);
        }

        private static double middle(List<Integer> stays) {
            return stays.isEmpty() ? 0 : Descriptive.median(bins(stays));
        }

        private static double[] bins(List<Integer> stays) {
            return stays.stream().mapToDouble(stay -> stay).toArray();
        }

        private static double mean(List<Integer> bins) {
            return bins.stream().mapToInt(stay -> stay).average().orElse(0);
        }
    }

    private static double squares(double[] values) {
        return Descriptive.sampleVariance(values) * (values.length - 1);
    }

    /** Returns the sum of squares that a line or one step leaves of a series, whichever leaves less. */
    private static double lineOrStep(double[] values) {
        int n = values.length;
        double slope = Series.slope(values);
        double least = squares(values) - slope * slope * n * ((double) n * n - 1) / 12;
        for (int at = 3; at < n - 3; at++) {
            double before = Series.mean(values, 0, at);
            double after = Series.mean(values, at, n);
            double left = 0;
            for (int i = 0; i < n; i++) {
                double away = values[i] - (i < at ? before : after);
                left += away * away;
            }
            least = Math.min(least, left);
        }
        return least;
    }
}
