package dev.kiln.load.driver.http;

import io.netty.handler.codec.DefaultHeaders.NameValidator;
import io.netty.handler.codec.DefaultHeaders.ValueValidator;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpHeadersFactory;
import io.netty.util.AsciiString;

/**
 * Http1Headers are response headers that keep only what decides where a response ends, and how its body is packed. The rest
 * costs time for each request, and its variety would have compiled code thrown away when a target sends headers that the
 * warm-up did not.
 */
class Http1Headers extends DefaultHttpHeaders {
    static final HttpHeadersFactory FACTORY = new HttpHeadersFactory() {
        @Override
        public HttpHeaders newHeaders() {
            return new Http1Headers();
        }

        @Override
        public HttpHeaders newEmptyHeaders() {
            return new Http1Headers();
        }
    };

    private static final AsciiString[] KEPT = {
        HttpHeaderNames.CONNECTION,
        HttpHeaderNames.CONTENT_LENGTH,
        HttpHeaderNames.TRANSFER_ENCODING,
        HttpHeaderNames.CONTENT_ENCODING
    };

    @SuppressWarnings("unchecked") // does not look at what it is given
    private static final NameValidator<CharSequence> NAMES = NameValidator.NOT_NULL;

    @SuppressWarnings("unchecked") // likewise
    private static final ValueValidator<CharSequence> VALUES =
            (ValueValidator<CharSequence>) ValueValidator.NO_VALIDATION;

    private Http1Headers() {
        super(NAMES, VALUES, 4);
    }

    @Override
    public HttpHeaders add(CharSequence name, Object value) {
        int length = name.length();
        for (AsciiString kept : KEPT) {
            if (kept.length() == length && kept.contentEqualsIgnoreCase(name)) {
                return keep(kept, value);
            }
        }
        return this;
    }

    /** Makes headers for sessions, which keep more names, in lower case. */
    static HttpHeadersFactory keeping(AsciiString[] more) {
        return new Richer.Factory(more);
    }

    final HttpHeaders keep(AsciiString name, Object value) {
        return super.add(name, value);
    }

    /** A Richer keeps what sessions read too, in its own class so that others run the code they did. */
    private static final class Richer extends Http1Headers {
        private final AsciiString[] more;

        private Richer(AsciiString[] more) {
            this.more = more;
        }

        record Factory(AsciiString[] more) implements HttpHeadersFactory {
            @Override
            public HttpHeaders newHeaders() {
                return new Richer(more);
            }

            @Override
            public HttpHeaders newEmptyHeaders() {
                return new Richer(more);
            }
        }

        @Override
        public HttpHeaders add(CharSequence name, Object value) {
            for (AsciiString kept : more) {
                if (kept.contentEqualsIgnoreCase(name)) {
                    return keep(kept, value);
                }
            }
            return super.add(name, value);
        }
    }
}
