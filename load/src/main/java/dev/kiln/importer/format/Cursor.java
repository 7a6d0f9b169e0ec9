package dev.kiln.importer.format;

import dev.kiln.model.KilnException;

/** A Cursor reads a line's fields from left to right: whole numbers or hundredths, which a float rounds. */
public final class Cursor {
    /** 18 digits fit into a long whatever they are. */
    private static final int MOST_DIGITS = 18;

    private final Lines lines;
    private byte[] bytes = new byte[0];
    private int at;
    private int end;

    public Cursor(Lines lines) {
        this.lines = lines;
    }

    /** Moves to the beginning of the current line. */
    public Cursor rewind() {
        bytes = lines.bytes();
        at = lines.from();
        end = lines.to();
        return this;
    }

    public boolean atEnd() {
        return at >= end;
    }

    public int at() {
        return at;
    }

    public int end() {
        return end;
    }

    public byte peek() {
        return at < end ? bytes[at] : 0;
    }

    public void move(int bytes) {
        at = Math.min(end, at + bytes);
    }

    public void skipBlanks() {
        byte[] b = bytes;
        int to = end;
        int i = at;
        while (i < to && (b[i] == ' ' || b[i] == '\t')) {
            i++;
        }
        at = i;
    }

    /** Goes over a field that nobody wants. */
    public void skipWord() {
        byte[] b = bytes;
        int to = end;
        int i = at;
        while (i < to && b[i] != ' ' && b[i] != '\t') {
            i++;
        }
        at = i;
    }

    /** Goes to the beginning of the next field of a CSV row, or to its end. */
    public void skipCell(byte separator) {
        while (at < end && bytes[at] == '"') {
            // Of a doubled quote the second one opens the rest.
            at = Math.min(end, Lines.indexOf(bytes, at + 1, end, (byte) '"') + 1);
        }
        at = Math.min(end, Lines.indexOf(bytes, at, end, separator));
    }

    public boolean eat(byte b) {
        if (at < end && bytes[at] == b) {
            at++;
            return true;
        }
        return false;
    }

    /** Reads a whole number that is not negative and ends with its field. */
    public long whole(String what) {
        int begin = at;
        long value = digits();
        if (at == begin || at - begin > MOST_DIGITS || !fieldEnds()) {
            throw malformed(begin, what, "a whole number");
        }
        return value;
    }

    /** Reads a time in ns that is not negative; since 1970 it has 19 digits. */
    public long nanos(String what) {
        int begin = at;
        long value = digits();
        // Of 19 digits, those that do not fit into a long are below zero.
        if (at == begin || at - begin > MOST_DIGITS + 1 || value < 0 || !fieldEnds()) {
            throw malformed(begin, what, "ns as a whole number");
        }
        return value;
    }

    /**
     * Reads a decimal number that is not negative, in hundredths; a comma is a decimal point here, and a percent sign may stand
     * behind it, as in a log of {@code pidstat --human}.
     */
    public long hundredths(String what) {
        int begin = at;
        long value = digits();
        int digits = at - begin;
        value *= 100;
        if (digits > 0 && at < end && (bytes[at] == '.' || bytes[at] == ',')) {
            at++;
            for (int place = 10; at < end && digit(bytes[at]); at++, place /= 10) {
                value += (long) (bytes[at] - '0') * place;
            }
        }
        eat((byte) '%');
        if (digits == 0 || digits > MOST_DIGITS - 2 || !fieldEnds()) {
            throw malformed(begin, what, "a number");
        }
        return value;
    }

    /** Reads the same from a field that may hold anything: -1 for what is no such number. */
    public long hundredthsOrNone() {
        int begin = at;
        try {
            return hundredths("");
        } catch (KilnException e) {
            at = begin;
            skipWord();
            return -1;
        }
    }

    /** Reads the number that the next digits are, if any; it overflows where there are more than {@link #MOST_DIGITS}. */
    private long digits() {
        byte[] b = bytes;
        int to = end;
        int i = at;
        long value = 0;
        while (i < to && digit(b[i])) {
            value = value * 10 + (b[i++] - '0');
        }
        at = i;
        return value;
    }

    /** Reads a time such as {@code 17:01:16} or {@code 05:01:16 PM}, in seconds of the day. */
    public long timeOfDay() {
        int begin = at;
        long time = twoDigits(23) * 3600;
        eat((byte) ':');
        time += twoDigits(59) * 60;
        eat((byte) ':');
        time += twoDigits(59);
        skipBlanks();
        byte half = peek();
        if (half == 'A' || half == 'P') {
            long hour = time / 3600;
            if (hour < 1 || hour > 12) {
                throw malformed(begin, "the time", "a 12-hour time");
            }
            skipWord();
            return time - hour * 3600 + (hour % 12 + (half == 'P' ? 12 : 0)) * 3600;
        }
        return time;
    }

    private long twoDigits(int most) {
        byte[] b = bytes;
        int value = at + 1 < end ? (b[at] - '0') * 10 + (b[at + 1] - '0') : -1;
        if (value < 0 || value > most || b[at] < '0' || b[at + 1] < '0' || b[at + 1] > '9') {
            throw malformed(at, "the time", "a time such as 17:01:16");
        }
        move(2);
        return value;
    }

    private boolean fieldEnds() {
        return at >= end || bytes[at] == ' ' || bytes[at] == '\t' || bytes[at] == ',' || bytes[at] == ';';
    }

    private static boolean digit(byte b) {
        return b >= '0' && b <= '9';
    }

    public KilnException malformed(int begin, String what, String expected) {
        int stop = begin;
        while (stop < end && stop < begin + 30 && bytes[stop] != ' ' && bytes[stop] != ',') {
            stop++;
        }
        String found = stop == begin ? "nothing" : "'" + lines.text(begin, stop) + "'";
        return lines.malformed(found + " for " + what, expected);
    }
}
