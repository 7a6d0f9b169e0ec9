package dev.kiln.compare;

import dev.kiln.compare.GateRow.Outcome;
import java.util.Comparator;
import java.util.List;

/**
 * All metrics of a gate.
 *
 * @param current name of what is let through or not
 * @param notes what a reader must know, most important first
 */
public record GateResult(String current, String baseline, List<GateRow> rows, int look, int looks, List<String> notes) {
    public GateResult {
        rows = List.copyOf(rows);
        notes = List.copyOf(notes);
    }

    /** FAIL if any metric fails, PASS only if all pass. */
    public Outcome outcome() {
        return rows.stream()
                .map(GateRow::outcome)
                .min(Comparator.naturalOrder())
                .orElse(Outcome.INCONCLUSIVE);
    }
}
