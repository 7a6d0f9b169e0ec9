package dev.kiln.evidence;

import dev.kiln.model.JitSample;
import dev.kiln.model.JitSample.CodeCache;
import dev.kiln.model.JitSample.Levels;
import java.util.Optional;
import java.util.OptionalInt;

/** Rows of {@code jit.csv}: groups of columns that are all there or all empty. */
final class JitRows {
    private JitRows() {}

    static void write(CsvWriter row, JitSample s) {
        row.field(s.timeNanos());
        count(row, s.c1Queue());
        count(row, s.c2Queue());
        Optional<Levels> levels = s.levels();
        count(row, levels.map(Levels::level1));
        count(row, levels.map(Levels::level2));
        count(row, levels.map(Levels::level3));
        count(row, levels.map(Levels::level4));
        Optional<CodeCache> cache = s.codeCache();
        count(row, cache.map(CodeCache::usedBytes));
        count(row, cache.map(CodeCache::sizeBytes));
        count(row, cache.map(CodeCache::full));
        count(row, cache.map(CodeCache::stopped));
        row.endRow();
    }

    static JitSample read(CsvReader.Row r) {
        long time = r.figure();
        OptionalInt c1 = r.smallOrNone();
        OptionalInt c2 = r.smallOrNone();
        int[] levels = new int[4];
        boolean haveLevels = true;
        for (int i = 0; i < levels.length; i++) {
            OptionalInt level = r.smallOrNone();
            haveLevels &= level.isPresent();
            levels[i] = level.orElse(0);
        }
        String used = r.text();
        Optional<CodeCache> cache = Optional.empty();
        if (!used.isEmpty()) {
            cache = Optional.of(new CodeCache(CsvReader.Row.figure(used), r.figure(), r.small(), r.small()));
        }
        return new JitSample(
                time,
                c1,
                c2,
                haveLevels ? Optional.of(new Levels(levels[0], levels[1], levels[2], levels[3])) : Optional.empty(),
                cache);
    }

    private static void count(CsvWriter row, OptionalInt value) {
        row.field(value.isPresent() ? Integer.toString(value.getAsInt()) : "");
    }

    private static void count(CsvWriter row, Optional<? extends Number> value) {
        row.field(value.map(Number::toString).orElse(""));
    }
}
