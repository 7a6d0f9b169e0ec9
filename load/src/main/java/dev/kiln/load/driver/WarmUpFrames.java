package dev.kiln.load.driver;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersEncoder;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Headers;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * WarmUpFrames are the warm-up server's HTTP/2, without a library: each request gets an answer, whatever it asks for. Answers
 * are so small that the client's window is never full.
 */
final class WarmUpFrames {
    /** A connection begins with a preface of this length: {@code PRI * HTTP/2.0}, and more (RFC 9113, 3.4). */
    static final int PREFACE_BYTES = 24;

    /** This is a small answer with values that a session can extract. */
    static final String JSON = "{\"user\":{\"ids\":[17,18],\"name\":\"kiln!\"},\"n\":1.5}";

    private static final int HEAD_BYTES = 9;
    private static final int DATA = 0;
    private static final int HEADERS = 1;
    private static final int SETTINGS = 4;
    private static final int PING = 6;
    private static final int GOAWAY = 7;
    private static final int WINDOW_UPDATE = 8;
    private static final int ACK = 1;
    private static final int END_STREAM = 1;
    private static final int END_HEADERS = 4;

    private static final byte[] NOTHING = {};
    private static final byte[] SMALL = JSON.getBytes(StandardCharsets.US_ASCII);
    private static final byte[] BIG = "x".repeat(4900).getBytes(StandardCharsets.US_ASCII);
    private static final int MOST_BYTES = 2 * (HEAD_BYTES + 256) + BIG.length;
    /** One in this many answers is big. */
    private static final int BIG_EVERY = 8;
    /** One in this many answers brings new names and values for the header table, as some servers do each time. */
    private static final int LEARN_EVERY = 2;
    /** A connection ends after this many answers, so that the client opens another. */
    private static final int ANSWERS = 3000;

    /** These are nginx's first settings: 128 streams, 64 KB for each, frames up to the longest. */
    private static final byte[] LIMITS = {0, 3, 0, 0, 0, -128, 0, 4, 0, 1, 0, 0, 0, 5, 0, -1, -1, -1};

    private static final byte[] WIDE = {0x7f, -1, 0, 0};

    /**
     * Heads are those of the first and of all later answers of a connection: the client's header table learns from the first.
     */
    record Heads(byte[] first, byte[] later) {
        static Heads encoded() {
            // Short texts are packed too, as most servers do it.
            DefaultHttp2HeadersEncoder encoder =
                    new DefaultHttp2HeadersEncoder((name, value) -> "date".contentEquals(name), false, 16, 0);
            Http2Headers head = new DefaultHttp2Headers()
                    .status("200")
                    .set("server", "kiln")
                    .set("content-type", "text/plain")
                    .set("date", "Thu, 01 Jan 2026 00:00:00 GMT");
            return new Heads(block(encoder, head), block(encoder, head));
        }

        private static byte[] block(DefaultHttp2HeadersEncoder encoder, Http2Headers head) {
            ByteBuf out = Unpooled.buffer();
            try {
                encoder.encodeHeaders(1, head, out);
            } catch (Http2Exception e) {
                throw new IllegalStateException(e);
            }
            return ByteBufUtil.getBytes(out);
        }
    }

    private final Heads heads;
    private final WarmUpWire wire;
    private final ByteBuffer arrived = ByteBuffer.allocate(64 * 1024);
    private final ByteBuffer out = ByteBuffer.allocate(64 * 1024);
    private boolean begun;
    private int answers;
    /** Streams up to this one get an answer. */
    private int last = Integer.MAX_VALUE;

    WarmUpFrames(Heads heads, WarmUpWire wire) {
        this.heads = heads;
        this.wire = wire;
    }

    static boolean begins(ByteBuffer bytes) {
        return bytes.remaining() >= 3 && bytes.get(bytes.position()) == 'P' && bytes.get(bytes.position() + 1) == 'R';
    }

    /** Returns the buffer for further bytes, after those that are no whole frame yet. */
    ByteBuffer arrived() {
        return arrived;
    }

    /** Answers all that has arrived. */
    void answer() throws IOException {
        arrived.flip();
        out.clear();
        if (!begun && arrived.remaining() >= PREFACE_BYTES) {
            begun = true;
            arrived.position(PREFACE_BYTES);
            frame(SETTINGS, 0, 0, LIMITS);
            frame(WINDOW_UPDATE, 0, 0, WIDE);
        }
        while (begun && arrived.remaining() >= HEAD_BYTES) {
            int at = arrived.position();
            int length = (arrived.get(at) & 0xff) << 16 | (arrived.getShort(at + 1) & 0xffff);
            if (arrived.remaining() < HEAD_BYTES + length) {
                break;
            }
            arrived.position(at + HEAD_BYTES + length);
            take(arrived.get(at + 3), arrived.get(at + 4), arrived.getInt(at + 5));
            if (out.remaining() < MOST_BYTES) {
                flush();
            }
        }
        flush();
        arrived.compact();
    }

    private void flush() throws IOException {
        wire.write(out.flip());
        out.clear();
    }

    private void take(int type, int flags, int stream) {
        switch (type) {
            case SETTINGS -> {
                if ((flags & ACK) == 0) {
                    frame(SETTINGS, ACK, 0, NOTHING);
                }
            }
            case PING -> frame(PING, ACK, 0, new byte[8]);
            case HEADERS, DATA -> {
                if ((flags & END_STREAM) != 0 && stream <= last) {
                    answer(stream);
                }
            }
            default -> {}
        }
    }

    private void answer(int stream) {
        frame(HEADERS, END_HEADERS, stream, answers % LEARN_EVERY == 0 ? heads.first : heads.later);
        frame(DATA, END_STREAM, stream, ++answers % BIG_EVERY == 0 ? BIG : SMALL);
        if (answers == ANSWERS) {
            last = stream;
            frame(GOAWAY, 0, 0, ByteBuffer.allocate(8).putInt(stream).array());
        }
    }

    private void frame(int type, int flags, int stream, byte[] payload) {
        out.put((byte) (payload.length >> 16)).putShort((short) payload.length);
        out.put((byte) type).put((byte) flags).putInt(stream).put(payload);
    }
}
