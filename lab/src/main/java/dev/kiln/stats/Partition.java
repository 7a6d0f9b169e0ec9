package dev.kiln.stats;

import java.util.List;

/**
 * A segmentation.
 *
 * @param changepoints index of the first bin of each new segment, ascending; empty for one segment
 * @param objective sum of the segments' costs + penalty for each changepoint
 */
public record Partition(List<Integer> changepoints, double objective) {
    public Partition {
        changepoints = List.copyOf(changepoints);
    }
}
