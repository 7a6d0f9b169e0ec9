package dev.kiln.report;

import dev.kiln.text.Show;
import dev.kiln.text.TerminalWriter;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * A TerminalStyle is what a terminal can show.
 *
 * @param width columns
 * @param colour ANSI escapes are understood and wanted
 * @param unicode false where only ASCII is safe
 */
public record TerminalStyle(int width, boolean colour, boolean unicode) {
    /** Returns the style that is safe for a file: no escapes, 100 columns. */
    public static TerminalStyle plain() {
        return new TerminalStyle(100, false, true);
    }

    public String bold(String text) {
        return escape("1", text);
    }

    public String dim(String text) {
        return escape("2", text);
    }

    public String warn(String text) {
        return escape("33", text);
    }

    private String escape(String code, String text) {
        return colour && !text.isBlank()
                ? TerminalWriter.escape("[" + code + "m") + text + TerminalWriter.escape("[0m")
                : text;
    }

    /** Returns the text in the characters that this terminal has. */
    public String chars(String text) {
        return unicode
                ? text
                : text.replace("\u2265", ">=")
                        .replace("\u2264", "<=")
                        .replace("\u2026", "...")
                        .replace("\u00d7", "x")
                        .replaceAll("[\u2013\u2212]", "-")
                        .replaceAll("[^\\x00-\\x7f]", "?");
    }

    /** Returns as much of a line as the terminal is wide. */
    public String cut(String line) {
        return line.length() <= width ? line : line.substring(0, Math.max(0, width));
    }

    public String paragraph(String text) {
        return paragraph("", text);
    }

    /**
     * Returns the text broken into lines, but never a figure from its unit. {@code first} begins the first line, and
     * every other line is indented as far.
     */
    public String paragraph(String first, String text) {
        String indent = " ".repeat(first.length());
        StringBuilder out = new StringBuilder(first);
        int column = first.length();
        boolean lineIsEmpty = true;
        for (String word : Show.tied(chars(text).strip()).split("[ \\n\\t\\r]+", -1)) {
            if (!lineIsEmpty && column + 1 + word.length() > width) {
                out.append('\n').append(indent);
                column = indent.length();
                lineIsEmpty = true;
            }
            if (!lineIsEmpty) {
                out.append(' ');
                column++;
            }
            out.append(word);
            column += word.length();
            lineIsEmpty = false;
        }
        return out.append('\n').toString().replace('\u00a0', ' ');
    }

    /** Returns a paragraph whose lines are painted one by one; nothing for a blank text. */
    public String paragraph(String first, String text, UnaryOperator<String> paint) {
        return text.isBlank()
                ? ""
                : paragraph(first, text)
                        .lines()
                        .map(line -> paint.apply(line) + "\n")
                        .collect(Collectors.joining());
    }

    /** Returns the sentence that a report ends with, in bold. */
    public String conclusion(String text) {
        return paragraph("", text, this::bold);
    }

    /** Returns footnotes under a table. */
    public String notes(List<String> notes) {
        return notes.stream().map(note -> paragraph("- ", note, this::dim)).collect(Collectors.joining());
    }
}
