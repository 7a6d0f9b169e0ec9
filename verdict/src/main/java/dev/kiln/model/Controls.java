package dev.kiln.model;

/**
 * Controls makes harmless the control characters in texts that somebody else wrote: names of files, threads and jars,
 * lines of logs, answers of a JVM. A terminal obeys them, and so does a browser with those that turn the direction of
 * writing. Each is replaced by its name, such as {@code \u001b}, so that a reader can see it.
 */
public final class Controls {
    private Controls() {}

    /** Replaces the control characters in a text of several lines, whose line breaks and tabs stay. */
    public static String text(String text) {
        return replaced(text, true);
    }

    /** Replaces control characters in a name, a cell or a label, also line breaks and tabs: one line. */
    public static String line(String text) {
        return replaced(text, false);
    }

    private static String replaced(String text, boolean lines) {
        int first = 0;
        while (first < text.length() && stays(text.charAt(first), lines)) {
            first++;
        }
        if (first == text.length()) {
            return text;
        }
        StringBuilder out = new StringBuilder(text.length() + 16).append(text, 0, first);
        for (int i = first; i < text.length(); i++) {
            append(out, text.charAt(i), lines);
        }
        return out.toString();
    }

    /** Appends one character of a text of several lines, or its name if it is a control character. */
    public static void append(StringBuilder out, char c) {
        append(out, c, true);
    }

    private static void append(StringBuilder out, char c, boolean lines) {
        if (stays(c, lines)) {
            out.append(c);
        } else {
            out.append(named(c));
        }
    }

    /** Returns the name of a character. */
    public static String named(char c) {
        return "\\u%04x".formatted((int) c);
    }

    private static boolean stays(char c, boolean lines) {
        return (lines && (c == '\n' || c == '\t')) || !isControl(c);
    }

    /**
     * Tells whether a character is a control character: C0, DEL and C1 (ECMA-48), line and paragraph separators, what
     * turns the direction of writing (Unicode Standard Annex 9), and what hides a part of a text: byte order marks and
     * annotations; and the two numbers that are no character, which XML does not allow.
     */
    public static boolean isControl(char c) {
        return c < 0x20
                || (c >= 0x7f && c <= 0x9f)
                || c == 0x061c
                || c == 0xfeff
                || (c >= 0xfff9 && c <= 0xfffb)
                || c >= 0xfffe
                || (c >= 0x200e && c <= 0x200f)
                || (c >= 0x2028 && c <= 0x202e)
                || (c >= 0x2066 && c <= 0x2069);
    }
}
