package dev.kiln.report;

/**
 * What a terminal can show.
 *
 * @param width columns
 * @param colour ANSI escapes are understood and wanted
 * @param unicode false where only ASCII is safe
 */
public record TerminalStyle(int width, boolean colour, boolean unicode) {
    /** What is safe to write to a file. */
    public static TerminalStyle plain() {
        return new TerminalStyle(100, false, true);
    }

    String bold(String text) {
        return escape("1", text);
    }

    String dim(String text) {
        return escape("2", text);
    }

    String warn(String text) {
        return escape("33", text);
    }

    private String escape(String code, String text) {
        return colour && !text.isBlank() ? "\u001b[" + code + "m" + text + "\u001b[0m" : text;
    }

    /** The text in the characters this terminal has. */
    String chars(String text) {
        return unicode
                ? text
                : text.replace("\u2265", ">=")
                        .replace("\u2264", "<=")
                        .replace("\u2026", "...")
                        .replace("\u00d7", "x")
                        .replaceAll("[\u2013\u2212]", "-")
                        .replaceAll("[^\\x00-\\x7f]", "?");
    }
}
