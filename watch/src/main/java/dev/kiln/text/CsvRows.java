package dev.kiln.text;

import dev.kiln.model.KilnException;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/** CsvRows reads a program's large CSV in the memory of a row; a cell in quotes may go over several lines. */
public final class CsvRows {
    /** A cell goes over no more lines than this: a quote that is never closed must not swallow the file. */
    private static final int MOST_LINES = 1000;

    private final CsvLines lines;
    private final Consumer<String> gaps;
    private final char separator;
    private final List<String> header;
    private boolean held;
    private long line;

    /** Reads a file whose header is its first line that is no remark, and which is separated as that line is. */
    public CsvRows(CsvLines lines, Consumer<String> gaps) {
        this(lines, gaps, first -> new CsvForm(CsvLine.separator(first), Optional.empty()));
    }

    /** Reads a file of a form that its first line tells; gaps gets in words what was left out. */
    public CsvRows(CsvLines lines, Consumer<String> gaps, Function<String, CsvForm> form) {
        this.lines = lines;
        this.gaps = gaps;
        String first = first(lines);
        CsvForm told = form.apply(first);
        separator = told.separator();
        header = told.columns()
                .orElseGet(() -> CsvLine.cells(first, separator).stream()
                        .map(String::strip)
                        .toList());
        held = told.columns().isPresent() && !first.isEmpty();
    }

    /** Returns the first line that is neither blank nor a remark; empty where there is none. */
    private static String first(CsvLines lines) {
        while (lines.next()) {
            String text = lines.text();
            if (!text.isBlank() && !text.startsWith("#") && !CsvLine.isHint(text)) {
                return text;
            }
        }
        return "";
    }

    /** A CsvForm says how rows are written; columns are for a file whose first line is a row. */
    public record CsvForm(char separator, Optional<List<String>> columns) {}

    /** Returns the place of a column; -1 if there is none. */
    public int column(String name) {
        return header.indexOf(name);
    }

    /** Returns file and line of the row. */
    public String place() {
        return lines.file() + ":" + Math.max(1, line);
    }

    /** Returns the next row, empty at the end; cut rows are reported, and so are headers of appended files. */
    public Optional<List<String>> next() {
        Optional<List<String>> row = read();
        while (row.isPresent() && row.get().equals(header)) {
            gaps.accept(place() + ": the header again, as of a file that was appended: it is no row");
            row = read();
        }
        return row;
    }

    private Optional<List<String>> read() {
        if (!held && !lines.nextRow(gaps)) {
            return Optional.empty();
        }
        held = false;
        line = lines.number();
        String text = lines.text();
        for (int more = 0; isOpen(text); more++) {
            if (more == MOST_LINES || !lines.next()) {
                throw lines.malformed("a quote of line " + line + " that is never closed", "a whole row");
            }
            if (!lines.whole()) {
                gaps.accept(lines.cutShort());
                return Optional.empty();
            }
            text += "\n" + lines.text();
        }
        List<String> cells = CsvLine.cells(text, separator);
        if (cells.size() != header.size()) {
            throw lines.malformed(cells.size() + " columns", Integer.toString(header.size()));
        }
        return Optional.of(cells);
    }

    private static boolean isOpen(String text) {
        return text.chars().filter(c -> c == '"').count() % 2 == 1;
    }

    /** CsvLines are the lines of a file that {@link CsvRows} makes rows of; whoever reads the file numbers them, from 1. */
    public interface CsvLines {
        /** Moves to the next line; false at the end of the file. */
        boolean next();

        /** Moves to the next line that is not blank; false at the end. A line that was cut short is reported and skipped. */
        boolean nextRow(Consumer<String> gaps);

        /** Returns the current line without its line break. */
        String text();

        /** Tells whether the current line ended in a line break: the last one of a file that was cut short does not. */
        boolean whole();

        /** Returns the number of the current line, from 1. */
        long number();

        /** Returns the name of the file in messages. */
        String file();

        /** Returns the words for a current line that is the last and not whole. */
        String cutShort();

        /** Returns the error for the current line. */
        KilnException malformed(String found, String expected);
    }
}
