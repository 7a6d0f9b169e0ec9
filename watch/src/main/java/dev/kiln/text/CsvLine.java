package dev.kiln.text;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** A CsvLine is one row of a CSV that a program wrote: its cells joined to a line, or a line cut into cells. */
public final class CsvLine {
    /** A number may begin with a sign. */
    private static final Pattern FORMULA = Pattern.compile("^(?:[=@\\t\\r]|[+-](?![\\d.]+(?:[eE][+-]?\\d+)?$))");

    /** Spreadsheets take this first line for the separator: what is written for Excel begins with it. */
    private static final Pattern HINT = Pattern.compile("\"?sep=([,;\t|])\"?\\s*");

    private static final Pattern QUOTED = Pattern.compile("\"[^\"]*\"");

    private CsvLine() {}

    /** Tells whether a line names the separator for a spreadsheet, and is no row. */
    public static boolean isHint(String line) {
        return HINT.matcher(line).matches();
    }

    /** Returns the sign that separates the cells of the first line: of comma, semicolon, tab and bar the one that it has most of. */
    public static char separator(String text) {
        String first = text.lines()
                .filter(row -> !row.isBlank() && !row.startsWith("#"))
                .findFirst()
                .orElse("");
        Matcher hint = HINT.matcher(first);
        if (hint.matches()) {
            return hint.group(1).charAt(0);
        }
        long commas = count(first, ',');
        long semicolons = count(first, ';');
        long tabs = count(first, '\t');
        long others = Math.max(commas, Math.max(semicolons, tabs));
        if (count(first, '|') > others) {
            return '|';
        }
        return commas == others ? ',' : semicolons == others ? ';' : '\t';
    }

    /** Counts a sign outside quotes. */
    private static long count(String line, char sign) {
        return QUOTED.matcher(line)
                .replaceAll("")
                .chars()
                .filter(c -> c == sign)
                .count();
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
