package dev.kiln.importer;

import dev.kiln.model.KilnException;

/** Reads the fields of one line, from left to right. Figures are whole numbers or hundredths; a float would round them. */
final class Cursor {
    /** 18 digits fit into a long whatever they are. */
    private static final int MOST_DIGITS = 18;

    private final Lines lines;
    private byte[] bytes = new byte[0];
    private int at;
    private int end;

    Cursor(Lines lines) {
        this.lines = lines;
    }

    /** Begins with the current line. */
    Cursor rewind() {
        bytes = lines.bytes();
        at = lines.from();
        end = lines.to();
        return this;
    }

    boolean atEnd() {
        return at >= end;
    }

    int at() {
        return at;
    }

    int end() {
        return end;
    }

    byte peek() {
        return at < end ? bytes[at] : 0;
    }

    void move(int bytes) {
        at = Math.min(end, at + bytes);
    }

    void skipBlanks() {
        while (at < end && (bytes[at] == ' ' || bytes[at] == '\t')) {
            at++;
        }
    }

    /** Goes over a field that nobody wants. */
    void skipWord() {
        while (at < end && bytes[at] != ' ' && bytes[at] != '\t') {
            at++;
        }
    }

    /** Goes to the beginning of the next field of a CSV row, or to its end. */
    void skipCell(byte separator) {
        while (at < end && bytes[at] != separator) {
            at++;
        }
    }

    boolean eat(byte b) {
        if (at < end && bytes[at] == b) {
            at++;
            return true;
        }
        return false;
    }

    /** A whole number that is not negative and goes to the end of its field. */
    long whole(String what) {
        int begin = at;
        long value = 0;
        while (at < end && digit(bytes[at])) {
            value = value * 10 + (bytes[at++] - '0');
        }
        if (at == begin || at - begin > MOST_DIGITS || !fieldEnds()) {
            throw malformed(begin, what, "a whole number");
        }
        return value;
    }

    /** A decimal number that is not negative, in units of its hundredth part; a comma is a decimal point here. */
    long hundredths(String what) {
        int begin = at;
        long value = 0;
        while (at < end && digit(bytes[at])) {
            value = value * 10 + (bytes[at++] - '0');
        }
        int digits = at - begin;
        value *= 100;
        if (digits > 0 && at < end && (bytes[at] == '.' || bytes[at] == ',')) {
            at++;
            for (int place = 10; at < end && digit(bytes[at]); at++, place /= 10) {
                value += (long) (bytes[at] - '0') * place;
            }
        }
        if (digits == 0 || digits > MOST_DIGITS - 2 || !fieldEnds()) {
            throw malformed(begin, what, "a number");
        }
        return value;
    }

    private boolean fieldEnds() {
        return at >= end || bytes[at] == ' ' || bytes[at] == '\t' || bytes[at] == ',' || bytes[at] == ';';
    }

    private static boolean digit(byte b) {
        return b >= '0' && b <= '9';
    }

    KilnException malformed(int begin, String what, String expected) {
        int stop = begin;
        while (stop < end && stop < begin + 30 && bytes[stop] != ' ' && bytes[stop] != ',') {
            stop++;
        }
        String found = stop == begin ? "nothing" : "'" + lines.text(begin, stop) + "'";
        return lines.malformed(found + " for " + what, expected);
    }
}
