package dev.kiln.evidence;

import dev.kiln.model.run.JitState.CodeCacheFill;
import dev.kiln.model.run.JitState.CodeHeap;
import dev.kiln.model.run.JitState.CodeLevels;
import dev.kiln.model.run.JitState.Deoptimisations;
import dev.kiln.model.run.JitState.HeapKind;
import dev.kiln.model.run.JitState.Trap;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** JitColumns are groups of columns of jit.csv that stand for one thing each. */
final class JitColumns {
    private JitColumns() {}

    static Optional<CodeLevels> levels(CsvReader.EvidenceRow r) {
        List<OptionalInt> levels = List.of(r.smallOrNone(), r.smallOrNone(), r.smallOrNone(), r.smallOrNone());
        OptionalInt notEntrant = r.smallOrNone();
        return levels.stream().allMatch(OptionalInt::isPresent)
                ? Optional.of(new CodeLevels(
                        levels.get(0).getAsInt(),
                        levels.get(1).getAsInt(),
                        levels.get(2).getAsInt(),
                        levels.get(3).getAsInt(),
                        notEntrant))
                : Optional.empty();
    }

    static Optional<CodeCacheFill> codeCache(CsvReader.EvidenceRow r) {
        String used = r.text();
        return used.isEmpty()
                ? Optional.empty()
                : Optional.of(new CodeCacheFill(
                        CsvReader.EvidenceRow.figure(used), r.figure(), r.small(), r.small(), CodeHeaps.of(r)));
    }

    /** CodeHeaps are the columns of segments, three for each kind, empty where the JVM has none. */
    static final class CodeHeaps {
        /** The columns stand in the order of {@link HeapKind}. */
        static final String COLUMNS = "non_nmethods_used_bytes,non_nmethods_size_bytes,non_nmethods_full,"
                + "profiled_used_bytes,profiled_size_bytes,profiled_full,"
                + "non_profiled_used_bytes,non_profiled_size_bytes,non_profiled_full,"
                + "hot_used_bytes,hot_size_bytes,hot_full";

        private CodeHeaps() {}

        static void write(CsvWriter row, Optional<CodeCacheFill> cache) {
            for (HeapKind kind : HeapKind.values()) {
                Optional<CodeHeap> heap = cache.stream()
                        .flatMap(known -> known.heaps().stream())
                        .filter(one -> one.kind() == kind)
                        .findFirst();
                row.fieldOrEmpty(heap.map(CodeHeap::usedBytes))
                        .fieldOrEmpty(heap.map(CodeHeap::sizeBytes))
                        .fieldOrEmpty(heap.map(CodeHeap::full).orElse(OptionalInt.empty()));
            }
        }

        static List<CodeHeap> of(CsvReader.EvidenceRow row) {
            List<CodeHeap> heaps = new ArrayList<>();
            for (HeapKind kind : HeapKind.values()) {
                String used = row.text();
                long size = row.figureOrNone();
                OptionalInt full = row.smallOrNone();
                if (!used.isEmpty()) {
                    heaps.add(new CodeHeap(kind, CsvReader.EvidenceRow.figure(used), size, full));
                }
            }
            return heaps;
        }
    }

    /** LastDeoptimisations are columns of those that the JVM keeps; the trap's are empty without one. */
    static final class LastDeoptimisations {
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
}
