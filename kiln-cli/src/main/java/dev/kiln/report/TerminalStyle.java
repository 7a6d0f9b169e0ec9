package dev.kiln.report;

import dev.kiln.text.Show;
import dev.kiln.text.TerminalWriter;
import java.nio.charset.Charset;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * A TerminalStyle is what a terminal or a file can show.
 *
 * @param width of text, in columns
 * @param columns of the terminal, beyond which a line is cut; {@link #FILE} for what is no terminal
 * @param colour ANSI escapes are understood and wanted
 * @param unicode false where only ASCII is safe
 */
public record TerminalStyle(int width, int columns, boolean colour, boolean unicode) {
    /** Text is no wider, on any terminal: longer lines are hard to read. */
    public static final int TEXT = 100;

    /** A file has room for every line. */
    public static final int FILE = Integer.MAX_VALUE;

    /** These characters stand for all that Kiln draws and writes beyond ASCII. */
    private static final String DRAWN = "\u2581\u2502\u25b2\u2013\u2212\u2265";

    /** Makes the style of a terminal that is as wide as its text. */
    public TerminalStyle(int width, boolean colour, boolean unicode) {
        this(width, width, colour, unicode);
    }

    /** Returns the style that is safe for a file: no escapes, 100 columns of text. */
    public static TerminalStyle plain() {
        return new TerminalStyle(TEXT, FILE, false, true);
    }

    /** Tells whether text in this encoding can have what Kiln draws. */
    public static boolean isDrawnIn(Charset encoding) {
        return encoding.canEncode() && encoding.newEncoder().canEncode(DRAWN);
    }

    /** Returns the same style for a part that is painted once it is laid out. */
    public TerminalStyle withoutColour() {
        return new TerminalStyle(width, columns, false, unicode);
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
        return unicode ? text : ascii(text).replace('\u00a0', ' ');
    }

    /** Returns the same, but what must not be broken is still tied together. */
    private String ascii(String text) {
        return unicode
                ? text
                : text.replace("\u2265", ">=")
                        .replace("\u2264", "<=")
                        .replace("\u2026", "...")
                        .replace("\u00d7", "x")
                        .replace("\u00b1", "+-")
                        .replace("\u03c3", "sd")
                        .replaceAll("[\u2013\u2212]", "-")
                        .replaceAll("[^\\x00-\\x7f\u00a0]", "?");
    }

    /** Returns as much of a line as the terminal is wide; for a file, all of it. */
    public String cut(String line) {
        return line.length() <= columns ? line : line.substring(0, Math.max(0, columns));
    }

    /** Tells whether a line needs no break: a file has it whole, because a script may look for it. */
    public boolean fits(String line) {
        return columns == FILE || chars(line).length() <= width;
    }

    /** Returns a line of its own, which is broken between words, and only where it does not fit; its indent stays. */
    public String line(String text, UnaryOperator<String> paint) {
        String indent = text.substring(0, text.length() - text.stripLeading().length());
        return fits(text) ? paint.apply(chars(text)) + "\n" : paragraph(indent, text, paint);
    }

    public String paragraph(String text) {
        return paragraph("", text);
    }

    /** Returns {@code first} and the text in lines, indented as far, but never a figure apart from its unit. */
    public String paragraph(String first, String text) {
        String indent = " ".repeat(first.length());
        StringBuilder out = new StringBuilder(first);
        int column = first.length();
        boolean lineIsEmpty = true;
        for (String word : Show.tied(ascii(text).strip()).split("[ \\n\\t\\r]+", -1)) {
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
