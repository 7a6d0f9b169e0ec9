package dev.kiln.load.driver.http;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersDecoder;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.util.AsciiString;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Map.Entry;
import org.jspecify.annotations.Nullable;

/**
 * LeanHeaders are response headers that keep only the status and how the body is packed. The rest costs time for each
 * request, and its variety would have compiled code thrown away. One object serves all responses of a connection, because
 * each is read before the next is decoded.
 */
final class LeanHeaders extends DefaultHttp2Headers {
    private static final int HEADERS_EXPECTED = 8;
    private static final int STATUS_LENGTH = ":status".length();

    private @Nullable CharSequence status;
    private @Nullable CharSequence encoding;
    private final AsciiString[] names;
    private final List<Entry<CharSequence, CharSequence>> kept = new ArrayList<>();

    LeanHeaders(AsciiString[] names) {
        super(false, HEADERS_EXPECTED);
        this.names = names;
    }

    @Override
    public Http2Headers add(CharSequence name, CharSequence value) {
        if (name.length() == STATUS_LENGTH && PseudoHeaderName.STATUS.value().contentEquals(name)) {
            status = value;
        } else if (HttpHeaderNames.CONTENT_ENCODING.contentEquals(name)) {
            encoding = value;
        }
        if (names.length > 0) {
            keep(name, value);
        }
        return this;
    }

    private void keep(CharSequence name, CharSequence value) {
        for (AsciiString wanted : names) {
            if (wanted.contentEquals(name)) {
                kept.add(Map.entry(wanted, value));
            }
        }
    }

    /** Returns the headers that were asked for, until the next response is read. */
    List<Entry<CharSequence, CharSequence>> kept() {
        return kept;
    }

    @Override
    public @Nullable CharSequence status() {
        return status;
    }

    /** Returns the value of the only header that is kept. */
    @Override
    public @Nullable CharSequence get(CharSequence name) {
        return encoding;
    }

    /** A LeanDecoder gives the same LeanHeaders to each response. */
    static final class LeanDecoder extends DefaultHttp2HeadersDecoder {
        private final LeanHeaders headers;

        LeanDecoder(AsciiString[] kept) {
            super(false, Connection.HEADER_BYTES);
            headers = new LeanHeaders(kept);
        }

        @Override
        protected Http2Headers newHeaders() {
            headers.status = null;
            headers.encoding = null;
            headers.kept.clear();
            return headers;
        }
    }
}
