package dev.kiln.compare;

import dev.kiln.model.Tolerance;
import java.util.List;
import java.util.OptionalDouble;

/**
 * One metric against its tolerance. Percentages are 100 (current / baseline - 1).
 *
 * @param label with its unit
 * @param current geometric mean of the runs, or the one figure
 * @param lo interval of the variance; empty under the point rule, as hi and the minimal detectable effect
 * @param minimalDetectableEffect what runs as noisy as these show with 80 % power, in percent
 * @param byInterval the verdict, power left aside
 * @param outcome the verdict; under-powered if the tolerance is below the minimal detectable effect
 * @param confidence of the interval
 * @param notes what a reader must know
 */
public record GateRow(
        String metric,
        String label,
        Tolerance tolerance,
        int currentRuns,
        int baselineRuns,
        OptionalDouble current,
        OptionalDouble baseline,
        OptionalDouble variance,
        OptionalDouble lo,
        OptionalDouble hi,
        OptionalDouble minimalDetectableEffect,
        Outcome byInterval,
        Outcome outcome,
        double confidence,
        List<String> notes) {
    public GateRow {
        notes = List.copyOf(notes);
    }

    /** In the order of what stops a build first. */
    public enum Outcome {
        FAIL,
        UNDER_POWERED,
        INCONCLUSIVE,
        PASS
    }
}
