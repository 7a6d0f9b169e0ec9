package dev.kiln.load.driver.http;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.compression.DecompressionException;
import io.netty.handler.codec.compression.JdkZlibDecoder;
import io.netty.handler.codec.compression.ZlibWrapper;
import io.netty.util.AsciiString;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A BodyMatcher looks for a text in a body's pieces (Knuth, Morris and Pratt), and unpacks gzip for it. */
final class BodyMatcher {
    /** A Pattern is the expected text, with how far to fall back on a mismatch. */
    static final class Pattern {
        private final byte[] text;
        private final int[] fallback;

        Pattern(String contains) {
            text = contains.getBytes(StandardCharsets.UTF_8);
            fallback = new int[text.length];
            for (int i = 1, k = 0; i < text.length; i++) {
                while (k > 0 && text[i] != text[k]) {
                    k = fallback[k - 1];
                }
                if (text[i] == text[k]) {
                    k++;
                }
                fallback[i] = k;
            }
        }
    }

    private int matched;
    private boolean found;
    /** The unpacker is null for a body that is not packed. */
    private @Nullable Gunzip gunzip;

    /** @param encoding of the body; null for none */
    static boolean isGzip(@Nullable CharSequence encoding) {
        return encoding != null
                && (AsciiString.contentEqualsIgnoreCase(encoding, "gzip")
                        || AsciiString.contentEqualsIgnoreCase(encoding, "x-gzip"));
    }

    /** Begins with a new body. */
    void begin(boolean gzip) {
        end();
        matched = 0;
        found = false;
        gunzip = gzip ? new Gunzip() : null;
    }

    /** Tells whether a body that has ended is whole and has the text. */
    boolean found() {
        return found && (gunzip == null || gunzip.whole());
    }

    /** Frees what a body needs; {@link #found} stays. */
    void end() {
        if (gunzip != null) {
            gunzip.close();
        }
    }

    void feed(Pattern pattern, ByteBuf piece) {
        if (gunzip == null) {
            look(pattern, piece);
        } else {
            gunzip.unpack(piece, unpacked -> look(pattern, unpacked));
        }
    }

    private void look(Pattern pattern, ByteBuf piece) {
        byte[] text = pattern.text;
        int end = piece.writerIndex();
        for (int i = piece.readerIndex(); i < end && !found; i++) {
            byte b = piece.getByte(i);
            while (matched > 0 && b != text[matched]) {
                matched = pattern.fallback[matched - 1];
            }
            if (b == text[matched]) {
                matched++;
            }
            found = matched == text.length;
        }
    }

    /**
     * A Gunzip unpacks one body in gzip, and checks its length and its sum. Each piece is looked at as it is unpacked: all
     * that a packed one holds, up to a thousand times its size, would fill the driver's memory.
     */
    private static final class Gunzip extends ChannelInboundHandlerAdapter {
        private final JdkZlibDecoder decoder = new JdkZlibDecoder(ZlibWrapper.GZIP, 0);
        private final EmbeddedChannel channel = new EmbeddedChannel(decoder, this);
        private Consumer<ByteBuf> to = unpacked -> {};
        private boolean broken;
        private boolean closed;

        void unpack(ByteBuf piece, Consumer<ByteBuf> look) {
            if (broken || closed || !piece.isReadable()) {
                return;
            }
            to = look;
            try {
                channel.writeInbound(piece.retainedDuplicate());
            } catch (DecompressionException e) {
                broken = true;
            }
        }

        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            ByteBuf unpacked = (ByteBuf) message;
            try {
                to.accept(unpacked);
            } finally {
                unpacked.release();
            }
        }

        boolean whole() {
            return !broken && decoder.isClosed();
        }

        void close() {
            if (!closed) {
                closed = true;
                to = unpacked -> {};
                try {
                    channel.finishAndReleaseAll();
                } catch (DecompressionException e) {
                    broken = true;
                }
            }
        }
    }
}
