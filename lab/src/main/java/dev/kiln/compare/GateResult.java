package dev.kiln.compare;

import dev.kiln.stats.Gate;
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
    public Gate.Verdict verdict() {
        return rows.stream()
                .map(GateRow::verdict)
                .min(Comparator.naturalOrder())
                .orElse(Gate.Verdict.INCONCLUSIVE);
    }
}
