package dev.kiln.explain;

import dev.kiln.model.SoakSegment;
import dev.kiln.stats.SeriesAnalysis;
import java.util.List;

/**
 * What one segment says.
 *
 * @param analysis of its throughput in windows
 * @param settledSeconds from the first request, left out of the trends
 */
public record SoakPart(SoakSegment segment, SeriesAnalysis analysis, double settledSeconds, List<SoakTrend> trends) {
    public SoakPart {
        trends = List.copyOf(trends);
    }
}
