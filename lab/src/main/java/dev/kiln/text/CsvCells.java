package dev.kiln.text;

import java.util.ArrayList;
import java.util.List;

/** Text to rows of cells (RFC 4180: quotes, doubled quotes, line ends within quotes). */
public final class CsvCells {
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

    /** Rows that hold something; comments ({@code #}) are skipped, and so are blank lines at the end. */
    static List<CsvTable.Row> of(Source source) {
        return new CsvCells(source).rows();
    }

    /** Cells of one line that another program wrote, as they stand; a doubled quote inside quotes is a quote. */
    public static List<String> ofLine(String line) {
        List<String> cells = new ArrayList<>();
        if (line.indexOf('"') < 0) {
            int begin = 0;
            for (int comma = line.indexOf(','); comma >= 0; comma = line.indexOf(',', begin)) {
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
            } else if (c == ',' && !quoted) {
                cells.add(cell.toString());
                cell.setLength(0);
            } else {
                cell.append(c);
            }
        }
        cells.add(cell.toString());
        return cells;
    }

    /** What the first line is separated by: a semicolon or a tab where it has no comma. */
    private static char separator(String text) {
        String first = text.lines()
                .filter(row -> !row.isBlank() && !row.startsWith("#"))
                .findFirst()
                .orElse("");
        return first.indexOf(',') >= 0 ? ',' : first.indexOf(';') >= 0 ? ';' : first.indexOf('\t') >= 0 ? '\t' : ',';
    }

    private List<CsvTable.Row> rows() {
        List<CsvTable.Row> rows = new ArrayList<>();
        int blank = 0;
        while (at < text.length()) {
            int start = line;
            List<String> cells = row();
            if (cells.size() == 1 && cells.getFirst().isEmpty()) {
                blank = blank == 0 ? start : blank;
            } else if (!cells.getFirst().startsWith("#")) {
                if (blank > 0 && !rows.isEmpty()) {
                    throw BadText.at(file, blank, "found an empty line within the table", "remove it, or fill it in");
                }
                blank = 0;
                rows.add(new CsvTable.Row(start, cells));
            }
        }
        return rows;
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
                at += at < text.length() && text.charAt(at) == '\n' ? 1 : 0;
                line++;
                return cells;
            }
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
        throw BadText.at(file, opened, "a quote is opened and never closed", "");
    }

    private String closed(String cell) {
        int start = at;
        while (!cellEnds()) {
            at++;
        }
        if (!text.substring(start, at).isBlank()) {
            throw BadText.at(file, line, "found text behind a closing quote", "double the quotes within a cell");
        }
        return cell.strip();
    }
}
