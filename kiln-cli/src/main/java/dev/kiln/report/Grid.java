package dev.kiln.report;

import dev.kiln.model.Controls;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A Grid is a table of texts, for the terminal and for Markdown: the first column is aligned to the left, and the
 * others to the right, unless {@code left} names them.
 *
 * @param heads a head may have several lines
 * @param left indices of further columns of words
 * @param least widths that columns have at the least, so that tables under one another look alike
 * @param narrows where the terminal is too narrow, the first column stands on a line of its own; where it still is, each
 *     figure does
 */
public record Grid(
        List<String> heads, List<List<GridEntry>> rows, List<Integer> left, List<Integer> least, boolean narrows) {
    private static final String GAP = "  ";

    /**
     * A GridEntry is one cell.
     *
     * @param mark of a footnote; it has a place of its own behind the text, so that figures stay aligned
     * @param below stands dim under the text
     * @param paint of the text, once its width is known
     */
    public record GridEntry(String text, String mark, String below, UnaryOperator<String> paint) {
        public GridEntry {
            // A name with a line break would be a row of its own.
            text = Controls.line(text);
        }

        public static GridEntry of(String text) {
            return new GridEntry(text, "", "", UnaryOperator.identity());
        }
    }

    public static Grid of(List<String> heads, List<List<String>> rows, Integer... left) {
        List<List<GridEntry>> entries = rows.stream()
                .map(row -> row.stream().map(GridEntry::of).toList())
                .toList();
        return new Grid(heads, entries, List.of(left), List.of(), false);
    }

    public Grid least(Integer... widths) {
        return new Grid(heads, rows, left, List.of(widths), narrows);
    }

    /** Returns the same table for a terminal that may be narrower. */
    public Grid narrowing() {
        return new Grid(heads, rows, left, least, true);
    }

    public String terminal(TerminalStyle style) {
        return new Layout(this, style).text();
    }

    /** Returns the table in GitHub-flavoured Markdown. */
    public String markdown() {
        String rule = IntStream.range(0, heads.size())
                .mapToObj(column -> words(column) ? "---" : "--:")
                .collect(Collectors.joining("|", "|", "|\n"));
        return markdown(heads.stream())
                + rule
                + rows.stream()
                        .map(row -> markdown(row.stream().map(GridEntry::text)))
                        .collect(Collectors.joining());
    }

    private static String markdown(Stream<String> cells) {
        return cells.map(Markdown::escape).collect(Collectors.joining(" | ", "| ", " |\n"));
    }

    private boolean words(int column) {
        return column == 0 || left.contains(column);
    }

    /** A Layout has the widths of a grid on a terminal. */
    private static final class Layout {
        private final Grid grid;
        private final TerminalStyle style;
        private final int columns;
        private final int[] marks;
        private final int[] texts;
        private final boolean beside;
        private final boolean stacked;
        private final String gap;

        Layout(Grid grid, TerminalStyle style) {
            this.grid = grid;
            this.style = style;
            columns = grid.heads.size();
            marks = widths(column -> column(column).map(GridEntry::mark));
            int[] heads = widths(column -> grid.heads.get(column).lines());
            texts = widths(column -> column(column).flatMap(entry -> Stream.of(entry.text(), entry.below())));
            for (int i = 0; i < columns; i++) {
                int least = i < grid.least.size() ? grid.least.get(i) : 0;
                texts[i] = Math.max(least, Math.max(texts[i], heads[i] - marks[i]));
            }
            int figures =
                    IntStream.range(0, columns).map(i -> marks[i] + texts[i]).sum()
                            - texts[0]
                            + GAP.length() * (columns - 1);
            beside = !grid.narrows || texts[0] + figures <= style.width();
            stacked = grid.narrows && figures - (columns - 1) > style.width();
            gap = !grid.narrows || figures <= style.width() ? GAP : " ";
        }

        private Stream<GridEntry> column(int column) {
            return grid.rows.stream().map(row -> row.get(column));
        }

        private int[] widths(IntFunction<Stream<String>> of) {
            return IntStream.range(0, columns)
                    .map(column -> of.apply(column)
                            .mapToInt(text -> style.chars(text).length())
                            .max()
                            .orElse(0))
                    .toArray();
        }

        String text() {
            StringBuilder out = new StringBuilder();
            if (stacked) {
                grid.rows.forEach(row -> stack(row, out));
                return out.toString();
            }
            List<List<String>> heads =
                    grid.heads.stream().map(head -> head.lines().toList()).toList();
            int lines = heads.stream().mapToInt(List::size).max().orElse(0);
            for (int k = 0; k < lines; k++) {
                int line = k;
                out.append(style.dim(line(i -> {
                            String head =
                                    line < heads.get(i).size() ? heads.get(i).get(line) : "";
                            return aligned(i, head, texts[i] + marks[i], UnaryOperator.identity());
                        })))
                        .append('\n');
            }
            grid.rows.forEach(row -> row(row, out));
            return out.toString();
        }

        /** Writes the figures of a row below one another, each behind its head. */
        private void stack(List<GridEntry> row, StringBuilder out) {
            name(row, out);
            for (int i = 1; i < columns; i++) {
                GridEntry entry = row.get(i);
                String below = entry.below().isEmpty() ? "" : " (" + entry.below() + ")";
                String head = grid.heads.get(i).replace('\n', ' ');
                out.append(style.paragraph("  ", head + ": " + entry.text() + entry.mark() + below));
            }
        }

        private void name(List<GridEntry> row, StringBuilder out) {
            out.append(style.line(row.getFirst().text(), row.getFirst().paint()));
        }

        private void row(List<GridEntry> row, StringBuilder out) {
            if (!beside) {
                name(row, out);
            }
            out.append(line(i -> {
                        GridEntry entry = row.get(i);
                        String mark = entry.mark()
                                + " ".repeat(marks[i] - entry.mark().length());
                        return aligned(i, entry.text(), texts[i], entry.paint()) + style.dim(mark);
                    }))
                    .append('\n');
            if (row.stream().anyMatch(entry -> !entry.below().isEmpty())) {
                out.append(style.dim(line(i -> aligned(i, row.get(i).below(), texts[i], UnaryOperator.identity())
                                + " ".repeat(marks[i]))))
                        .append('\n');
            }
        }

        private String line(IntFunction<String> cell) {
            return IntStream.range(1, columns)
                    .mapToObj(i -> gap + cell.apply(i))
                    .collect(Collectors.joining("", beside ? cell.apply(0) : "", ""))
                    .stripTrailing();
        }

        private String aligned(int column, String text, int width, UnaryOperator<String> paint) {
            String shown = style.chars(text);
            String pad = " ".repeat(width - shown.length());
            return grid.words(column) ? paint.apply(shown) + pad : pad + paint.apply(shown);
        }
    }
}
