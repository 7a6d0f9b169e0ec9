package dev.kiln.importer.hyperfoil;

import dev.kiln.importer.format.Format;
import dev.kiln.importer.format.Lines;
import dev.kiln.importer.format.LoadRow;
import dev.kiln.importer.format.LoadSink;
import dev.kiln.importer.format.LoadSource;
import java.nio.file.Path;
import java.util.Optional;

/** A table of all phases of a run, as people make it from Hyperfoil's series. */
public final class PhaseTable {
    public static final Format FORMAT = Format.loads(
            "a CSV with phase,start_ms,end_ms,requests",
            head -> head.first(line -> {
                SeriesColumns columns = new SeriesColumns(line);
                return columns.isSeries() && columns.has(SeriesColumns.Role.PHASE);
            }),
            PhaseTable::of);

    private PhaseTable() {}

    public static Optional<LoadSource> of(Path file) {
        return SeriesReader.span(file)
                .map(span -> HyperfoilRun.source("a table of phases", span, sink -> read(file, sink)));
    }

    private static void read(Path file, LoadSink sink) {
        try (SeriesReader rows = new SeriesReader(Lines.of(file), "load")) {
            String phase = "";
            long end = 0;
            for (Optional<LoadRow> row = rows.next(); row.isPresent(); row = rows.next()) {
                if (end == 0 || !rows.phase().equals(phase)) {
                    if (end > 0) {
                        sink.end(end);
                    }
                    phase = rows.phase();
                    sink.phase(phase, row.get().startNanos());
                }
                end = row.get().endNanos();
                sink.row(row.get());
            }
            if (end > 0) {
                sink.end(end);
            }
            rows.cutShort().ifPresent(sink::gap);
        }
    }
}
