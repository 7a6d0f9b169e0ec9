package dev.kiln.evidence;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** Digits writes whole numbers straight into a buffer: most of what is written is figures. */
final class Digits {
    /** The longest number has this many bytes with its sign. */
    static final int MOST = 20;

    private static final long EIGHT = 100_000_000;

    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

    /** Each entry holds the four digits of its index, from 0 to 9999, the first in the lowest byte. */
    private static final int[] FOUR = new int[10_000];

    /** The array holds the two digits of 0 to 99, one pair after the other. */
    private static final byte[] PAIRS = new byte[200];

    static {
        for (int i = 0; i < 100; i++) {
            PAIRS[2 * i] = (byte) ('0' + i / 10);
            PAIRS[2 * i + 1] = (byte) ('0' + i % 10);
        }
        for (int i = 0; i < FOUR.length; i++) {
            FOUR[i] = 0x30303030 + i / 1000 + (i / 100 % 10 << 8) + (i / 10 % 10 << 16) + (i % 10 << 24);
        }
    }

    private Digits() {}

    /** Writes a number where {@link #MOST} bytes have room, and returns the place behind its last digit. */
    static int write(byte[] to, int at, long value) {
        if (value >= 0 && value < 10) {
            to[at] = (byte) ('0' + value);
            return at + 1;
        }
        if (value == Long.MIN_VALUE) {
            byte[] text = Long.toString(value).getBytes(StandardCharsets.ISO_8859_1);
            System.arraycopy(text, 0, to, at, text.length);
            return at + text.length;
        }
        int begin = at;
        long rest = value;
        if (value < 0) {
            to[begin++] = '-';
            rest = -value;
        }
        return positive(to, begin, rest);
    }

    /** Writes a number in parts of eight digits, because dividing an int costs less than dividing a long. */
    private static int positive(byte[] to, int at, long value) {
        if (value >= EIGHT) {
            long high = value / EIGHT;
            int end = positive(to, at, high) + 8;
            int low = (int) (value - high * EIGHT);
            int upper = low / 10_000;
            INT.set(to, end - 8, FOUR[upper]);
            INT.set(to, end - 4, FOUR[low - upper * 10_000]);
            return end;
        }
        int rest = (int) value;
        int length = 1;
        for (int bound = 10; length < 8 && rest >= bound; bound *= 10) {
            length++;
        }
        pairs(to, at + length, rest, at);
        return at + length;
    }

    /** Fills the bytes from the end down to the begin, with zeros in front. */
    private static void pairs(byte[] to, int end, int value, int begin) {
        int rest = value;
        int place = end;
        while (place - begin >= 2) {
            int pair = rest % 100 * 2;
            rest /= 100;
            to[--place] = PAIRS[pair + 1];
            to[--place] = PAIRS[pair];
        }
        if (place > begin) {
            to[begin] = (byte) ('0' + rest % 10);
        }
    }

    /** A Repeated keeps the digits of the last number: the same time is written in many rows. */
    static final class Repeated {
        /** A number below this one is written anew, because copying it would cost as much. */
        private static final long LONG = 1_000_000_000;

        private final byte[] digits = new byte[Digits.MOST];
        private long value = -1;
        private int length;

        /** Writes a number as {@link Digits#write} does, but copies the digits if it is the last one again. */
        int write(byte[] to, int at, long number) {
            if (number < LONG) {
                return Digits.write(to, at, number);
            }
            if (number == value) {
                System.arraycopy(digits, 0, to, at, length);
                return at + length;
            }
            int end = Digits.write(to, at, number);
            value = number;
            length = end - at;
            System.arraycopy(to, at, digits, 0, length);
            return end;
        }
    }
}
