package dev.kiln.compare;

import dev.kiln.model.experiment.GateSpec.Tolerance;
import dev.kiln.stats.Gate;
import dev.kiln.stats.Sessions;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * A GateResult is the verdicts of a gate on all its metrics.
 *
 * @param current name of what is let through or not
 * @param notes what a reader must know, most important first
 */
public record GateResult(
        String current, String baseline, List<GateRow> rows, int interim, int interims, List<String> notes) {
    public GateResult {
        rows = List.copyOf(rows);
        notes = List.copyOf(notes);
    }

    /** Returns FAIL if any metric fails, and PASS only if all pass. */
    public Gate.Verdict verdict() {
        return rows.stream()
                .map(GateRow::verdict)
                .min(Comparator.naturalOrder())
                .orElse(Gate.Verdict.INCONCLUSIVE);
    }

    /** Tells whether the sides are of two sessions and it is not known how much sessions differ. */
    public boolean twoSessions() {
        return rows.stream()
                .flatMap(row -> row.found().stream())
                .anyMatch(gate -> gate.sessions().equals(Sessions.UNKNOWN));
    }

    /**
     * A GateRow is one metric held against its tolerance.
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

        /** Returns the same row under another label, for tables that name their metrics otherwise. */
        public GateRow labelled(String other) {
            return new GateRow(metric, other, tolerance, currentRuns, baselineRuns, found, notes);
        }
    }
}
