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
 * A table that somebody brings along: every row has as many cells as there are columns.
 *
 * @param file its name in messages
 * @param columns names; empty for one number a line without a header
 */
public record CsvTable(String file, List<String> columns, List<Row> rows) {
    /** Each is compared by itself; nobody reads a result of more. */
    private static final int MOST_COLUMNS = 1000;

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
        List<Row> rows = Cells.of(source);
        if (rows.isEmpty()) {
            throw Source.wrong(source.name(), 1, "the file is empty", "expected a header and rows, or a number a line");
        }
        Row first = rows.getFirst();
        boolean bare =
                first.cells().size() == 1 && Decimal.looksLike(first.cells().getFirst());
        List<String> columns = bare ? List.of() : first.cells();
        List<Row> body = bare ? rows : rows.subList(1, rows.size());
        if (!bare && first.cells().stream().allMatch(Decimal::looksLike)) {
            throw Source.wrong(
                    source.name(), first.line(), "several columns without a header", "name the columns on line 1");
        }
        check(source.name(), first.line(), columns, body);
        return new CsvTable(source.name(), columns, body);
    }

    /** All rows one after the other, that of the header among them; none is kept, and none is a comment. */
    public static void eachRow(Source source, Consumer<Row> to) {
        new Cells(source).each(false, to);
    }

    private static void check(String file, int headerLine, List<String> columns, List<Row> rows) {
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
        for (Row row : rows) {
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
            return Source.wrong(file, 1, "no column '" + name + "'; " + near, "");
        });
    }

    /** What the first line is separated by: a semicolon or a tab where it has no comma. */
    public static char separator(String text) {
        String first = text.lines()
                .filter(row -> !row.isBlank() && !row.startsWith("#"))
                .findFirst()
                .orElse("");
        return first.indexOf(',') >= 0 ? ',' : first.indexOf(';') >= 0 ? ';' : first.indexOf('\t') >= 0 ? '\t' : ',';
    }

    /** The names in a table's first line, whatever separates them. */
    public static List<String> header(String line) {
        return ofLine(line, separator(line)).stream().map(String::strip).toList();
    }

    /** Cells as one line, quoted where they must be. */
    public static String line(List<String> cells) {
        return cells.stream().map(CsvTable::quoted).collect(Collectors.joining(",", "", "\n"));
    }

    private static String quoted(String cell) {
        String line = cell.replaceAll("[\\r\\n]+", " ");
        return line.indexOf(',') < 0 && line.indexOf('"') < 0 ? line : '"' + line.replace("\"", "\"\"") + '"';
    }

    /** Cells of one line that another program wrote, as they stand; a doubled quote inside quotes is a quote. */
    public static List<String> ofLine(String line) {
        return ofLine(line, ',');
    }

    /** The same of cells between other signs. */
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

    /** Text to rows of cells (RFC 4180: quotes, doubled quotes, line ends within quotes). */
    private static final class Cells {
        private final String file;
        private final String text;
        private final char separator;
        private int at;
        private int line = 1;

        private Cells(Source source) {
            file = source.name();
            text = source.text();
            separator = CsvTable.separator(text);
        }

        /** Rows that hold something; comments ({@code #}) are skipped, and so are blank lines at the end. */
        static List<Row> of(Source source) {
            List<Row> rows = new ArrayList<>();
            new Cells(source).each(true, rows::add);
            return rows;
        }

        private void each(boolean comments, Consumer<Row> to) {
            boolean any = false;
            int blank = 0;
            while (at < text.length()) {
                int start = line;
                List<String> cells = row();
                if (cells.size() == 1 && cells.getFirst().isEmpty()) {
                    blank = blank == 0 ? start : blank;
                } else if (!comments || !cells.getFirst().startsWith("#")) {
                    if (blank > 0 && any) {
                        throw Source.wrong(
                                file, blank, "found an empty line within the table", "remove it, or fill it in");
                    }
                    blank = 0;
                    any = true;
                    to.accept(new Row(start, cells));
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

        /** Programs that turn line ends twice write several carriage returns before the line feed. */
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
