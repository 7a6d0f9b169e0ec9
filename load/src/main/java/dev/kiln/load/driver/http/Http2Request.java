package dev.kiln.load.driver.http;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.util.AsciiString;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * An Http2Request is a request as HTTP/2 sends it. Its headers still go through HPACK each time, because what they become
 * depends on those sent before over the same connection.
 *
 * @param body given up by who sends it
 */
record Http2Request(Http2Headers headers, ByteBuf body) {
    /** These headers are of HTTP/1.1 only; with one of them a server refuses the request (RFC 9113, 8.2.2). */
    private static final Set<String> NOT_SENT =
            Set.of("connection", "proxy-connection", "keep-alive", "transfer-encoding", "upgrade");

    /** Returns the name of a header in HTTP/2; empty for one that is not sent. */
    static Optional<AsciiString> name(String header, String value) {
        String lower = header.toLowerCase(Locale.ROOT);
        if (lower.equals("host")) {
            return Optional.of(Http2Headers.PseudoHeaderName.AUTHORITY.value());
        }
        boolean sent = !NOT_SENT.contains(lower) && !(lower.equals("te") && !value.equals("trailers"));
        return sent ? Optional.of(AsciiString.of(lower)) : Optional.empty();
    }

    boolean hasBody() {
        return body.isReadable();
    }
}
