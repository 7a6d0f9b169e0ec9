package dev.kiln.compare;

import dev.kiln.stats.AnalysisConfig;
import java.util.List;

/**
 * Configurations held against the first one.
 *
 * @param primary id of the metric that the conclusion is about
 * @param effect the change, as a share, that runs needed are given for
 * @param notes what a reader must know of all of it, most important first
 */
public record Comparison(
        Configuration baseline,
        List<Against> others,
        String primary,
        double effect,
        List<String> notes,
        AnalysisConfig config) {
    public Comparison {
        others = List.copyOf(others);
        notes = List.copyOf(notes);
    }

    /**
     * One configuration against the baseline.
     *
     * @param differences why this comparison is not fair; empty if nothing speaks against it
     */
    public record Against(Configuration other, List<MetricComparison> metrics, List<String> differences) {
        public Against {
            metrics = List.copyOf(metrics);
            differences = List.copyOf(differences);
        }
    }
}
