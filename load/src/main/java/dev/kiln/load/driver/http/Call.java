package dev.kiln.load.driver.http;

import dev.kiln.load.driver.http.Feeder.Turn;
import dev.kiln.model.load.LoadSpec.HttpCall;
import dev.kiln.model.load.LoadSpec.Replay;
import dev.kiln.model.load.LoadSpec.Step;
import dev.kiln.model.load.Take;
import dev.kiln.model.load.VariedText;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2Headers.PseudoHeaderName;
import io.netty.util.AsciiString;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/** A Call is one call ready to be sent: encoded once, or assembled for each request where its requests differ. */
public final class Call {
    private static final int CRLF = ('\r' << 8) | '\n';
    private static final int COLON_SPACE = (':' << 8) | ' ';
    private static final byte[] VERSION = ascii(" HTTP/1.1\r\n");
    private static final String COOKIE = "Cookie";

    private static final byte[] HEAD = ascii("HEAD");

    /** Texts says where the texts of a call come from. */
    enum Texts {
        AS_THEY_ARE,
        /** They are {@link VariedText}s. */
        VARIED,
        /** The texts are from a recording, but for headers that are added. */
        RECORDED
    }

    /** A CallHeader is one header, without a value the body's length; http2 is empty for one not sent there. */
    private record CallHeader(byte[] name, Optional<AsciiString> http2, Optional<Varied> value) {}

    /** A Value is one that a call's answer is to have, by its index in a session and as the load has it. */
    record Value(int index, String name, String how, Take where) {}

    /** The number counts the calls of its target from 0: those of replicas have the same. */
    final int number;

    private final boolean head;
    final Optional<BodyMatcher.Pattern> bodyContains;
    final int weight;
    /** The order of calls keeps its state here. */
    int current;

    /** The user of a session waits for this time after the answer. */
    public final long thinkNanos;

    private final Feeder feeder;
    private final boolean feeds;
    private final Optional<Step> step;
    private final List<Value> takes;
    private final boolean takesFromBody;
    /** This is true if the user's cookies go with its requests. */
    private final boolean cookies;

    private final Varied method;
    private final Http2Headers pseudo = new DefaultHttp2Headers(false);
    private final Varied path;
    private final List<CallHeader> headers;
    /** The headers of a recorded request are lines with their ends. */
    private final Optional<Varied> recordedHeaders;

    private final Optional<Varied> body;
    /** A body is first written here, because its length comes before it. */
    private final ByteBuf bodyBytes = Unpooled.buffer();
    /** A value of HTTP/2 is first written here. */
    private final ByteBuf scratch = Unpooled.buffer();

    private final Optional<ByteBuf> always;
    private final Optional<Http2Request> alwaysHttp2;
    /** The longest request so far had this many bytes. */
    private int longest = 256;

    /** Makes a call, by its number among those of its target, that may take rows of the feed. */
    Call(HttpCall call, int number, Texts texts, boolean feeds, boolean overHttp2, Feeder feeder) {
        boolean varied = texts != Texts.AS_THEY_ARE;
        boolean recorded = texts == Texts.RECORDED;
        this.number = number;
        this.feeder = feeder;
        this.feeds = feeds || recorded;
        step = call.step();
        thinkNanos = step.map(own -> own.think().toNanos()).orElse(0L);
        takes = step.stream()
                .flatMap(own -> own.take().entrySet().stream())
                .map(take -> new Value(
                        feeder.taken(take.getKey()), take.getKey(), take.getValue(), Take.of(take.getValue())))
                .toList();
        takesFromBody = takes.stream().anyMatch(value -> !(value.where() instanceof Take.Header));
        // Whoever writes a header means that one.
        cookies = keepsCookies() && call.headers().keySet().stream().noneMatch(COOKIE::equalsIgnoreCase);
        head = call.method().equals("HEAD");
        bodyContains = call.bodyContains().map(BodyMatcher.Pattern::new);
        weight = call.weight();
        method = recorded ? Varied.column(Replay.METHOD, feeder) : Varied.of(VariedText.literal(call.method()), feeder);
        String target = target(call.url());
        VariedText pathText = varied ? VariedText.ofUrl(target) : VariedText.literal(target);
        path = recorded ? Varied.column(Replay.TARGET, feeder) : Varied.inUrl(pathText, feeder);
        headers = headers(call).entrySet().stream()
                .map(header -> new CallHeader(
                        header.getKey().getBytes(StandardCharsets.UTF_8),
                        Http2Request.name(header.getKey(), header.getValue().orElse("")),
                        header.getValue().map(value -> Varied.of(text(value, varied), feeder))))
                .toList();
        recordedHeaders = recorded ? Optional.of(Varied.column(Replay.HEADERS, feeder)) : Optional.empty();
        body = recorded
                ? Optional.of(Varied.column(Replay.BODY, feeder))
                : call.body().map(text -> Varied.of(text(text, varied), feeder));
        boolean varies = step.isPresent()
                || path.varies()
                || headers.stream()
                        .anyMatch(header -> header.value.filter(Varied::varies).isPresent())
                || body.filter(Varied::varies).isPresent();
        pseudo.method(AsciiString.of(call.method())).scheme(call.url().getScheme());
        always = varies ? Optional.empty() : Optional.of(unreleasable(assembled(new Turn())));
        alwaysHttp2 = varies || !overHttp2 ? Optional.empty() : Optional.of(fixed(assembledHttp2(new Turn())));
    }

    private static VariedText text(String text, boolean varied) {
        return varied ? VariedText.of(text) : VariedText.literal(text);
    }

