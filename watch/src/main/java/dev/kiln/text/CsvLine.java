package dev.kiln.text;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** A CsvLine is one row of a CSV that a program wrote: its cells joined to a line, or a line cut into cells. */
public final class CsvLine {
    /** A number may begin with a sign. */
    private static final Pattern FORMULA = Pattern.compile("^(?:[=@\\t\\r]|[+-](?![\\d.]+(?:[eE][+-]?\\d+)?$))");

    private CsvLine() {}

    /** Returns the sign that separates the cells of the first line: a semicolon or a tab where it has no comma. */
    public static char separator(String text) {
        String first = text.lines()
                .filter(row -> !row.isBlank() && !row.startsWith("#"))
                .findFirst()
                .orElse("");
        return first.indexOf(',') >= 0 ? ',' : first.indexOf(';') >= 0 ? ';' : first.indexOf('\t') >= 0 ? '\t' : ',';
    }

    /** Returns the names in a table's first line, whatever separates them. */
    public static List<String> header(String line) {
        return cells(line, separator(line)).stream().map(String::strip).toList();
    }

    /** Joins cells to one line; those that must be are quoted. */
    public static String of(List<String> cells) {
        return cells.stream().map(CsvLine::quoted).collect(Collectors.joining(",", "", "\n"));
    }

    /** A cell that a spreadsheet would take for a formula is text, as in the tables of a report's page. */
    private static String quoted(String cell) {
        String line = (FORMULA.matcher(cell).find() ? "'" + cell : cell).replaceAll("[\\r\\n]+", " ");
        return line.indexOf(',') < 0 && line.indexOf('"') < 0 ? line : '"' + line.replace("\"", "\"\"") + '"';
    }

    /** Splits a line that another program wrote into its cells, as they stand; a doubled quote inside quotes is a quote. */
    public static List<String> cells(String line) {
        return cells(line, ',');
    }

    /** Splits a line in the same way at another sign than the comma. */
    public static List<String> cells(String line, char separator) {
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
}
