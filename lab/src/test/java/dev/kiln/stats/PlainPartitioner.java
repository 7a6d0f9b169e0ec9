package dev.kiln.stats;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The recursion as it is written down, with nothing to make it fast: what the real one is held against. */
final class PlainPartitioner {
    private PlainPartitioner() {}

    static Partition partition(double[] series, SegmentCost kind, double penalty, int minSegment) {
        FittedCost cost = kind.fit(series);
        int n = series.length;
        double[] best = new double[n + 1];
        int[] previous = new int[n + 1];
        Arrays.fill(best, Double.POSITIVE_INFINITY);
        best[0] = -penalty;
        for (int t = minSegment; t <= n; t++) {
            for (int s = 0; s <= t - minSegment; s++) {
                double candidate = best[s] + cost.cost(s, t) + penalty;
                if (candidate < best[t]) {
                    best[t] = candidate;
                    previous[t] = s;
                }
            }
        }
        List<Integer> changepoints = new ArrayList<>();
        for (int t = previous[n]; t > 0; t = previous[t]) {
            changepoints.add(t);
        }
        return new Partition(changepoints.reversed(), cost.objective(best[n]));
    }
}
