package dev.kiln.load.driver;

import dev.kiln.load.driver.Feeder.Turn;
import dev.kiln.model.LoadSpec.HttpCall;
import dev.kiln.model.LoadSpec.Replay;
import dev.kiln.model.VariedText;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.util.AsciiString;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;

/** One call, ready to be sent: encoded once, or assembled for each request where its requests differ. */
final class Call {
    private static final int CRLF = ('\r' << 8) | '\n';
    private static final int COLON_SPACE = (':' << 8) | ' ';
    private static final byte[] VERSION = ascii(" HTTP/1.1\r\n");

    private static final byte[] HEAD = ascii("HEAD");

    /** Where the texts of a call come from. */
    enum Texts {
        AS_THEY_ARE,
        /** They are {@link VariedText}s. */
        VARIED,
        /** From a recording, but for headers that are added. */
        RECORDED
    }

    /**
     * A header; without a value, it is the length of the body.
     *
     * @param http2 its name there; empty for one that is not sent
     */
    private record Header(byte[] name, Optional<AsciiString> http2, Optional<Varied> value) {}

    /** Among the calls of its target, from 0: those of replicas have the same. */
    final int number;

    private final boolean head;
    final Optional<BodyMatcher.Pattern> bodyContains;
    final int weight;
    /** For the order of calls. */
    int current;

    private final Feeder feeder;
    private final boolean feeds;
    private final Varied method;
    private final Http2Headers pseudo = new DefaultHttp2Headers(false);
    private final Varied path;
    private final List<Header> headers;
    /** Of a recording: lines with their ends. */
    private final Optional<Varied> recordedHeaders;

    private final Optional<Varied> body;
    /** Where a body is written first, because its length comes before it. */
    private final ByteBuf bodyBytes = Unpooled.buffer();

    private final Optional<ByteBuf> always;
    private final Optional<Http2Request> alwaysHttp2;
    /** Bytes of the longest request so far. */
    private int longest = 256;

    /** @param number among the calls of its target */
    Call(HttpCall call, int number, Texts texts, boolean overHttp2, Feeder feeder) {
        boolean varied = texts != Texts.AS_THEY_ARE;
        boolean recorded = texts == Texts.RECORDED;
        this.number = number;
        this.feeder = feeder;
        head = call.method().equals("HEAD");
        bodyContains = call.bodyContains().map(BodyMatcher.Pattern::new);
        weight = call.weight();
        method = recorded ? Varied.column(Replay.METHOD, feeder) : Varied.of(VariedText.literal(call.method()), feeder);
        String target = target(call.url());
        VariedText pathText = varied ? VariedText.ofUrl(target) : VariedText.literal(target);
        path = recorded ? Varied.column(Replay.TARGET, feeder) : Varied.inUrl(pathText, feeder);
        headers = headers(call).entrySet().stream()
                .map(header -> new Header(
                        header.getKey().getBytes(StandardCharsets.UTF_8),
                        Http2Request.name(header.getKey(), header.getValue().orElse("")),
                        header.getValue().map(value -> Varied.of(text(value, varied), feeder))))
                .toList();
        recordedHeaders = recorded ? Optional.of(Varied.column(Replay.HEADERS, feeder)) : Optional.empty();
        body = recorded
                ? Optional.of(Varied.column(Replay.BODY, feeder))
                : call.body().map(text -> Varied.of(text(text, varied), feeder));
        feeds = recorded
                || (varied
                        && (feeds(pathText)
                                || call.headers().values().stream().anyMatch(text -> feeds(text(text, true)))
                                || call.body()
                                        .filter(text -> feeds(text(text, true)))
                                        .isPresent()));
        boolean varies = path.varies()
                || headers.stream()
                        .anyMatch(header -> header.value.filter(Varied::varies).isPresent())
                || body.filter(Varied::varies).isPresent();
        pseudo.method(AsciiString.of(call.method())).scheme(Calls.secure(call.url()) ? "https" : "http");
        always = varies ? Optional.empty() : Optional.of(unreleasable(assembled(new Turn())));
        alwaysHttp2 = varies || !overHttp2 ? Optional.empty() : Optional.of(fixed(assembledHttp2(new Turn())));
    }

    private static VariedText text(String text, boolean varied) {
        return varied ? VariedText.of(text) : VariedText.literal(text);
    }

