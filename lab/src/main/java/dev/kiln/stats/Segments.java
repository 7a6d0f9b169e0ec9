package dev.kiln.stats;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A series cut at its changepoints, dips left out.
 *
 * @param bins length of the series
 * @param masked bins left out, ascending
 * @param partition of the unmasked bins, its changepoints as indices of the whole series
 * @param levels median of each segment's unmasked bins
 */
record Segments(int bins, List<Integer> masked, Partition partition, List<Double> levels) {
    static Segments of(double[] bins, AnalysisConfig config) {
        boolean[] masked = DipMask.of(bins, config);
        double[] kept = new double[bins.length];
        int[] index = new int[bins.length];
        int n = 0;
        for (int i = 0; i < bins.length; i++) {
            if (!masked[i]) {
                index[n] = i;
                kept[n++] = bins[i];
            }
        }
        double[] unmasked = Arrays.copyOf(kept, n);
        Partition p = Partitioner.partition(
                unmasked, SegmentCost.NORMAL, config.penaltyFactor() * Math.log(n), config.minSegmentBins());
        List<Integer> changepoints = new ArrayList<>();
        List<Double> levels = new ArrayList<>();
        int start = 0;
        for (int cp : p.changepoints()) {
            changepoints.add(index[cp]);
            levels.add(level(unmasked, start, cp));
            start = cp;
        }
        levels.add(level(unmasked, start, n));
        return new Segments(bins.length, indices(masked), new Partition(changepoints, p.objective()), levels);
    }

    private static double level(double[] unmasked, int from, int to) {
        return Descriptive.median(Arrays.copyOfRange(unmasked, from, to));
    }

    private static List<Integer> indices(boolean[] masked) {
        List<Integer> out = new ArrayList<>();
        for (int i = 0; i < masked.length; i++) {
            if (masked[i]) {
                out.add(i);
            }
        }
        return out;
    }

    /** Number of the first segment of the suffix whose levels are all within delta of the given one; size if none is. */
    int suffixWithin(double level, double delta) {
        int k = levels.size();
        while (k > 0 && Math.abs(levels.get(k - 1) - level) <= delta * level) {
            k--;
        }
        return k;
    }

    /** First bin of a segment; the length of the series after the last. */
    int start(int segment) {
        if (segment == levels.size()) {
            return bins;
        }
        return segment == 0 ? 0 : partition.changepoints().get(segment - 1);
    }

    boolean anyAbove(double level, int beforeSegment) {
        return levels.subList(0, beforeSegment).stream().anyMatch(l -> l > level);
    }

    /** Changes of direction among the moves from segment to segment that exceed delta of the highest level. */
    int reversals(double delta) {
        double highest = levels.stream().mapToDouble(l -> l).max().orElse(0);
        double last = 0;
        int reversals = 0;
        for (int k = 1; k < levels.size(); k++) {
            double move = levels.get(k) - levels.get(k - 1);
            if (Math.abs(move) > delta * highest) {
                reversals += last * move < 0 ? 1 : 0;
                last = move;
            }
        }
        return reversals;
    }
}
