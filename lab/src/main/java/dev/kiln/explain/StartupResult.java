package dev.kiln.explain;

import dev.kiln.model.StartTable;
import dev.kiln.model.StartupEvidence;
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
 * @param outcome what may be concluded of B against A
 * @param verdict the conclusion in words
 * @param detectable smallest relative change that so many pairs show with 80 % power; empty with fewer than two
 * @param effect the change, as a share, that the pairs needed are for
 * @param pairsNeeded to show it with 80 % power; where no difference was shown
 * @param others resident memory, CPU time and what the programs' logs tell
 * @param notes what a reader must know
 * @param how the evidence; empty for a table from elsewhere
 */
public record StartupResult(
        StartTable table,
        int discarded,
        StartMetric main,
        dev.kiln.stats.Conclusion outcome,
        String verdict,
        OptionalDouble detectable,
        double effect,
        OptionalInt pairsNeeded,
        List<StartMetric> others,
        List<String> notes,
        Optional<StartupEvidence> how,
        double confidence) {
    public StartupResult {
        others = List.copyOf(others);
        notes = List.copyOf(notes);
    }
}
