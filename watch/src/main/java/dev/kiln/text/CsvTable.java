package dev.kiln.text;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A CsvTable is a table that somebody brings along: every row has as many cells as there are columns.
 *
 * @param file its name in messages
 * @param columns names; empty for one number a line without a header
 */
public record CsvTable(String file, List<String> columns, List<CsvRow> rows) {
    /** A table has no more columns than this: each is compared by itself, and nobody reads a result of more. */
    private static final int MOST_COLUMNS = 1000;

    public CsvTable {
        columns = List.copyOf(columns);
        rows = List.copyOf(rows);
    }

    /** Parses a table with a header, or one number a line. */
    public static CsvTable parse(Source source) {
        List<CsvRow> rows = CsvCells.of(source);
        if (rows.isEmpty()) {
            throw Source.wrong(source.name(), 1, "the file is empty", "expected a header and rows, or a number a line");
        }
        CsvRow first = rows.getFirst();
        boolean bare =
                first.cells().size() == 1 && Decimal.looksLike(first.cells().getFirst());
        List<String> columns = bare ? List.of() : first.cells();
        List<CsvRow> body = bare ? rows : rows.subList(1, rows.size());
        if (!bare && first.cells().stream().allMatch(Decimal::looksLike)) {
            throw Source.wrong(
                    source.name(), first.line(), "several columns without a header", "name the columns on line 1");
        }
        check(source.name(), first.line(), columns, body);
        return new CsvTable(source.name(), columns, body);
    }

    /** Passes on all rows one after the other, that of the header among them; none is kept, and none is a comment. */
    public static void eachRow(Source source, Consumer<CsvRow> to) {
        CsvCells.eachRow(source, to);
    }

    private static void check(String file, int headerLine, List<String> columns, List<CsvRow> rows) {
        if (columns.size() > MOST_COLUMNS) {
            throw Source.wrong(
                    file,
                    headerLine,
                    "found " + columns.size() + " columns; Kiln reads up to " + MOST_COLUMNS,
                    "keep the columns that are to be looked at");
        }
        Set<String> seen = new HashSet<>();
        for (String name : columns) {
            if (!seen.add(name.toLowerCase(Locale.ROOT))) {
                throw Source.wrong(file, headerLine, "column '" + name + "' is there twice", "rename one");
            }
        }
        int cells = Math.max(1, columns.size());
        for (CsvRow row : rows) {
            if (row.cells().size() != cells) {
                throw Source.wrong(
                        file,
                        row.line(),
                        "found " + row.cells().size() + (row.cells().size() == 1 ? " cell" : " cells") + ", expected "
                                + cells,
                        columns.isEmpty() ? "" : "the header has " + String.join(", ", columns));
            }
        }
        if (rows.isEmpty()) {
            throw Source.wrong(file, headerLine, "there is a header and no row", "");
        }
    }

    /** Returns the place of a column, whatever its case; empty if there is none. */
    public OptionalInt find(String name) {
        return IntStream.range(0, columns.size())
                .filter(i -> columns.get(i).toLowerCase(Locale.ROOT).equals(name.toLowerCase(Locale.ROOT)))
                .findFirst();
    }

    /** Returns the place of a column that must be there. */
    public int column(String name) {
        return find(name).orElseThrow(() -> {
            String near = Nearest.of(name, columns)
                    .map(found -> "did you mean '" + found + "'?")
                    .orElse("found " + String.join(", ", columns));
            return Source.wrong(file, 1, "no column '" + name + "'; " + near, "");
        });
    }

    /** Returns the sign that separates the cells of the first line: a semicolon or a tab where it has no comma. */
    public static char separator(String text) {
        return CsvCells.separator(text);
    }

    /** Returns the names in a table's first line, whatever separates them. */
    public static List<String> header(String line) {
        return ofLine(line, separator(line)).stream().map(String::strip).toList();
    }

    /** Joins cells to one line; those that must be are quoted. */
    public static String line(List<String> cells) {
        return cells.stream().map(CsvTable::quoted).collect(Collectors.joining(",", "", "\n"));
    }

    private static String quoted(String cell) {
        String line = cell.replaceAll("[\\r\\n]+", " ");
        return line.indexOf(',') < 0 && line.indexOf('"') < 0 ? line : '"' + line.replace("\"", "\"\"") + '"';
    }

    /** Splits a line that another program wrote into its cells, as they stand; a doubled quote inside quotes is a quote. */
    public static List<String> ofLine(String line) {
        return ofLine(line, ',');
    }

    /** Splits a line in the same way at another sign than the comma. */
    public static List<String> ofLine(String line, char separator) {
        List<String> cells = new ArrayList<>();
        if (line.indexOf('"') < 0) {
            int begin = 0;
            for (int comma = line.indexOf(separator); comma >= 0; comma = line.indexOf(separator, begin)) {
                cells.add(line.substring(begin, comma));
                begin = comma + 1;
            }
            cells.add(line.substring(begin));
            return cells;
        }
        StringBuilder cell = new StringBuilder();
        boolean quoted = false;
        for (int i = 0; i < line.length(); i++) {
            char c = line.charAt(i);
            boolean doubled = quoted && c == '"' && i + 1 < line.length() && line.charAt(i + 1) == '"';
            if (doubled) {
                cell.append(c);
                i++;
            } else if (c == '"') {
                quoted = !quoted;
            } else if (c == separator && !quoted) {
                cells.add(cell.toString());
                cell.setLength(0);
            } else {
                cell.append(c);
            }
        }
        cells.add(cell.toString());
        return cells;
    }

    /**
     * A CsvRow is one row of the table, with a cell for each column.
     *
     * @param line on which it begins, from 1
     */
    public record CsvRow(int line, List<String> cells) {
        public CsvRow {
            cells = List.copyOf(cells);
        }
    }
}
