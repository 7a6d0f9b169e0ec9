package dev.kiln.load.driver.http;

import dev.kiln.load.driver.http.Feeder.Turn;
import dev.kiln.model.load.FeedTable;
import dev.kiln.model.load.VariedText;
import dev.kiln.model.load.VariedText.Part;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** A Varied is written anew for each request, in UTF-8, from literals and its turn. It allocates nothing. */
final class Varied {
    private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] UPPER_HEX = "0123456789ABCDEF".getBytes(StandardCharsets.US_ASCII);

    /** A Piece is one part of the text. */
    private interface Piece {
        void write(ByteBuf out, Turn turn);
    }

    private final Piece[] pieces;
    private final boolean varies;

    private Varied(Piece[] pieces, boolean varies) {
        this.pieces = pieces;
        this.varies = varies;
    }

    static Varied of(VariedText text, Feeder feeder) {
        return of(text, feeder, false);
    }

    /** Makes a path or query, in which values of the feed and of answers are percent-encoded. */
    static Varied inUrl(VariedText text, Feeder feeder) {
        return of(text, feeder, true);
    }

    /** Makes a text that is one value of the feed. */
    static Varied column(String name, Feeder feeder) {
        return of(new VariedText(List.of(new Part.Column(name))), feeder);
    }

    private static Varied of(VariedText text, Feeder feeder, boolean encoded) {
        return new Varied(
                text.parts().stream().map(part -> piece(part, feeder, encoded)).toArray(Piece[]::new),
                text.parts().stream().anyMatch(part -> !(part instanceof Part.Literal)));
    }

    boolean varies() {
        return varies;
    }

    void write(ByteBuf out, Turn turn) {
        for (Piece piece : pieces) {
            piece.write(out, turn);
        }
    }

    private static Piece piece(Part part, Feeder feeder, boolean encoded) {
        return switch (part) {
            case Part.Literal literal -> {
                byte[] bytes = literal.text().getBytes(StandardCharsets.UTF_8);
                yield (out, turn) -> out.writeBytes(bytes);
            }
            case Part.Column column ->
                feeder.taken(column.name()) < 0
                        ? column(feeder.table(), column.name(), encoded)
                        : taken(feeder.taken(column.name()), encoded);
            case Part.Random random -> {
                int place = feeder.newPlace();
                long numbers = random.most() - random.least() + 1;
                yield (out, turn) ->
                        decimal(out, random.least() + Math.unsignedMultiplyHigh(feeder.draw(turn, place), numbers));
            }
            case Part.Uuid uuid -> {
                int high = feeder.newPlace();
                int low = feeder.newPlace();
                yield (out, turn) -> uuid(out, feeder.draw(turn, high), feeder.draw(turn, low));
            }
            case Part.Sequence sequence -> (out, turn) -> decimal(out, turn.number + 1);
        };
    }

    private static Piece taken(int index, boolean encoded) {
        return (out, turn) -> {
            byte[] value = turn.taken[index];
            if (encoded) {
                encode(out, Unpooled.wrappedBuffer(value), 0, value.length);
            } else {
                out.writeBytes(value);
            }
        };
    }

    private static Piece column(FeedTable table, String name, boolean encoded) {
        ByteBuf values = Unpooled.wrappedBuffer(table.bytes());
        int column = table.columns().indexOf(name);
        if (column < 0) {
            throw new IllegalStateException("no column " + name + " in the feed");
        }
        return (out, turn) -> {
            int begin = table.begin(turn.row, column);
            int end = table.end(turn.row, column);
            if (encoded) {
                encode(out, values, begin, end);
            } else {
                out.writeBytes(values, begin, end - begin);
            }
        };
    }

    /** Percent-encodes all but the unreserved characters of RFC 3986, 2.3. */
    private static void encode(ByteBuf out, ByteBuf values, int begin, int end) {
        for (int i = begin; i < end; i++) {
            byte b = values.getByte(i);
            boolean plain = (b >= '0' && b <= '9')
                    || (b >= 'A' && b <= 'Z')
                    || (b >= 'a' && b <= 'z')
                    || b == '-'
                    || b == '.'
                    || b == '_'
                    || b == '~';
            if (plain) {
                out.writeByte(b);
            } else {
                out.writeByte('%').writeByte(UPPER_HEX[(b >> 4) & 15]).writeByte(UPPER_HEX[b & 15]);
            }
        }
    }

    /** @param number not negative */
    static void decimal(ByteBuf out, long number) {
        long digit = 1;
        while (number / digit >= 10) {
            digit *= 10;
        }
        for (; digit > 0; digit /= 10) {
            out.writeByte((int) ('0' + number / digit % 10));
        }
    }

    /** Writes a UUID of version 4 and variant 2 (RFC 9562). */
    private static void uuid(ByteBuf out, long high, long low) {
        long first = (high & ~0xf000L) | 0x4000L;
        long second = (low & ~(3L << 62)) | (2L << 62);
        hex(out, first >>> 32, 8);
        hex(out.writeByte('-'), first >>> 16, 4);
        hex(out.writeByte('-'), first, 4);
        hex(out.writeByte('-'), second >>> 48, 4);
        hex(out.writeByte('-'), second, 12);
    }

    private static void hex(ByteBuf out, long bits, int digits) {
        for (int i = digits - 1; i >= 0; i--) {
            out.writeByte(HEX[(int) (bits >>> (4 * i)) & 15]);
        }
    }
}
