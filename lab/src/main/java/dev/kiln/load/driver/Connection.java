package dev.kiln.load.driver;

import dev.kiln.load.driver.Feeder.Turn;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.handler.codec.DefaultHeaders.NameValidator;
import io.netty.handler.codec.DefaultHeaders.ValueValidator;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpHeadersFactory;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseDecoder;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.AsciiString;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.net.ConnectException;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One TCP connection: sends requests one after the other and takes their answers apart. */
@SuppressWarnings("FutureReturnValueIgnored") // what becomes of a write or a close is told through the pipeline
final class Connection extends ChannelInboundHandlerAdapter {
    /** How long a server has to close a connection after it said so. Closing first would leave TIME_WAIT on our side. */
    private static final long CLOSE_GRACE_MILLIS = 1000;

    private static final int READ_BYTES = 64 * 1024;

    /** Cookies and policies of real services take more than the usual 8 KB. */
    private static final int HEADER_BYTES = 1024 * 1024;

    private static final ByteBufAllocator ALLOCATOR = PooledByteBufAllocator.DEFAULT;
    private static final RecvByteBufAllocator READS = new FixedRecvByteBufAllocator(READ_BYTES);
    private static final HttpDecoderConfig DECODING = new HttpDecoderConfig()
            .setHeadersFactory(LeanHeaders.FACTORY)
            .setMaxHeaderSize(HEADER_BYTES)
            .setMaxInitialLineLength(READ_BYTES)
            .setMaxChunkSize(READ_BYTES);

    private final IoThread io;
    private final Channel channel;
    /** Null once the connection serves no slot any more. */
    private @Nullable Slot slot;

    private @Nullable Slot readyAfterRead;
    private Optional<BodyMatcher.Pattern> expected = Optional.empty();
    private final BodyMatcher matcher = new BodyMatcher();
    private boolean head;
    private boolean reset;
    private boolean keepAlive;
    private int answers;
    /** Of the answer that is arriving; 0 before it begins. */
    private int status;

    private long answeredAt;
    private @Nullable Future<?> closing;

    Connection(IoThread io, Slot slot) {
        this.io = io;
        this.slot = slot;
        this.channel = io.newChannel();
    }

    void connect(Calls calls) {
        channel.config().setOption(ChannelOption.ALLOCATOR, ALLOCATOR);
        channel.config().setOption(ChannelOption.RECVBUF_ALLOCATOR, READS);
        // The slot's own timeout includes connecting.
        channel.config().setOption(ChannelOption.CONNECT_TIMEOUT_MILLIS, 0);
        channel.pipeline().addLast(new Decoder(), this);
        Optional<SslHandler> tls = calls.tls().map(context -> secured(context, calls));
        tls.ifPresent(channel.pipeline()::addFirst);
        io.register(channel);
        channel.connect(calls.address()).addListener(connecting -> connected(connecting, tls, calls.host()));
    }

    private static SslHandler secured(SslContext context, Calls calls) {
        SslHandler handler =
                context.newHandler(ALLOCATOR, calls.host(), calls.address().getPort());
        // The slot's own timeout includes shaking hands.
        handler.setHandshakeTimeoutMillis(0);
        return handler;
    }

    private void connected(Future<? super Void> connecting, Optional<SslHandler> tls, String host) {
        Slot by = slot;
        if (by == null) {
            channel.close();
        } else if (!connecting.isSuccess()) {
            slot = null;
            channel.close();
            by.notConnected(words(connecting.cause()), System.nanoTime());
        } else if (channel.localAddress().equals(channel.remoteAddress())) {
            // With nobody listening on a port of the ephemeral range, TCP can connect a socket to itself.
            slot = null;
            channel.config().setOption(ChannelOption.SO_LINGER, 0);
            channel.close();
            by.notConnected("connection refused", System.nanoTime());
        } else if (tls.isPresent()) {
            long began = System.nanoTime();
            tls.get().handshakeFuture().addListener(shaking -> shaken(shaking, began, host));
        } else {
            by.connected(this);
        }
    }

    private void shaken(Future<? super Channel> shaking, long began, String host) {
        Slot by = slot;
        if (by == null) {
            channel.close();
        } else if (shaking.isSuccess()) {
            by.shookHands(System.nanoTime() - began);
            by.connected(this);
        } else {
            slot = null;
            channel.close();
            by.notConnected(Trust.words(shaking.cause(), host), System.nanoTime());
        }
    }

    private static String words(@Nullable Throwable cause) {
        if (cause instanceof ConnectException
                && String.valueOf(cause.getMessage()).contains("refused")) {
            return "connection refused";
        }
        return "could not connect: " + (cause == null ? "unknown cause" : cause.getMessage());
    }

    void send(Call call, Turn turn) {
        head = call.head;
        expected = call.bodyContains;
        channel.writeAndFlush(call.request(turn), channel.voidPromise());
    }

    /** Closes it; nothing that still arrives matters. */
    void abandon() {
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
                String encoding = response.headers().get(HttpHeaderNames.CONTENT_ENCODING, "");
                matcher.begin(encoding.equalsIgnoreCase("gzip") || encoding.equalsIgnoreCase("x-gzip"));
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
        ChannelOutboundBuffer unwritten = channel.unsafe().outboundBuffer();
        if (!keepAlive || unwritten == null || !unwritten.isEmpty()) {
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

    /**
     * The next request waits until all that has arrived is read: a close that came right behind the answer is then seen before
     * the request would be sent into it.
     */
    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        Slot next = readyAfterRead;
        if (next != null) {
            readyAfterRead = null;
            next.ready(answeredAt);
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        // After an orderly close by the server Linux answers with EPIPE, without one with ECONNRESET.
        if (cause instanceof IOException || Trust.broke(cause)) {
            reset = String.valueOf(cause.getMessage()).contains("reset");
        } else {
            // A bug of ours must not pass for a connection that broke.
            Thread thread = Thread.currentThread();
            thread.getUncaughtExceptionHandler().uncaughtException(thread, cause);
        }
        ctx.close();
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
            by.closed(reset, status != 0, answers > 0, System.nanoTime());
        }
    }

    /** Knows that answers to HEAD have no body. */
    private final class Decoder extends HttpResponseDecoder {
        Decoder() {
            super(DECODING);
        }

        @Override
        protected boolean isContentAlwaysEmpty(HttpMessage message) {
            return head || super.isContentAlwaysEmpty(message);
        }
    }

    /**
     * Response headers that keep only what decides where a response ends, and how its body is packed. The rest costs time for each request, and its variety would
     * have compiled code thrown away when a target sends headers that the warm-up did not.
     */
    private static final class LeanHeaders extends DefaultHttpHeaders {
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
}
