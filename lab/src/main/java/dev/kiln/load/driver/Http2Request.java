package dev.kiln.load.driver;

import dev.kiln.model.LoadSpec.HttpCall;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.util.AsciiString;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * A call as HTTP/2 sends it. Its headers still go through HPACK each time, because what they become depends on those sent before
 * over the same connection.
 */
record Http2Request(Http2Headers headers, ByteBuf body) {
    /** Of HTTP/1.1 only; with one of these a server refuses the request (RFC 9113, 8.2.2). */
    private static final Set<String> NOT_SENT =
            Set.of("connection", "proxy-connection", "keep-alive", "transfer-encoding", "upgrade", "host");

    static Http2Request of(HttpCall call) {
        Map<String, String> all = Calls.headers(call);
        Http2Headers headers = new DefaultHttp2Headers(false)
                .method(AsciiString.of(call.method()))
                .scheme(Calls.secure(call.url()) ? "https" : "http")
                .authority(bytes(all.getOrDefault("Host", "")))
                .path(bytes(Calls.path(call.url())));
        all.forEach((name, value) -> {
            String lower = name.toLowerCase(Locale.ROOT);
            if (!NOT_SENT.contains(lower) && !(lower.equals("te") && !value.equals("trailers"))) {
                headers.add(AsciiString.of(lower), bytes(value));
            }
        });
        return new Http2Request(headers, Calls.direct(Calls.body(call)));
    }

    private static AsciiString bytes(String text) {
        return new AsciiString(text.getBytes(StandardCharsets.UTF_8), false);
    }

    boolean hasBody() {
        return body.isReadable();
    }
}
