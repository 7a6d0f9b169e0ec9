package dev.kiln.text;

import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/**
 * A table that somebody brings along: every row has as many cells as there are columns.
 *
 * @param file its name in messages
 * @param columns names; empty for one number a line without a header
 */
public record CsvTable(String file, List<String> columns, List<Row> rows) {
    /**
     * One row.
     *
     * @param line on which it begins, from 1
     */
    public record Row(int line, List<String> cells) {
        public Row {
            cells = List.copyOf(cells);
        }
    }

    public CsvTable {
        columns = List.copyOf(columns);
        rows = List.copyOf(rows);
    }

    /** A table with a header, or one number a line. */
    public static CsvTable parse(Source source) {
        List<Row> rows = CsvCells.of(source);
        if (rows.isEmpty()) {
            throw BadText.at(source.name(), 1, "the file is empty", "expected a header and rows, or a number a line");
        }
        Row first = rows.getFirst();
        boolean bare =
                first.cells().size() == 1 && Decimal.looksLike(first.cells().getFirst());
        List<String> columns = bare ? List.of() : first.cells();
        List<Row> body = bare ? rows : rows.subList(1, rows.size());
        if (!bare && first.cells().stream().allMatch(Decimal::looksLike)) {
            throw BadText.at(
                    source.name(), first.line(), "several columns without a header", "name the columns on line 1");
        }
        check(source.name(), first.line(), columns, body);
        return new CsvTable(source.name(), columns, body);
    }

    private static void check(String file, int headerLine, List<String> columns, List<Row> rows) {
        for (int i = 0; i < columns.size(); i++) {
            String name = columns.get(i);
            if (columns.subList(0, i).stream().anyMatch(name::equalsIgnoreCase)) {
                throw BadText.at(file, headerLine, "column '" + name + "' is there twice", "rename one");
            }
        }
        int cells = Math.max(1, columns.size());
        for (Row row : rows) {
            if (row.cells().size() != cells) {
                throw BadText.at(
                        file,
                        row.line(),
                        "found " + row.cells().size() + (row.cells().size() == 1 ? " cell" : " cells") + ", expected "
                                + cells,
                        columns.isEmpty() ? "" : "the header has " + String.join(", ", columns));
            }
        }
        if (rows.isEmpty()) {
            throw BadText.at(file, headerLine, "there is a header and no row", "");
        }
    }

    /** The place of a column, whatever its case; empty if there is none. */
    public OptionalInt find(String name) {
        return IntStream.range(0, columns.size())
                .filter(i -> columns.get(i).toLowerCase(Locale.ROOT).equals(name.toLowerCase(Locale.ROOT)))
                .findFirst();
    }

    /** The place of a column that must be there. */
    public int column(String name) {
        return find(name).orElseThrow(() -> {
            String near = Nearest.of(name, columns)
                    .map(found -> "did you mean '" + found + "'?")
                    .orElse("found " + String.join(", ", columns));
            return BadText.at(file, 1, "no column '" + name + "'; " + near, "");
        });
    }
}
