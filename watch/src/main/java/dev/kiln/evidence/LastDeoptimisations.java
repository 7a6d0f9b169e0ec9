package dev.kiln.evidence;

import dev.kiln.model.run.Sample.JitSample.Deoptimisations;
import dev.kiln.model.run.Sample.JitSample.Trap;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * LastDeoptimisations are the columns of jit.csv for the deoptimisations that the JVM keeps. Those of the trap are empty
 * where none of them is one.
 */
final class LastDeoptimisations {
    static final String COLUMNS = "deoptimisations,deoptimisations_ns,deoptimisations_all,deoptimisations_none,"
            + "trap_reason,trap_action,trap_place";

    private LastDeoptimisations() {}

    static CsvWriter write(CsvWriter row, Optional<Deoptimisations> last) {
        Optional<Trap> trap = last.flatMap(Deoptimisations::most);
        return row.fieldOrEmpty(last.map(Deoptimisations::count))
                .fieldOrEmpty(last.map(Deoptimisations::withinNanos))
                .fieldOrEmpty(last.map(some -> some.all() ? 1 : 0))
                .fieldOrEmpty(last.map(Deoptimisations::changedNothing))
                .field(trap.map(Trap::reason).orElse(""))
                .field(trap.map(Trap::action).orElse(""))
                .field(trap.map(Trap::place).orElse(""));
    }

    /** All columns are read in any case: others follow. */
    static Optional<Deoptimisations> of(CsvReader.EvidenceRow row) {
        OptionalInt count = row.smallOrNone();
        long within = row.figureOrNone();
        boolean all = row.figureOrNone() != 0;
        OptionalInt changedNothing = row.smallOrNone();
        Trap trap = new Trap(row.text(), row.text(), row.text());
        return count.isEmpty()
                ? Optional.empty()
                : Optional.of(new Deoptimisations(
                        count.getAsInt(),
                        within,
                        all,
                        changedNothing.orElse(0),
                        Optional.of(trap).filter(one -> !one.place().isEmpty())));
    }
}
