package dev.kiln.evidence;

import dev.kiln.model.run.Sample.JitSample.CodeCacheFill;
import dev.kiln.model.run.Sample.JitSample.CodeHeap;
import dev.kiln.model.run.Sample.JitSample.HeapKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * CodeHeaps are the columns of jit.csv for the segments of the code cache, three for each kind of them. They are empty
 * for a segment that the JVM does not have.
 */
final class CodeHeaps {
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
