package dev.kiln.text;

import dev.kiln.text.CsvTable.CsvRow;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * A CsvCells cuts a text that people write into rows of cells, by RFC 4180: a cell may be in quotes, a doubled quote within
 * them is a quote, and a line may end within them. Spaces around a cell are dropped.
 */
final class CsvCells {
    private final String file;
    private final String text;
    private final char separator;
    private int at;
    private int line = 1;

    private CsvCells(Source source) {
        file = source.name();
        text = source.text();
        separator = separator(text);
    }

    /** Returns the rows that hold something; comments ({@code #}) are skipped, and so are blank lines at the end. */
    static List<CsvRow> of(Source source) {
        List<CsvRow> rows = new ArrayList<>();
        new CsvCells(source).each(true, rows::add);
        return rows;
    }

    /** Passes on the rows that hold something, comments among them. */
    static void eachRow(Source source, Consumer<CsvRow> to) {
        new CsvCells(source).each(false, to);
    }

    private void each(boolean comments, Consumer<CsvRow> to) {
        boolean any = false;
        int blank = 0;
        while (at < text.length()) {
            int start = line;
            List<String> cells = row();
            if (cells.size() == 1 && cells.getFirst().isEmpty()) {
                blank = blank == 0 ? start : blank;
            } else if (!comments || !cells.getFirst().startsWith("#")) {
                if (blank > 0 && any) {
                    throw Source.wrong(file, blank, "found an empty line within the table", "remove it, or fill it in");
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

    /** Returns the sign that separates the cells of the first line: a semicolon or a tab where it has no comma. */
    static char separator(String text) {
        String first = text.lines()
                .filter(row -> !row.isBlank() && !row.startsWith("#"))
                .findFirst()
                .orElse("");
        return first.indexOf(',') >= 0 ? ',' : first.indexOf(';') >= 0 ? ';' : first.indexOf('\t') >= 0 ? '\t' : ',';
    }
}
