package dev.kiln.cli;

import dev.kiln.compare.Configuration;
import dev.kiln.compare.GateResult;
import dev.kiln.compare.Gates;
import dev.kiln.compare.Metric;
import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.Exit;
import dev.kiln.model.Tolerance;
import java.util.ArrayList;
import java.util.List;

/** Two configurations against tolerances, if that is fair. */
record GateSides(List<Tolerance> tolerances, boolean allowDifferent) {

    /**
     * One look.
     *
     * @param look from 1
     * @param looks planned: alpha is split among them
     */
    GateResult gate(Configuration now, Configuration before, int look, int looks) {
        List<String> notes = new ArrayList<>();
        for (String difference : now.differences(before)) {
            if (!allowDifferent) {
                throw new KilnException(
                        Exit.USAGE, "not a fair comparison: " + difference, "to gate all the same: --allow-different");
            }
            notes.add("NOT A FAIR COMPARISON: " + difference);
        }
        Gates.requireKnown(tolerances, now, before);
        notes.addAll(now.namedNotes());
        notes.addAll(before.namedNotes());
        tolerances.forEach(one -> direction(one, notes));
        return new GateResult(
                now.name(),
                before.name(),
                tolerances.stream()
                        .map(one -> Gates.of(one, now, before, look, looks))
                        .toList(),
                look,
                looks,
                notes);
    }

    private static void direction(Tolerance tolerance, List<String> notes) {
        Metric.Better better = Metric.of(tolerance.metric()).better();
        boolean odd = tolerance.percent() > 0 ? better == Metric.Better.HIGHER : better == Metric.Better.LOWER;
        if (odd && !tolerance.eitherWay()) {
            notes.add(tolerance.place() + ": " + tolerance.metric() + " is better "
                    + (better == Metric.Better.HIGHER ? "higher" : "lower") + ", but this tolerance says the opposite");
        }
    }
}
