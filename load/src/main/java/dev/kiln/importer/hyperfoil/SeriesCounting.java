package dev.kiln.importer.hyperfoil;

import dev.kiln.importer.hyperfoil.SeriesColumns.SeriesCounts;
import dev.kiln.importer.hyperfoil.SeriesColumns.SeriesRole;
import dev.kiln.model.load.LoadBin;
import dev.kiln.text.CsvTable;
import dev.kiln.text.Decimal;
import dev.kiln.text.Source;
import java.util.List;
import java.util.Optional;

/**
 * A SeriesCounting counts in a table with Hyperfoil's own columns, as people make it from its series: {@code requests} includes
 * failures there.
 */
public final class SeriesCounting {
    private final SeriesRole[] roles;
    private final SeriesCounts counts;

    private SeriesCounting(SeriesColumns columns) {
        roles = columns.roles();
        counts = new SeriesCounts(columns.has(SeriesRole.RESPONSES), columns.has(SeriesRole.OK));
    }

    /** Counts are what a row counts. */
    public record Counts(long completed, long failed) {}

    /** Recognises such a table by its columns; empty for one that has no responses apart from requests. */
    public static Optional<SeriesCounting> of(List<String> header) {
        SeriesColumns columns = new SeriesColumns(String.join(",", header));
        return columns.isSeries() && (columns.has(SeriesRole.RESPONSES) || columns.has(SeriesRole.OK))
                ? Optional.of(new SeriesCounting(columns))
                : Optional.empty();
    }

    public Counts counts(String file, CsvTable.Row row) {
        long[] cells = new long[SeriesRole.values().length];
        for (int i = 0; i < roles.length; i++) {
            String cell = row.cells().get(i);
            if (roles[i] != SeriesRole.PHASE && roles[i] != SeriesRole.UNUSED && !cell.isEmpty()) {
                cells[roles[i].place()] = (long) Decimal.notNegative(file, row.line(), roles[i].name(), cell);
            }
        }
        LoadBin.Errors errors = counts.errors(cells);
        long completed = counts.completed(cells, errors);
        if (completed < 0) {
            throw Source.wrong(file, row.line(), "found more errors than requests, expected counts that agree", "");
        }
        return new Counts(completed, errors.total());
    }
}