    private static boolean feeds(VariedText text) {
        return text.parts().stream().anyMatch(VariedText.Part.Column.class::isInstance);
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /** Path and query as a request has them. */
    private static String target(URI url) {
        String path = url.getRawPath() == null || url.getRawPath().isEmpty() ? "/" : url.getRawPath();
        return url.getRawQuery() == null ? path : path + "?" + url.getRawQuery();
    }

    private static Map<String, Optional<String>> headers(HttpCall call) {
        URI url = call.url();
        TreeMap<String, Optional<String>> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        headers.put("Host", Optional.of(url.getPort() < 0 ? url.getHost() : url.getHost() + ":" + url.getPort()));
        // RFC 9110, 8.6: without it, some servers refuse or wait for a body.
        if (call.body().isPresent() || List.of("POST", "PUT", "PATCH").contains(call.method())) {
            headers.put("Content-Length", Optional.empty());
        }
        call.headers().forEach((name, value) -> headers.put(name, Optional.of(value)));
        return headers;
    }

    private static Http2Request fixed(Http2Request once) {
        return new Http2Request(once.headers(), unreleasable(once.body()));
    }

    /** Freed with the session by the garbage collector, so that no write can outlive it. */
    private static ByteBuf unreleasable(ByteBuf once) {
        ByteBuffer direct = ByteBuffer.allocateDirect(once.readableBytes());
        once.readBytes(direct);
        once.release();
        return Unpooled.unreleasableBuffer(Unpooled.wrappedBuffer(direct.flip()));
    }

    /** Whether there is no row left for another request. */
    boolean usedUp() {
        return feeds && feeder.usedUp();
    }

    /** Of the next request. */
    void take(Turn turn) {
        if (always.isEmpty()) {
            feeder.next(turn, feeds);
        }
    }

    /** The request of HTTP/1.1, which the caller releases. */
    ByteBuf request(Turn turn) {
        return always.isPresent() ? always.get().duplicate() : assembled(turn);
    }

    /** The request of HTTP/2. */
    Http2Request http2(Turn turn) {
        return alwaysHttp2.isPresent() ? alwaysHttp2.get() : assembledHttp2(turn);
    }

    /** Whether the answer has no body, whatever its headers say. */
    boolean head(Turn turn) {
        return recordedHeaders.isPresent() ? feeder.is(turn, Replay.METHOD, HEAD) : head;
    }

    private Http2Request assembledHttp2(Turn turn) {
        body(turn);
        Http2Headers out =
                new DefaultHttp2Headers(false).setAll(pseudo).path(bytes(scratch -> path.write(scratch, turn)));
        if (recordedHeaders.isPresent()) {
            out.method(bytes(scratch -> method.write(scratch, turn)));
            addLines(out, bytes(scratch -> recordedHeaders.get().write(scratch, turn)));
        }
        for (Header header : headers) {
            if (header.http2.isPresent()) {
                out.set(header.http2.get(), bytes(scratch -> value(header, scratch, turn)));
            }
        }
        return new Http2Request(out, bodyBytes.copy());
    }

    /** A name may be there several times. */
    private static void addLines(Http2Headers out, AsciiString lines) {
        for (int begin = 0; begin < lines.length(); ) {
            int colon = lines.indexOf(": ", begin);
            int end = lines.indexOf("\r\n", colon);
            AsciiString value = lines.subSequence(colon + 2, end);
            Http2Request.name(lines.subSequence(begin, colon).toString(), value.toString())
                    .ifPresent(name -> out.add(name, value));
            begin = end + 2;
        }
    }

    private static AsciiString bytes(Consumer<ByteBuf> write) {
        ByteBuf scratch = Unpooled.buffer();
        write.accept(scratch);
        return new AsciiString(ByteBufUtil.getBytes(scratch), false);
    }

    private ByteBuf assembled(Turn turn) {
        body(turn);
        ByteBuf out = PooledByteBufAllocator.DEFAULT.directBuffer(longest);
        method.write(out, turn);
        out.writeByte(' ');
        path.write(out, turn);
        out.writeBytes(VERSION);
        for (Header header : headers) {
            out.writeBytes(header.name).writeShort(COLON_SPACE);
            value(header, out, turn);
            out.writeShort(CRLF);
        }
        if (recordedHeaders.isPresent()) {
            recordedHeaders.get().write(out, turn);
        }
        out.writeShort(CRLF).writeBytes(bodyBytes, 0, bodyBytes.writerIndex());
        longest = Math.max(longest, out.writerIndex());
        return out;
    }

    private void value(Header header, ByteBuf out, Turn turn) {
        if (header.value.isPresent()) {
            header.value.get().write(out, turn);
        } else {
            Varied.decimal(out, bodyBytes.writerIndex());
        }
    }

    /** Leaves it in {@link #bodyBytes}. */
    private void body(Turn turn) {
        bodyBytes.clear();
        if (body.isPresent()) {
            body.get().write(bodyBytes, turn);
        }
    }
}
