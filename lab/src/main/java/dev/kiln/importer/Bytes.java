package dev.kiln.importer;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Looks for a byte, eight at a time (Warren, Hacker's Delight, 6-1). */
final class Bytes {
    private static final VarHandle EIGHT = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long ONES = 0x0101010101010101L;
    private static final long HIGHS = 0x8080808080808080L;

    private Bytes() {}

    /** Where the byte stands from {@code from} on; {@code to} if it does not stand before that. */
    static int indexOf(byte[] bytes, int from, int to, byte wanted) {
        long pattern = (wanted & 0xffL) * ONES;
        int i = from;
        for (; i + Long.BYTES <= to; i += Long.BYTES) {
            long other = (long) EIGHT.get(bytes, i) ^ pattern;
            long zero = (other - ONES) & ~other & HIGHS;
            if (zero != 0) {
                return i + Long.numberOfTrailingZeros(zero) / Byte.SIZE;
            }
        }
        while (i < to && bytes[i] != wanted) {
            i++;
        }
        return i;
    }
}
