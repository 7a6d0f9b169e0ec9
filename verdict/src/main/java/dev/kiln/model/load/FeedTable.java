package dev.kiln.model.load;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A FeedTable has the values of a feed as bytes, which Kiln makes and the load driver's process maps: no object for a
 * row. The bytes are two numbers, of rows (that of the names is one) and of columns; then for each value, row by row,
 * where it ends, counted from the first; then the values in UTF-8, one behind the other. Numbers are ints, the high
 * byte first.
 *
 * @param rows without that of the names
 * @param bytes from 0 to its limit; must not change any more
 */
public record FeedTable(List<String> columns, int rows, ByteBuffer bytes) {
    private static final int HEAD = 2 * Integer.BYTES;

    public FeedTable {
        columns = List.copyOf(columns);
        bytes = bytes.asReadOnlyBuffer();
    }

    /** Reads the table that these bytes hold, whose first row is the names of the columns. */
    public static FeedTable of(ByteBuffer bytes) {
        int width = bytes.getInt(Integer.BYTES);
        List<String> places = Collections.nCopies(width, "");
        FeedTable unnamed = new FeedTable(places, bytes.getInt(0) - 1, bytes);
        List<String> names = IntStream.range(0, width)
                .mapToObj(column -> unnamed.text(-1, column))
                .toList();
        return new FeedTable(names, unnamed.rows, bytes);
    }

    @Override
    public ByteBuffer bytes() {
        return bytes.duplicate().rewind();
    }

    private int cell(int row, int column) {
        return (row + 1) * columns.size() + column;
    }

    /** Returns the offset of the first value, behind all ends. */
    private int values() {
        return HEAD + (rows + 1) * columns.size() * Integer.BYTES;
    }

    /** Returns the offset in {@link #bytes} at which a value begins; rows and columns count from 0. */
    public int begin(int row, int column) {
        int cell = cell(row, column);
        return cell == 0 ? values() : values() + bytes.getInt(HEAD + (cell - 1) * Integer.BYTES);
    }

    public int end(int row, int column) {
        return values() + bytes.getInt(HEAD + cell(row, column) * Integer.BYTES);
    }

    public String text(int row, int column) {
        byte[] value = new byte[end(row, column) - begin(row, column)];
        bytes.get(begin(row, column), value);
        return new String(value, StandardCharsets.UTF_8);
    }

    /** Tells whether a value has exactly these bytes, without making an object. */
    public boolean is(int row, int column, byte[] value) {
        int begin = begin(row, column);
        if (end(row, column) - begin != value.length) {
            return false;
        }
        for (int i = 0; i < value.length; i++) {
            if (bytes.get(begin + i) != value[i]) {
                return false;
            }
        }
        return true;
    }

    /** Reads a value that is a whole number of decimal digits, without making an object. */
    public long number(int row, int column) {
        long number = 0;
        for (int i = begin(row, column), end = end(row, column); i < end; i++) {
            number = number * 10 + (bytes.get(i) - '0');
        }
        return number;
    }

    /** A FeedTableBuilder collects rows one after the other and makes the table of them. */
    public static final class FeedTableBuilder {
        private final int width;
        private int[] ends = new int[1024];
        private byte[] values = new byte[16 * 1024];
        private int cells;

        public FeedTableBuilder(List<String> columns) {
            width = columns.size();
            add(columns);
        }

        /** @param row as many values as there are columns */
        public FeedTableBuilder add(List<String> row) {
            for (String value : row) {
                byte[] utf8 = value.getBytes(StandardCharsets.UTF_8);
                int begin = cells == 0 ? 0 : ends[cells - 1];
                int end = Math.addExact(begin, utf8.length);
                if (end > values.length) {
                    values = Arrays.copyOf(values, Math.max(end, values.length * 2));
                }
                if (cells == ends.length) {
                    ends = Arrays.copyOf(ends, cells * 2);
                }
                System.arraycopy(utf8, 0, values, begin, utf8.length);
                ends[cells++] = end;
            }
            return this;
        }

        /** Returns the number of rows so far, without that of the names. */
        public int rows() {
            return cells / width - 1;
        }

        public FeedTable build() {
            int length = ends[cells - 1];
            ByteBuffer bytes = ByteBuffer.allocate(HEAD + cells * Integer.BYTES + length);
            bytes.putInt(cells / width).putInt(width);
            bytes.asIntBuffer().put(ends, 0, cells);
            bytes.put(HEAD + cells * Integer.BYTES, values, 0, length);
            return FeedTable.of(bytes);
        }
    }
}
