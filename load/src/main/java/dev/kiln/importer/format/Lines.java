package dev.kiln.importer.format;

import dev.kiln.files.InputFile;
import dev.kiln.model.KilnException;
import dev.kiln.text.CsvLine;
import dev.kiln.text.CsvRows.CsvLines;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

/** Lines are a text file's, as bytes in one buffer: gigabytes at the disk's speed in the memory of a line. */
public final class Lines implements CsvLines, AutoCloseable {
    /** No program that is read here prints a longer one; a file without line ends must not fill the memory. */
    public static final int LONGEST = 1 << 18;

    /** This many bytes are read at once, so that what is parsed is still in the CPU's cache. */
    private static final int CHUNK = 1 << 17;

    /** The last lines of a file, which may be large, are looked for in this many bytes. */
    private static final int TAIL = 1 << 16;

    /** Bytes are looked for eight at a time (Warren, Hacker's Delight, 6-1). */
    private static final VarHandle EIGHT = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private static final long ONES = 0x0101010101010101L;
    private static final long HIGHS = 0x8080808080808080L;

    private final String file;
    private final InputStream in;
    private final byte[] buffer = new byte[4 * LONGEST];
    private int filled;
    private int next;
    private int from;
    private int to;
    private long number;
    private boolean ended;
    private boolean whole;

    public Lines(String file, InputStream in) {
        this.file = file;
        this.in = in;
        fill();
        refuseUtf16();
    }

    public static Lines of(Path file) {
        try {
            return new Lines(file.toString(), InputFile.followed(file));
        } catch (IOException e) {
            throw unreadable(file.toString(), e);
        }
    }

    /** Reads whole lines at the end of the file; numbers of lines count from there. */
    public static Lines tail(Path file) {
        try (FileChannel channel = InputFile.openFollowed(file)) {
            long from = Math.max(0, channel.size() - TAIL);
            ByteBuffer bytes = ByteBuffer.allocate((int) (channel.size() - from));
            int read;
            do {
                read = channel.read(bytes, from + bytes.position());
            } while (read > 0);
            Lines lines = new Lines(file.toString(), new ByteArrayInputStream(bytes.array(), 0, bytes.position()));
            if (from > 0 && !lines.next()) {
                throw new IOException("it has become shorter");
            }
            return lines;
        } catch (IOException e) {
            throw Lines.unreadable(file.toString(), e);
        }
    }

    /** Moves to the next line; false at the end of the file. */
    @Override
    public boolean next() {
        if (next == filled) {
            fill();
            if (next == filled) {
                return false;
            }
        }
        int end = newline(next);
        while (end < 0 && !ended) {
            int searched = filled - next;
            if (searched > LONGEST) {
                number++;
                throw malformed("a line of more than " + LONGEST / 1024 + " KiB", "text in lines");
            }
            fill();
            end = newline(next);
        }
        whole = end >= 0;
        from = next;
        to = whole ? end : filled;
        next = whole ? end + 1 : filled;
        number++;
        while (to > from && buffer[to - 1] == '\r') {
            to--;
        }
        return true;
    }

    /** Tells whether the line ended in a line break: the last one of a file that was cut short does not. */
    @Override
    public boolean whole() {
        return whole;
    }

    public byte[] bytes() {
        return buffer;
    }

    public int from() {
        return from;
    }

    public int to() {
        return to;
    }

    public boolean isBlank() {
        for (int i = from; i < to; i++) {
            if (buffer[i] != ' ' && buffer[i] != '\t') {
                return false;
            }
        }
        return true;
    }

    @Override
    public long number() {
        return number;
    }

    @Override
    public String file() {
        return file;
    }

    public boolean startsWith(String text) {
        return startsWith(from, text);
    }

    private boolean startsWith(int at, String text) {
        if (to - at < text.length()) {
            return false;
        }
        for (int i = 0; i < text.length(); i++) {
            if (buffer[at + i] != text.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    @Override
    public String text() {
        return text(from, to);
    }

    /** Returns a part of the line. Bytes that are no UTF-8 become replacement characters: they can only be part of a name. */
    public String text(int begin, int end) {
        return new String(buffer, begin, end - begin, StandardCharsets.UTF_8);
    }

    /** Returns the error for the current line. */
    @Override
    public KilnException malformed(String found, String expected) {
        return KilnException.usage(
                file + ":" + number + ": found " + found + ", expected " + expected,
                "correct the line, or import without this file");
    }

    @Override
    public void close() {
        try {
            in.close();
        } catch (IOException e) {
            throw unreadable(file, e);
        }
    }

    /** Returns the cells of the current line, as a row of CSV. */
    public List<String> cells() {
        return CsvLine.cells(text());
    }

    /** Returns file and number of the current line, for people. */
    public String place() {
        return file + ":" + number;
    }

    /** Returns the words for a current line that is the last and not whole. */
    @Override
    public String cutShort() {
        return place() + ": the last line is cut short and left out";
    }

    /** Reads on to the next line that is not blank. A line that was cut short is reported and skipped. */
    @Override
    public boolean nextRow(Consumer<String> gaps) {
        while (next()) {
            if (!whole) {
                gaps.accept(cutShort());
            } else if (!isBlank()) {
                return true;
            }
        }
        return false;
    }

    /** Returns the index of the byte from {@code from} on; {@code to} if it does not occur before that. */
    public static int indexOf(byte[] bytes, int from, int to, byte wanted) {
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

    private int newline(int begin) {
        int at = indexOf(buffer, begin, filled, (byte) '\n');
        return at < filled ? at : -1;
    }

    /** Keeps the bytes that were not returned yet, and reads on behind them. */
    private void fill() {
        if (next > 0) {
            System.arraycopy(buffer, next, buffer, 0, filled - next);
            filled -= next;
            next = 0;
        }
        try {
            int read = in.read(buffer, filled, Math.min(CHUNK, buffer.length - filled));
            if (read < 0) {
                ended = true;
            } else {
                filled += read;
            }
        } catch (IOException e) {
            throw unreadable(file, e);
        }
    }

    /** Tells whether a text that begins so is UTF-16, which the shells of Windows write: by its mark, or by a zero beside each sign. */
    public static boolean isUtf16(byte[] head) {
        boolean marked = head.length >= 2
                && ((head[0] == (byte) 0xff && head[1] == (byte) 0xfe)
                        || (head[0] == (byte) 0xfe && head[1] == (byte) 0xff));
        return marked || isWide(head, 0) || isWide(head, 1);
    }

    private static boolean isWide(byte[] head, int sign) {
        return head.length >= 4
                && isSign(head[sign])
                && isSign(head[sign + 2])
                && head[1 - sign] == 0
                && head[3 - sign] == 0;
    }

    private static boolean isSign(byte b) {
        return b >= ' ' && b < 127;
    }

    private void refuseUtf16() {
        if (isUtf16(Arrays.copyOf(buffer, Math.min(4, filled)))) {
            number = 1;
            throw malformed("UTF-16 text", "UTF-8 or ASCII; convert it with iconv -f UTF-16 -t UTF-8");
        }
        byte[] mark = {(byte) 0xef, (byte) 0xbb, (byte) 0xbf};
        if (filled >= 3 && Arrays.equals(buffer, 0, 3, mark, 0, 3)) {
            next = 3;
        }
    }

    public static KilnException unreadable(String file, IOException e) {
        return KilnException.usage(e, "cannot read " + file, "name files that can be read, or leave this one out");
    }
}
