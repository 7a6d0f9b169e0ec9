package dev.kiln.explain;

import dev.kiln.model.StartTable;
import dev.kiln.model.StartupEvidence;
import dev.kiln.stats.PairedRatio;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/**
 * What a start-up comparison says.
 *
 * @param table the pairs that count, numbered from 1
 * @param discarded pairs before them
 * @param main the compared quantity
 * @param paired the same ratio by pairs; empty with fewer than two
 * @param outcome what may be concluded of B against A
 * @param verdict the conclusion in words
 * @param detectable smallest relative change that so many pairs show with 80 % power; empty with fewer than two
 * @param runsNeeded a side, to show the change that was seen; where it was not shown
 * @param others resident memory, CPU time and what the programs' logs tell
 * @param notes what a reader must know
 * @param how the evidence; empty for a table from elsewhere
 */
public record StartupResult(
        StartTable table,
        int discarded,
        StartMetric main,
        Optional<PairedRatio> paired,
        dev.kiln.stats.Conclusion outcome,
        String verdict,
        OptionalDouble detectable,
        OptionalInt runsNeeded,
        List<StartMetric> others,
        List<String> notes,
        Optional<StartupEvidence> how,
        double confidence) {
    public StartupResult {
        others = List.copyOf(others);
        notes = List.copyOf(notes);
    }
}
