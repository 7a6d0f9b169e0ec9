package dev.kiln.load;

import io.netty.handler.codec.DefaultHeaders.NameValidator;
import io.netty.handler.codec.DefaultHeaders.ValueValidator;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpHeadersFactory;
import io.netty.util.AsciiString;

/**
 * Response headers that keep only what decides where a response ends. The rest costs time for each request, and its variety would
 * have compiled code thrown away when a target sends headers that the warm-up did not.
 */
final class LeanHeaders extends DefaultHttpHeaders {
    static final HttpHeadersFactory FACTORY = new HttpHeadersFactory() {
        @Override
        public HttpHeaders newHeaders() {
            return new LeanHeaders();
        }

        @Override
        public HttpHeaders newEmptyHeaders() {
            return new LeanHeaders();
        }
    };

    private static final AsciiString[] KEPT = {
        HttpHeaderNames.CONNECTION, HttpHeaderNames.CONTENT_LENGTH, HttpHeaderNames.TRANSFER_ENCODING
    };

    @SuppressWarnings("unchecked") // does not look at what it is given
    private static final NameValidator<CharSequence> NAMES = NameValidator.NOT_NULL;

    @SuppressWarnings("unchecked") // likewise
    private static final ValueValidator<CharSequence> VALUES =
            (ValueValidator<CharSequence>) ValueValidator.NO_VALIDATION;

    private LeanHeaders() {
        super(NAMES, VALUES, 4);
    }

    @Override
    public HttpHeaders add(CharSequence name, Object value) {
        int length = name.length();
        for (AsciiString kept : KEPT) {
            if (kept.length() == length && kept.contentEqualsIgnoreCase(name)) {
                return super.add(kept, value);
            }
        }
        return this;
    }
}
