package dev.kiln.text;

import dev.kiln.model.Controls;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/** A CsvTable is somebody's table: rows have a cell for each column; of one number a line, no names. */
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
        List<String> columns = bare ? List.of() : names(first.cells());
        List<CsvRow> body = bare ? rows : rows.subList(1, rows.size());
        if (!bare && first.cells().stream().allMatch(Decimal::looksLike)) {
            throw Source.wrong(
                    source.name(), first.line(), "several columns without a header", "name the columns on line 1");
        }
        check(source.name(), first.line(), columns, body);
        return new CsvTable(source.name(), columns, body);
    }

    /** Returns the names of columns. A cell in quotes may have line breaks, and a name begins lines of what is printed. */
    static List<String> names(List<String> cells) {
        return cells.stream().map(Controls::line).toList();
    }

    /** Passes on all rows one after the other, that of the header among them; none is kept, and none is a comment. */
    public static void eachRow(Source source, Consumer<CsvRow> to) {
        new CsvCells(source).each(false, to);
    }

    /** Refuses a table with too many columns, two of one name, a row of another length, or no row. */
    static void check(String file, int headerLine, List<String> columns, List<CsvRow> rows) {
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

    /** A CsvRow is one row with a cell for each column, and the line on which it begins, from 1. */
    public record CsvRow(int line, List<String> cells) {
        public CsvRow {
            cells = List.copyOf(cells);
        }

        /** Returns how many cells there are up to the last one that holds something. */
        private int filled() {
            return IntStream.rangeClosed(1, cells.size())
                    .filter(count -> !cells.get(count - 1).isEmpty())
                    .max()
                    .orElse(0);
        }

        private CsvRow upTo(int count) {
            return new CsvRow(line, cells.subList(0, Math.min(count, cells.size())));
        }
    }

    /** A CsvCells cuts people's text into rows of cells by RFC 4180, without the spaces around a cell. */
    private static final class CsvCells {
        private final String file;
        private final String text;
        private final char separator;
        private int at;
        private int line = 1;

        private CsvCells(Source source) {
            file = source.name();
            text = source.text();
            separator = CsvLine.separator(text);
        }

        /** Returns the rows that hold something; comments ({@code #}) are skipped, and so are blank lines at the end. */
        static List<CsvRow> of(Source source) {
            List<CsvRow> rows = new ArrayList<>();
            new CsvCells(source).each(true, rows::add);
            // A spreadsheet writes the empty columns right of its table too.
            int width = rows.stream().mapToInt(CsvRow::filled).max().orElse(0);
            if (width > 0 && rows.getFirst().cells().size() > width) {
                rows.replaceAll(row -> row.upTo(width));
            }
            return rows;
        }

        private void each(boolean comments, Consumer<CsvRow> to) {
            boolean any = false;
            int blank = 0;
            while (at < text.length()) {
                int start = line;
                int begin = at;
                List<String> cells = row();
                if (!any && CsvLine.isHint(text.substring(begin, at).strip())) {
                    continue;
                }
                if (cells.size() == 1 && cells.getFirst().isEmpty()) {
                    blank = blank == 0 ? start : blank;
                } else if (!comments || !cells.getFirst().startsWith("#")) {
                    if (blank > 0 && any) {
                        throw Source.wrong(
                                file, blank, "found an empty line within the table", "remove it, or fill it in");
                    }
                    blank = 0;
                    any = true;
                    to.accept(new CsvRow(start, cells));
                }
            }
        }

        private List<String> row() {
            List<String> cells = new ArrayList<>();
            while (true) {
                cells.add(cell());
                if (at >= text.length()) {
                    return cells;
                }
                char end = text.charAt(at++);
                if (end == '\n') {
                    line++;
                    return cells;
                }
                if (end == '\r') {
                    lineFeed();
                    line++;
                    return cells;
                }
            }
        }

        /** Skips to behind the line feed. Programs that turn line ends twice write several carriage returns before it. */
        private void lineFeed() {
            int feed = at;
            while (feed < text.length() && text.charAt(feed) == '\r') {
                feed++;
            }
            if (feed < text.length() && text.charAt(feed) == '\n') {
                at = feed + 1;
            }
        }

        private String cell() {
            int start = at;
            while (at < text.length() && text.charAt(at) == ' ') {
                at++;
            }
            if (at < text.length() && text.charAt(at) == '"') {
                return quoted();
            }
            at = start;
            while (!cellEnds()) {
                at++;
            }
            return text.substring(start, at).strip();
        }

        private boolean cellEnds() {
            return at >= text.length()
                    || text.charAt(at) == separator
                    || text.charAt(at) == '\n'
                    || text.charAt(at) == '\r';
        }

        private String quoted() {
            int opened = line;
            StringBuilder cell = new StringBuilder();
            for (at++; at < text.length(); at++) {
                char c = text.charAt(at);
                if (c != '"') {
                    line += c == '\n' ? 1 : 0;
                    cell.append(c);
                } else if (at + 1 < text.length() && text.charAt(at + 1) == '"') {
                    cell.append('"');
                    at++;
                } else {
                    at++;
                    return closed(cell.toString());
                }
            }
            throw Source.wrong(file, opened, "a quote is opened and never closed", "");
        }

        private String closed(String cell) {
            int start = at;
            while (!cellEnds()) {
                at++;
            }
            if (!text.substring(start, at).isBlank()) {
                throw Source.wrong(file, line, "found text behind a closing quote", "double the quotes within a cell");
            }
            return cell.strip();
        }
    }
}
