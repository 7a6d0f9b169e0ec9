package dev.kiln.explain;

import dev.kiln.model.Finding;
import dev.kiln.model.Forecast;
import dev.kiln.model.Verdict;
import java.util.List;

/**
 * Why a run is as it is.
 *
 * @param findings held ones first, by weight
 * @param forecasts in order of time
 */
public record Explanation(Verdict verdict, List<Finding> findings, List<Forecast> forecasts) {
    public Explanation {
        findings = List.copyOf(findings);
        forecasts = List.copyOf(forecasts);
    }
}
