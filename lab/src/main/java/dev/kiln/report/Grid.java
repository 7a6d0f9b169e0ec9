package dev.kiln.report;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A table of texts: the first column to the left, the others to the right, unless told otherwise.
 *
 * @param left indices of further columns of words
 */
record Grid(List<String> heads, List<List<String>> rows, List<Integer> left) {
    private static final String GAP = "  ";

    Grid(List<String> heads, List<List<String>> rows) {
        this(heads, rows, List.of());
    }

    String terminal(TerminalStyle style) {
        List<Integer> widths = IntStream.range(0, heads.size())
                .mapToObj(column -> all().stream()
                        .mapToInt(row -> style.chars(row.get(column)).length())
                        .max()
                        .orElse(0))
                .toList();
        StringBuilder out = new StringBuilder(style.dim(line(heads, widths, style)) + "\n");
        rows.forEach(row -> out.append(line(row, widths, style)).append('\n'));
        return out.toString();
    }

    private List<List<String>> all() {
        List<List<String>> all = new ArrayList<>(rows);
        all.add(heads);
        return all;
    }

    private String line(List<String> cells, List<Integer> widths, TerminalStyle style) {
        return IntStream.range(0, cells.size())
                .mapToObj(column -> {
                    String text = style.chars(cells.get(column));
                    String pad = " ".repeat(widths.get(column) - text.length());
                    return words(column) ? text + pad : pad + text;
                })
                .collect(Collectors.joining(GAP))
                .stripTrailing();
    }

    private boolean words(int column) {
        return column == 0 || left.contains(column);
    }

    /** As a table of GitHub-flavoured Markdown. */
    String markdown() {
        String rule = IntStream.range(0, heads.size())
                .mapToObj(column -> words(column) ? "---" : "--:")
                .collect(Collectors.joining("|", "|", "|\n"));
        return row(heads) + rule + rows.stream().map(Grid::row).collect(Collectors.joining());
    }

    private static String row(List<String> cells) {
        return cells.stream().map(MarkdownReport::escape).collect(Collectors.joining(" | ", "| ", " |\n"));
    }
}
