package dev.kiln.host.proc;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A ProcText scans a /proc file's bytes without strings: thousands of files a second are read. */
final class ProcText {
    byte[] bytes;
    int length;
    private int position;
    private boolean ranOut;

    ProcText(int capacity) {
        bytes = new byte[capacity];
    }

    static ProcText of(String text) {
        return of(text.getBytes(StandardCharsets.UTF_8));
    }

    static ProcText of(byte[] bytes) {
        ProcText text = new ProcText(0);
        text.bytes = bytes;
        text.length = bytes.length;
        return text;
    }

    ProcText at(int offset) {
        position = offset;
        ranOut = false;
        return this;
    }

    /** Tells whether a field was asked for that is not there. */
    boolean ranOut() {
        return ranOut;
    }

    /** Returns the next field that is a decimal number; 0 where there is none. */
    long nextLong() {
        skipBlanks();
        boolean negative = position < length && bytes[position] == '-';
        if (negative) {
            position++;
        }
        int first = position;
        long value = 0;
        while (position < length && bytes[position] >= '0' && bytes[position] <= '9') {
            value = value * 10 + (bytes[position++] - '0');
        }
        ranOut |= position == first;
        return negative ? -value : value;
    }

    char nextChar() {
        skipBlanks();
        if (position >= length) {
            ranOut = true;
            return '?';
        }
        return (char) bytes[position++];
    }

    void skip(int fields) {
        for (int i = 0; i < fields; i++) {
            skipBlanks();
            while (position < length && bytes[position] > ' ') {
                position++;
            }
        }
    }

    /** Moves behind {@code key} at the start of a line. Returns whether a line starts with it. */
    boolean seek(byte[] key) {
        int start = 0;
        while (start + key.length <= length) {
            int i = 0;
            while (i < key.length && bytes[start + i] == key[i]) {
                i++;
            }
            if (i == key.length) {
                at(start + key.length);
                return true;
            }
            int end = indexOf('\n', start);
            if (end < 0) {
                return false;
            }
            start = end + 1;
        }
        return false;
    }

    boolean startsWith(byte[] key) {
        return hasAt(0, key);
    }

    boolean hasAt(int offset, byte[] key) {
        return offset >= 0
                && offset + key.length <= length
                && Arrays.equals(bytes, offset, offset + key.length, key, 0, key.length);
    }

    /** Returns the start of the line that ends before another's start, or before the text's end. */
    int lineBefore(int end) {
        int i = end - 1;
        while (i > 0 && bytes[i - 1] != '\n') {
            i--;
        }
        return Math.max(i, 0);
    }

    /** Returns the text from here to the end of the line; {@code known} itself if it reads the same. */
    String restOfLine(String known) {
        skipBlanks();
        int end = indexOf('\n', position);
        int to = end < 0 ? length : end;
        boolean same = known.length() == to - position;
        for (int i = 0; same && i < known.length(); i++) {
            same = known.charAt(i) == bytes[position + i];
        }
        return same ? known : string(position, to);
    }

    /** Returns the text from here to the end of the line. */
    String restOfLine() {
        skipBlanks();
        int end = indexOf('\n', position);
        return string(position, end < 0 ? length : end);
    }

    int indexOf(char c, int from) {
        for (int i = from; i < length; i++) {
            if (bytes[i] == c) {
                return i;
            }
        }
        return -1;
    }

    int lastIndexOf(char c) {
        for (int i = length - 1; i >= 0; i--) {
            if (bytes[i] == c) {
                return i;
            }
        }
        return -1;
    }

    /** A name cut in the middle of a character ends in the replacement character. */
    String string(int from, int to) {
        return new String(bytes, from, to - from, StandardCharsets.UTF_8);
    }

    private void skipBlanks() {
        while (position < length && (bytes[position] == ' ' || bytes[position] == '\t')) {
            position++;
        }
    }
}
