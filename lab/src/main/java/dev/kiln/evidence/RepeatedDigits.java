package dev.kiln.evidence;

/** Times come twice, as the end of one row and the beginning of the next or in many rows: their digits are kept. */
final class RepeatedDigits {
    /** Copying a shorter number costs as much as writing it. */
    private static final long LONG = 1_000_000_000;

    private final byte[] digits = new byte[Digits.MOST];
    private long value = -1;
    private int length;

    /** As {@link Digits#write}. */
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
