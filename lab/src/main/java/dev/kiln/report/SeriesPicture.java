package dev.kiln.report;

import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalDouble;

/** A series as blocks, under it the time to 90 % of its peak. */
record SeriesPicture(double[] bins, double binSeconds, TerminalStyle style) {
    private static final int ROWS = 8;
    private static final int MOST_COLUMNS = 80;
    private static final int EIGHTHS = 8;

    /** Block elements, U+2581 to U+2588: an eighth more each. */
    private static final char LOWEST_BLOCK = '\u2581';

    /**
     * Lines of text.
     *
     * @param t90 seconds; empty where there is none to mark
     */
    String render(OptionalDouble t90) {
        double highest = Arrays.stream(bins).max().orElse(0);
        String top = Text.whole(highest);
        int most = Math.max(1, Math.min(MOST_COLUMNS, style.width() - top.length() - 4));
        // Equally many bins a column, or the picture would have steps that the series has not.
        int columns = Math.ceilDiv(bins.length, Math.ceilDiv(bins.length, most));
        String indent = " ".repeat(top.length());
        StringBuilder out = new StringBuilder();
        for (int row = ROWS - 1; row >= 0; row--) {
            String label = row == ROWS - 1 ? top : indent;
            out.append(label).append(style.unicode() ? " \u2502" : " |");
            out.append(blocks(row, columns, highest).stripTrailing()).append('\n');
        }
        String axis = style.unicode() ? "\u2500".repeat(columns) : "-".repeat(columns);
        out.append(" ".repeat(top.length() - 1))
                .append(style.unicode() ? "0 \u2514" : "0 +")
                .append(axis)
                .append('\n');
        String margin = indent + "  ";
        mark(t90, columns).ifPresent(line -> out.append(margin).append(line).append('\n'));
        return out.append(margin).append(times(columns)).append('\n').toString();
    }

    private String blocks(int row, int columns, double highest) {
        StringBuilder out = new StringBuilder();
        for (int column = 0; column < columns; column++) {
            double level = highest == 0 ? 0 : mean(column, columns) / highest * ROWS;
            int eighths = (int) Math.round(Math.clamp(level - row, 0, 1) * EIGHTHS);
            boolean drawn = style.unicode() ? eighths > 0 : eighths >= EIGHTHS / 2;
            out.append(!drawn ? ' ' : style.unicode() ? (char) (LOWEST_BLOCK + eighths - 1) : '#');
        }
        return out.toString();
    }

    private double mean(int column, int columns) {
        int per = Math.ceilDiv(bins.length, columns);
        return Arrays.stream(bins, column * per, Math.min(bins.length, (column + 1) * per))
                .average()
                .orElse(0);
    }

    private int column(double bin, int columns) {
        return (int) Math.min(columns - 1, bin / Math.ceilDiv(bins.length, columns));
    }

    private Optional<String> mark(OptionalDouble t90, int columns) {
        if (t90.isEmpty()) {
            return Optional.empty();
        }
        int at = column(t90.getAsDouble() / binSeconds, columns);
        String arrow = style.unicode() ? "\u25b2" : "^";
        String text = "T90 " + Text.plain(t90.getAsDouble()) + " s";
        boolean right = at + 2 + text.length() <= columns || at < text.length() + 1;
        return Optional.of(
                right ? " ".repeat(at) + arrow + " " + text : " ".repeat(at - text.length() - 1) + text + " " + arrow);
    }

    private String times(int columns) {
        String end = Text.plain(bins.length * binSeconds) + " s";
        return "0" + " ".repeat(Math.max(1, columns - 1 - end.length())) + end;
    }
}
