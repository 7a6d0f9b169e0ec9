package dev.kiln.evidence;

import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.regex.Pattern;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import org.HdrHistogram.Histogram;

/**
 * EncodedLatencies are a histogram as a log has it: compressed, in Base64. A hundred bytes can ask for gigabytes: their
 * head says how much to make room for.
 */
final class EncodedLatencies {
    /** Two numbers stand before what is compressed: a mark, and its length. */
    private static final int BEFORE = 8;

    /** The head has a mark, the length of the counts, an offset, the digits, and least and greatest value. */
    private static final int HEAD = 40;

    private static final int COUNTS_AT = 4;
    private static final int DIGITS_AT = 12;

    /** A histogram of three digits and all values of a long takes half a megabyte. */
    private static final int MOST_COUNTS = 8 << 20;

    private static final int MOST_DIGITS = 5;

    /** Up to 31 years. */
    private static final Pattern SECONDS = Pattern.compile("\\d{1,9}(?:\\.\\d{1,20})?");

    private EncodedLatencies() {}

    /** Converts decimal seconds to ns. A double is not precise enough for that. */
    static long nanos(String seconds) {
        if (!SECONDS.matcher(seconds).matches()) {
            throw new NumberFormatException("no seconds since launch");
        }
        return new BigDecimal(seconds).movePointRight(9).longValue();
    }

    /**
     * Returns the histogram.
     *
     * @throws DataFormatException if it is damaged, or larger than any that Kiln writes
     */
    static Histogram decode(String text) throws DataFormatException {
        byte[] encoded = Base64.getDecoder().decode(text);
        byte[] head = new byte[HEAD];
        try (Inflater inflater = new Inflater()) {
            inflater.setInput(encoded, BEFORE, encoded.length - BEFORE);
            if (inflater.inflate(head) < HEAD) {
                throw new DataFormatException("the head is cut short");
            }
        }
        ByteBuffer fields = ByteBuffer.wrap(head);
        int counts = fields.getInt(COUNTS_AT);
        int digits = fields.getInt(DIGITS_AT);
        if (counts < 0 || counts > MOST_COUNTS || digits > MOST_DIGITS) {
            throw new DataFormatException("larger than any that Kiln writes");
        }
        return Histogram.decodeFromCompressedByteBuffer(ByteBuffer.wrap(encoded), 0);
    }

    /** A Room is the memory that the histograms of a file may take. */
    static final class Room {
        private long left = Runtime.getRuntime().maxMemory() / 5 * 4;

        /** Keeps a histogram if there is room for it. */
        void take(Histogram latencies, Runnable keep) {
            left -= latencies.getEstimatedFootprintInBytes();
            if (left > 0) {
                keep.run();
            }
        }

        boolean isFull() {
            return left <= 0;
        }
    }
}
