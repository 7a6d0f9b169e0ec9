package dev.kiln.stats.series;

import dev.kiln.stats.series.SeriesAnalysis.WarmupCost;
import java.util.List;
import java.util.Optional;

/**
 * A WayToPeak says when levels were reached and what that cost.
 *
 * @param times to the peak, by {@link TimeToPeak#PERCENTAGES}; empty without a peak
 * @param ownTimes to the level of the series' own end
 * @param cost empty without a peak
 */
public record WayToPeak(List<TimeToPeak> times, List<TimeToPeak> ownTimes, Optional<WarmupCost> cost) {
    public WayToPeak {
        times = List.copyOf(times);
        ownTimes = List.copyOf(ownTimes);
    }
}
