package dev.kiln.stats.series;

import dev.kiln.stats.AnalysisConfig;
import dev.kiln.stats.Descriptive;
import dev.kiln.stats.Series;
import java.util.Arrays;

/**
 * Throughput that changes between two levels again and again.
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

    /** The higher level and the lower have at least this share of the time: dips of a second are no cycle. */
    private static final double LEAST_SHARE = 0.2;

    /** Levels closer than this are one, as a share of the higher. */
    private static final double LEAST_DEPTH = 0.1;

    /** Times at the two levels must be alike: dips and outages are short compared with what they interrupt. */
    private static final double ALIKE = 0.4;

    private static final double ALIKE_DOUBT = 0.3;

    /** What two levels leave, as a share of what a line or one step leaves. */
    private static final double BETTER = 0.4;

    private static final double BETTER_DOUBT = 0.6;

    /** The path of a series through two levels: true is the lower. */
    private record Path(boolean[] low, double high, double lower) {}

    /**
     * The cycle of a series, or null: a working value, not for other packages.
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

    /** The path that costs least; changing over the pause is free, as nobody looked. */
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
        int changes = 0;
        int changesBefore = 0;
        int lows = 0;
        double residual = 0;
        double residualBefore = 0;
        for (int i = 0; i < all.length; i++) {
            boolean changed = i > 0 && i != pause && low[i] != low[i - 1];
            double away = all[i] - (low[i] ? path.lower : path.high);
            changes += changed ? 1 : 0;
            changesBefore += changed && i < pause ? 1 : 0;
            lows += low[i] ? 1 : 0;
            residual += away * away;
            residualBefore += i < pause ? away * away : 0;
        }
        double share = (double) lows / all.length;
        double explained = 1 - residual / squares(all);
        double better = residualBefore / Math.max(lineOrStep(first), 1e-9);
        double[] dwell = dwell(low, pause);
        double alike = Math.min(dwell[0], dwell[1]) / Math.max(dwell[0], dwell[1]);
        var rules = config.shape();
        boolean doubt = changes >= rules.cycleChanges()
                && changesBefore >= 2
                && share > LEAST_SHARE
                && share < 1 - LEAST_SHARE
                && 1 - path.lower / path.high > LEAST_DEPTH
                && explained >= rules.cycleDoubt()
                && alike > ALIKE_DOUBT
                && better < BETTER_DOUBT;
        boolean sure = doubt && explained >= rules.cycleShare() && alike > ALIKE && better < BETTER;
        return doubt ? new Cycle(path.high, path.lower, dwell[0] + dwell[1], sure) : null;
    }

    /** Mean bins at the high and at the low level, of the spells that began and ended within a load; 1 and 1 of none. */
    private static double[] dwell(boolean[] low, int pause) {
        double[] bins = new double[2];
        int[] spells = new int[2];
        int begin = 0;
        for (int i = 1; i <= low.length; i++) {
            boolean ends = i == low.length || i == pause || low[i] != low[i - 1];
            if (!ends) {
                continue;
            }
            boolean inner = begin != 0 && begin != pause && i != low.length && i != pause;
            if (inner) {
                bins[low[begin] ? 1 : 0] += i - begin;
                spells[low[begin] ? 1 : 0]++;
            }
            begin = i;
        }
        return spells[0] == 0 || spells[1] == 0
                ? new double[] {1, 1}
                : new double[] {bins[0] / spells[0], bins[1] / spells[1]};
    }

    private static double squares(double[] values) {
        return Descriptive.sampleVariance(values) * (values.length - 1);
    }

    /** What is left of a series by a line or by one step, whichever leaves less. */
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
