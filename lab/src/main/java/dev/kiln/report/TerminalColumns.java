package dev.kiln.report;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The summary as right-aligned columns. A footnote's mark has a place of its own behind the figure, so that figures
 * stay aligned.
 *
 * @param nameWidth 0 where names are too long to stand beside their figures
 */
record TerminalColumns(
        Summary summary,
        TerminalStyle style,
        String gap,
        int nameWidth,
        List<Integer> figureWidths,
        List<Integer> markWidths) {
    private static final String SUPERSCRIPTS = "\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079";
    /** Its place among the cells. */
    private static final int T90 = 4;

    static TerminalColumns of(Summary summary, TerminalStyle style) {
        TerminalColumns unmeasured = new TerminalColumns(summary, style, "", 0, List.of(), List.of());
        List<Integer> marks = IntStream.range(0, SummaryRow.HEADS.size())
                .mapToObj(i -> widest(summary.rows().stream()
                        .map(row -> unmeasured.mark(row.cells().get(i)))
                        .toList()))
                .toList();
        List<Integer> figures = IntStream.range(0, SummaryRow.HEADS.size())
                .mapToObj(i -> Math.max(
                        widest(List.of(
                                        SummaryRow.HEADS.get(i).top(),
                                        SummaryRow.HEADS.get(i).bottom()))
                                - marks.get(i),
                        widest(summary.rows().stream()
                                .flatMap(row -> IntStream.of(0, 1).mapToObj(line -> {
                                    Cell cell = row.cells().get(i);
                                    return style.chars(
                                            line == 0
                                                    ? cell.text()
                                                    : cell.range().orElse(""));
                                }))
                                .toList())))
                .toList();
        int names = widest(
                summary.rows().stream().map(row -> style.chars(row.variant())).toList());
        int bare = Stream.of(figures, marks)
                .flatMap(List::stream)
                .mapToInt(Integer::intValue)
                .sum();
        int columns = figures.size();
        boolean beside = names + bare + 2 * columns <= style.width();
        String gap = bare + 2 * columns <= style.width() ? "  " : " ";
        return new TerminalColumns(summary, style, gap, beside ? names : 0, figures, marks);
    }

    String heads() {
        return line(
                        style.dim(pad("", nameWidth)),
                        SummaryRow.HEADS.stream().map(SummaryRow.Head::top).toList(),
                        true)
                + line(
                        pad("", nameWidth),
                        SummaryRow.HEADS.stream().map(SummaryRow.Head::bottom).toList(),
                        true);
    }

    String name(SummaryRow row) {
        String name = style.chars(row.variant());
        return nameWidth == 0 ? style.bold(name) + "\n" : style.bold(name) + " ".repeat(nameWidth - name.length());
    }

    String figures(SummaryRow row) {
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < row.cells().size(); i++) {
            Cell cell = row.cells().get(i);
            String text = style.chars(cell.text());
            boolean warn = (i == T90 && text.startsWith(">"));
            out.append(gap)
                    .append(" ".repeat(figureWidths.get(i) - text.length()))
                    .append(warn ? style.warn(text) : text)
                    .append(style.dim(pad(mark(cell), markWidths.get(i))));
        }
        return out.toString().stripTrailing() + "\n";
    }

    String ranges(SummaryRow row) {
        if (row.cells().stream().noneMatch(cell -> cell.range().isPresent())) {
            return "";
        }
        return line(
                pad("", nameWidth),
                row.cells().stream()
                        .map(cell -> style.chars(cell.range().orElse("")))
                        .toList(),
                false);
    }

    private String line(String name, List<String> texts, boolean overMarks) {
        String figures = IntStream.range(0, texts.size())
                .mapToObj(i -> {
                    int width = figureWidths.get(i) + (overMarks ? markWidths.get(i) : 0);
                    String text = gap + " ".repeat(width - texts.get(i).length()) + texts.get(i);
                    return overMarks ? text : text + " ".repeat(markWidths.get(i));
                })
                .collect(Collectors.joining());
        return style.dim((name + figures).stripTrailing()) + "\n";
    }

    private String mark(Cell cell) {
        return summary.number(cell)
                .map(n -> style.unicode()
                        ? Integer.toString(n)
                                .chars()
                                .mapToObj(c -> SUPERSCRIPTS.substring(c - '0', c - '0' + 1))
                                .collect(Collectors.joining())
                        : "[" + n + "]")
                .orElse("");
    }

    private static int widest(List<String> texts) {
        return texts.stream().mapToInt(String::length).max().orElse(0);
    }

    private static String pad(String text, int width) {
        return text + " ".repeat(Math.max(0, width - text.length()));
    }
}