    /** Tells whether requests of this call have a value of the feed, where its texts are {@link VariedText}s. */
    static boolean feeds(HttpCall call, Feeder feeder) {
        return Stream.of(
                        Stream.of(VariedText.ofUrl(target(call.url()))),
                        Stream.concat(call.headers().values().stream(), call.body().stream())
                                .map(VariedText::of))
                .flatMap(texts -> texts)
                .flatMap(text -> text.parts().stream())
                .anyMatch(part -> part instanceof VariedText.Part.Column column && feeder.taken(column.name()) < 0);
    }

    /** Tells whether the user keeps the cookies of its answers. */
    boolean keepsCookies() {
        return step.filter(Step::cookies).isPresent();
    }

    List<Value> takes() {
        return takes;
    }

    boolean takesFromBody() {
        return takesFromBody;
    }

    /** Returns the path of a request, without the query. */
    String path(Turn turn) {
        path.write(scratch.clear(), turn);
        String target = written().toString();
        int query = target.indexOf('?');
        return query < 0 ? target : target.substring(0, query);
    }

    /** Returns the cookie header of a request; empty for none. */
    private String cookies(Turn turn) {
        Cookies jar = turn.cookies;
        return jar == null || jar.isEmpty() ? "" : jar.header(path(turn));
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /** Returns path and query as a request has them. */
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

    /** Copies a buffer into one that the garbage collector frees with the session, so that no write can outlive it. */
    private static ByteBuf unreleasable(ByteBuf once) {
        ByteBuffer direct = ByteBuffer.allocateDirect(once.readableBytes());
        once.readBytes(direct);
        once.release();
        return Unpooled.unreleasableBuffer(Unpooled.wrappedBuffer(direct.flip()));
    }

    /** Tells whether the requests differ, so that each has a turn of its own. */
    boolean varies() {
        return always.isEmpty();
    }

    /** Sets the turn of the next request, and tells whether there is one: a feed may have no row left. */
    public boolean take(Turn turn) {
        return always.isPresent() || feeder.next(turn, feeds);
    }

    /** Returns the request of HTTP/1.1, which the caller releases. */
    ByteBuf request(Turn turn) {
        return always.isPresent() ? always.get().duplicate() : assembled(turn);
    }

    /** Returns the request in the form of HTTP/2. */
    Http2Request http2(Turn turn) {
        return alwaysHttp2.isPresent() ? alwaysHttp2.get() : assembledHttp2(turn);
    }

    /** Tells whether the answer has no body, whatever its headers say. */
    boolean head(Turn turn) {
        return recordedHeaders.isPresent() ? feeder.is(turn, Replay.METHOD, HEAD) : head;
    }

    private Http2Request assembledHttp2(Turn turn) {
        body(turn);
        path.write(scratch.clear(), turn);
        Http2Headers out = new DefaultHttp2Headers(false).setAll(pseudo).path(written());
        if (recordedHeaders.isPresent()) {
            method.write(scratch.clear(), turn);
            out.method(written());
            recordedHeaders.get().write(scratch.clear(), turn);
            addLines(out, written());
        }
        for (CallHeader header : headers) {
            if (header.http2.isPresent()) {
                value(header, scratch.clear(), turn);
                out.set(header.http2.get(), written());
            }
        }
        String cookie = cookies ? cookies(turn) : "";
        if (!cookie.isEmpty()) {
            out.set(HttpHeaderNames.COOKIE, AsciiString.of(cookie));
        }
        return new Http2Request(out, bodyBytes.isReadable() ? bodyBytes.copy() : Unpooled.EMPTY_BUFFER);
    }

    /** Adds headers from lines; a name may occur several times. */
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

    private AsciiString written() {
        return new AsciiString(ByteBufUtil.getBytes(scratch), false);
    }

    /** Returns the names of the headers that differ from request to request, in the form of HTTP/2. */
    Stream<AsciiString> varying() {
        Stream<AsciiString> names = headers.stream()
                .filter(header -> header.value.isEmpty() || header.value.get().varies())
                .flatMap(header -> header.http2.stream());
        return path.varies() ? Stream.concat(names, Stream.of(PseudoHeaderName.PATH.value())) : names;
    }

    private ByteBuf assembled(Turn turn) {
        body(turn);
        ByteBuf out = PooledByteBufAllocator.DEFAULT.directBuffer(longest);
        method.write(out, turn);
        out.writeByte(' ');
        path.write(out, turn);
        out.writeBytes(VERSION);
        for (CallHeader header : headers) {
            out.writeBytes(header.name).writeShort(COLON_SPACE);
            value(header, out, turn);
            out.writeShort(CRLF);
        }
        String cookie = cookies ? cookies(turn) : "";
        if (!cookie.isEmpty()) {
            out.writeCharSequence(COOKIE + ": " + cookie + "\r\n", StandardCharsets.ISO_8859_1);
        }
        if (recordedHeaders.isPresent()) {
            recordedHeaders.get().write(out, turn);
        }
        out.writeShort(CRLF).writeBytes(bodyBytes, 0, bodyBytes.writerIndex());
        longest = Math.max(longest, out.writerIndex());
        return out;
    }

    private void value(CallHeader header, ByteBuf out, Turn turn) {
        if (header.value.isPresent()) {
            header.value.get().write(out, turn);
        } else {
            Varied.decimal(out, bodyBytes.writerIndex());
        }
    }

    /** Writes the body into {@link #bodyBytes}. */
    private void body(Turn turn) {
        bodyBytes.clear();
        if (body.isPresent()) {
            body.get().write(bodyBytes, turn);
        }
    }
}
