package dev.kiln.compare;

import dev.kiln.model.Tolerance;
import dev.kiln.stats.Gate;
import java.util.List;
import java.util.Optional;

/**
 * One metric against its tolerance.
 *
 * @param label with its unit
 * @param found empty where there is nothing to hold against the tolerance
 * @param notes what a reader must know
 */
public record GateRow(
        String metric,
        String label,
        Tolerance tolerance,
        int currentRuns,
        int baselineRuns,
        Optional<Gate> found,
        List<String> notes) {
    public GateRow {
        notes = List.copyOf(notes);
    }

    public Gate.Verdict verdict() {
        return found.map(Gate::verdict).orElse(Gate.Verdict.INCONCLUSIVE);
    }

    /** With another label. */
    public GateRow labelled(String other) {
        return new GateRow(metric, other, tolerance, currentRuns, baselineRuns, found, notes);
    }
}
