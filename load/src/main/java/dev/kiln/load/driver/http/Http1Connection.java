package dev.kiln.load.driver.http;

import dev.kiln.load.LoadSession.AttemptResult;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseDecoder;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.concurrent.Future;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** An Http1Connection sends the requests of one slot one after the other over HTTP/1.1, and parses their answers. */
@SuppressWarnings("FutureReturnValueIgnored") // what becomes of a write or a close is told through the pipeline
final class Http1Connection extends Connection {
    private static final HttpDecoderConfig DECODING = new HttpDecoderConfig()
            .setHeadersFactory(Http1Headers.FACTORY)
            .setMaxHeaderSize(HEADER_BYTES)
            .setMaxInitialLineLength(READ_BYTES)
            .setMaxChunkSize(READ_BYTES);

    /** The slot is null once the connection serves none any more. */
    private @Nullable Slot slot;

    private @Nullable Slot readyAfterRead;
    private Optional<BodyMatcher.Pattern> expected = Optional.empty();
    private final BodyMatcher matcher = new BodyMatcher();
    /** The session is null where the load has none. */
    private final @Nullable Session session;

    private boolean head;
    private boolean keepAlive;
    private int answers;
    /** The status is that of the answer that is arriving; 0 before it begins. */
    private int status;

    private long answeredAt;
    private @Nullable Future<?> closing;

    Http1Connection(IoThread io, Calls calls, Slot slot) {
        super(io, calls);
        this.slot = slot;
        session = slot.session();
        channel.pipeline().addLast(new Decoder(session == null ? DECODING : inSession(calls)), this);
    }

    private static HttpDecoderConfig inSession(Calls calls) {
        return DECODING.clone().setHeadersFactory(Http1Headers.keeping(calls.keptHeaders()));
    }

    @Override
    boolean wanted() {
        return slot != null;
    }

    @Override
    void opened(Optional<String> chosen) {
        Slot by = slot;
        if (by != null) {
            send(by, by.call());
        }
    }

    @Override
    void notOpened(AttemptResult why) {
        Slot by = slot;
        slot = null;
        if (by != null) {
            by.notConnected(why, System.nanoTime());
        }
    }

    @Override
    void shookHands(long nanos) {
        Slot by = slot;
        if (by != null) {
            by.shookHands(nanos);
        }
    }

    /** It is sent once the connection is there. */
    @Override
    public void first(Slot by) {
        connect();
    }

    @Override
    public void send(Slot by, Call call) {
        head = call.head(by.turn());
        expected = call.bodyContains;
        channel.writeAndFlush(call.request(by.turn()), channel.voidPromise());
    }

    /** An answer that comes too late would be taken for that of the next request. */
    @Override
    public void cancel(Slot by) {
        by.released();
        abandon();
    }

    @Override
    boolean takesMore() {
        return slot != null;
    }

    @Override
    public boolean isQuiet() {
        return channel.isActive() && isWritten();
    }

    @Override
    public void abandon() {
        slot = null;
        channel.close();
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        // What the decoder makes of garbage is head and content in one.
        if (message instanceof HttpResponse response) {
            head(response);
        }
        if (message instanceof HttpContent content) {
            try {
                content(content);
            } finally {
                content.release();
            }
        }
    }

    private void head(HttpResponse response) {
        Slot by = slot;
        if (by == null || !by.busy()) {
            // Nobody asked: some servers announce the end of an idle connection by a response 408.
            unasked();
        } else if (response.decoderResult().isFailure()) {
            malformed(by, "an answer that is not HTTP");
        } else {
            status = response.status().code();
            keepAlive = HttpUtil.isKeepAlive(response) && status != 101;
            if (expected.isPresent()) {
                matcher.begin(BodyMatcher.isGzip(response.headers().get(HttpHeaderNames.CONTENT_ENCODING)));
            }
            if (session != null) {
                session.head(response.headers().iteratorCharSequence());
            }
        }
    }

    private void unasked() {
        Slot by = slot;
        if (by != null) {
            by.released();
        }
        abandon();
    }

    private void malformed(Slot by, String why) {
        abandon();
        by.malformed(why, System.nanoTime());
    }

    private void content(HttpContent content) {
        Slot by = slot;
        if (by == null || status == 0) {
            return;
        }
        if (content.decoderResult().isFailure()) {
            malformed(by, "an answer with a broken body");
            return;
        }
        if (expected.isPresent()) {
            matcher.feed(expected.get(), content.content());
        }
        if (session != null) {
            session.body(content.content());
        }
        if (content instanceof LastHttpContent) {
            if (status < 200 && status != 101) {
                status = 0;
            } else {
                complete(by);
            }
        }
    }

    private void complete(Slot by) {
        int code = status;
        status = 0;
        answers++;
        answeredAt = System.nanoTime();
        // An answer that came before the request was written out leaves the connection in the middle of something.
        if (!keepAlive || !isWritten()) {
            slot = null;
            by.released();
            if (channel.isActive()) {
                closing =
                        channel.eventLoop().schedule(() -> channel.close(), CLOSE_GRACE_MILLIS, TimeUnit.MILLISECONDS);
            }
        }
        readyAfterRead = by;
        by.answered(code, expected.isEmpty() || matcher.found(), answeredAt);
    }

    /** The next request waits until all is read, so that a close right behind the answer is seen. */
    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        Slot next = readyAfterRead;
        if (next != null) {
            readyAfterRead = null;
            next.ready(answeredAt);
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        matcher.end();
        Future<?> later = closing;
        if (later != null) {
            later.cancel(false);
        }
        Slot by = slot;
        if (by != null) {
            slot = null;
            by.closed(reset(), status != 0, answers > 0, System.nanoTime());
        }
    }

    /** A Decoder is Netty's decoder of answers that knows that those to HEAD have no body. */
    private final class Decoder extends HttpResponseDecoder {
        Decoder(HttpDecoderConfig config) {
            super(config);
        }

        @Override
        protected boolean isContentAlwaysEmpty(HttpMessage message) {
            return head || super.isContentAlwaysEmpty(message);
        }
    }
}
