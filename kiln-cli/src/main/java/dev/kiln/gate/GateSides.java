package dev.kiln.gate;

import dev.kiln.compare.Configuration;
import dev.kiln.compare.EarlierSessions;
import dev.kiln.compare.Gates;
import dev.kiln.compare.Gates.GateResult;
import dev.kiln.model.KilnException;
import dev.kiln.model.experiment.GateSpec.Tolerance;
import java.util.ArrayList;
import java.util.List;

/** GateSides hold two configurations against tolerances, if that is fair. */
record GateSides(List<Tolerance> tolerances, EarlierSessions earlier, boolean allowDifferent) {

    /**
     * Makes one interim analysis.
     *
     * @param interim which analysis of growing data this is, from 1
     * @param interims planned: alpha is split among them
     */
    GateResult gate(Configuration now, Configuration before, int interim, int interims) {
        List<String> notes = new ArrayList<>();
        for (String difference : now.differences(before)) {
            if (!allowDifferent) {
                throw KilnException.usage("not a fair comparison: " + difference, "to gate anyway: --allow-different");
            }
            notes.add("NOT A FAIR COMPARISON: " + difference);
        }
        Gates.requireKnown(tolerances, now, before);
        notes.addAll(now.namedNotes());
        notes.addAll(before.namedNotes());
        return new GateResult(
                now.name(),
                before.name(),
                tolerances.stream()
                        .map(one -> Gates.of(one, now, before, earlier, interim, interims))
                        .toList(),
                interim,
                interims,
                notes);
    }
}
