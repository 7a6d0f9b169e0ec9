package dev.kiln.text;

import dev.kiln.model.Controls;
import java.io.IOException;
import java.io.Writer;
import java.security.SecureRandom;

/**
 * A TerminalWriter is the one way to a terminal. Control characters are replaced, but for line breaks and tabs: what
 * Kiln prints has names and lines in it that others wrote. So are the beginnings of what the service of a CI takes for a
 * command in a job's log. Kiln's own escapes pass, because they are marked by a word that no one else knows.
 */
public final class TerminalWriter extends Writer {
    private static final char BEGIN = '\u0001';
    private static final char END = '\u0002';

    /** This word is another in each process. */
    private static final String WORD = Long.toString(new SecureRandom().nextLong() >>> 1, Character.MAX_RADIX);

    private static final String MARK = BEGIN + WORD;

    /** This is longer than any escape of Kiln. */
    private static final int MOST = MARK.length() + 16;

    private final Writer to;
    /** This may be an escape of Kiln's that is not whole yet. */
    private final StringBuilder begun = new StringBuilder();

    /** The line has nothing but blanks so far. */
    private boolean blank = true;

    /** The last character was the first one of the line, and a colon. */
    private boolean colon;

    private int hashes;

    public TerminalWriter(Writer to) {
        this.to = to;
    }

    /** Returns a terminal's escape, such as {@code [1m} behind ESC, to print by a {@link TerminalWriter}. */
    public static String escape(String sequence) {
        return MARK + sequence + END;
    }

    @Override
    public void write(char[] text, int from, int length) throws IOException {
        StringBuilder out = new StringBuilder(length + 16);
        for (int i = from; i < from + length; i++) {
            take(text[i], out);
        }
        to.append(out);
    }

    private void take(char c, StringBuilder out) {
        if (begun.isEmpty()) {
            if (c == BEGIN) {
                begun.append(c);
            } else if (commands(c)) {
                out.append(Controls.named(c));
            } else {
                Controls.append(out, c);
            }
            return;
        }
        begun.append(c);
        boolean marked = begun.length() <= MARK.length() ? MARK.startsWith(begun.toString()) : begun.length() <= MOST;
        if (!marked) {
            give(out);
        } else if (c == END) {
            out.append('\u001b').append(begun, MARK.length(), begun.length() - 1);
            begun.setLength(0);
        }
    }

    /** Tells whether a line is a command by this character: {@code ::error}, {@code ##vso[}, {@code ##[}. */
    private boolean commands(char c) {
        boolean command = (colon && c == ':') || (hashes > 1 && (c == '[' || Character.isLetter(c)));
        colon = blank && c == ':';
        hashes = c == '#' ? hashes + 1 : 0;
        blank = c == '\n' || (blank && Character.isWhitespace(c));
        return command;
    }

    private void give(StringBuilder out) {
        out.append(Controls.text(begun.toString()));
        begun.setLength(0);
    }

    @Override
    public void flush() throws IOException {
        StringBuilder out = new StringBuilder();
        give(out);
        to.append(out);
        to.flush();
    }

    @Override
    public void close() throws IOException {
        flush();
        to.close();
    }
}
