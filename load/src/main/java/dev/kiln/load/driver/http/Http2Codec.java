package dev.kiln.load.driver.http;

import dev.kiln.load.LoadSession.AttemptResult;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http2.DefaultHttp2Connection;
import io.netty.handler.codec.http2.DefaultHttp2ConnectionDecoder;
import io.netty.handler.codec.http2.DefaultHttp2ConnectionEncoder;
import io.netty.handler.codec.http2.DefaultHttp2FrameReader;
import io.netty.handler.codec.http2.DefaultHttp2FrameWriter;
import io.netty.handler.codec.http2.DefaultHttp2RemoteFlowController;
import io.netty.handler.codec.http2.Http2ConnectionEncoder;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2EventAdapter;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Exception.StreamException;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2LocalFlowController;
import io.netty.handler.codec.http2.Http2PromisedRequestVerifier;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.codec.http2.Http2Stream;
import io.netty.handler.codec.http2.UniformStreamByteDistributor;
import java.util.List;
import java.util.Map.Entry;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** An Http2Codec is Netty's HTTP/2 with frames and flow control, but no channel for each stream. */
@SuppressWarnings("FutureReturnValueIgnored") // what becomes of a write is told through the pipeline
final class Http2Codec extends Http2ConnectionHandler {
    /** An answer of HTTP/1.1 begins with these bytes, as Netty shows what is no frame. */
    private static final String HTTP_1 = "485454502f";

    private static final int STREAM_WINDOW_BYTES = 1 << 20;
    private static final int CONNECTION_WINDOW_BYTES = 16 << 20;

    /** Answers to a server that are not sent yet have at most so many bytes: one to PING has 17. */
    private static final int MOST_UNREAD = 1 << 20;

    /** Headers may continue in this many frames: Tomcat fills each with about 1 KB. */
    private static final int CONTINUATIONS = Connection.HEADER_BYTES / 512;

    /** Events are what comes from the server. */
    interface Events {
        /** @param allowed streams at a time; empty if it sets no limit, or leaves it as it was */
        void settings(Optional<Long> allowed);

        /** The answer on this stream is complete. */
        void answered(int stream);

        /** The server gives up a stream. */
        void reset(int stream, Http2Error why);

        /** The server takes no more requests; those on streams above this one it did not begin with. */
        void goAway(int lastStream);

        /** A stream has closed, so one more may be opened. */
        void streamFreed();

        /** The answer on this stream breaks the protocol; the stream is reset. */
        void streamFailed(int stream, Throwable cause);

        /** The connection is about to be closed: it broke, or what arrived is no HTTP/2 (protocol). */
        void connectionFailed(Throwable cause, boolean protocol);
    }

    /** AnswerParts are what answers are made of. */
    interface AnswerParts {
        /**
         * The head of an answer, or what follows its body.
         *
         * @param status null if it has none
         * @param encoding of the body; null if it has none
         * @param kept the headers that were asked for; only until this returns
         */
        void head(
                int stream,
                @Nullable CharSequence status,
                @Nullable CharSequence encoding,
                List<Entry<CharSequence, CharSequence>> kept);

        /** A piece of a body has arrived. */
        void body(int stream, ByteBuf data);
    }

    private final Events events;
    private @Nullable ChannelHandlerContext context;

    private Http2Codec(DefaultHttp2ConnectionDecoder decoder, Http2ConnectionEncoder encoder, Events events) {
        super(decoder, encoder, settings(), true);
        this.events = events;
        gracefulShutdownTimeoutMillis(0);
    }

    /** @param calls tell which headers of requests are not to be remembered, and which ones of answers are kept */
    static Http2Codec of(AnswerParts parts, Events events, Calls calls) {
        DefaultHttp2Connection connection = new DefaultHttp2Connection(false);
        Frames frames = new Frames(parts, events);
        connection.addListener(frames);
        connection
                .remote()
                .flowController(
                        new DefaultHttp2RemoteFlowController(connection, new UniformStreamByteDistributor(connection)));
        // It is for the server to say which headers are too long.
        DefaultHttp2ConnectionEncoder encoder =
                new DefaultHttp2ConnectionEncoder(connection, new DefaultHttp2FrameWriter(calls.unindexed(), true));
        DefaultHttp2ConnectionDecoder decoder = new DefaultHttp2ConnectionDecoder(
                connection,
                encoder,
                new DefaultHttp2FrameReader(new LeanHeaders.LeanDecoder(calls.keptHeaders()), CONTINUATIONS),
                Http2PromisedRequestVerifier.ALWAYS_VERIFY,
                true,
                true,
                false);
        decoder.frameListener(frames);
        return new Http2Codec(decoder, encoder, events);
    }

    /** Says why there is no connection, from the first bytes, which were no frame. */
    static AttemptResult notSpoken(Throwable cause) {
        boolean http1 = String.valueOf(cause.getMessage()).contains(HTTP_1);
        return Trust.noHttp2(http1 ? "it answers HTTP/1.1" : "it answers something else");
    }

    /** Says what is wrong with an answer that breaks the protocol. */
    static String broken(Throwable cause) {
        return "an answer that is not HTTP/2: " + cause.getMessage();
    }

    private static Http2Settings settings() {
        return new Http2Settings()
                .pushEnabled(false)
                .initialWindowSize(STREAM_WINDOW_BYTES)
                .maxHeaderListSize(Connection.HEADER_BYTES);
    }

    /** Sends the preface, and lets the server send much at a time. */
    @Override
    public void handlerAdded(ChannelHandlerContext ctx) throws Exception {
        context = ctx;
        super.handlerAdded(ctx);
        Http2LocalFlowController windows = connection().local().flowController();
        windows.incrementWindowSize(
                connection().connectionStream(), CONNECTION_WINDOW_BYTES - windows.initialWindowSize());
        flush(ctx);
    }

    boolean canOpenStream() {
        return connection().local().canOpenStream();
    }

    /** Returns the id of the next stream; negative if this connection has none left. */
    int nextStream() {
        return connection().local().incrementAndGetNextStreamId();
    }

    void send(int stream, Http2Request request) {
        ChannelHandlerContext ctx = context();
        boolean body = request.hasBody();
        encoder().writeHeaders(ctx, stream, request.headers(), 0, !body, ctx.newPromise());
        if (body) {
            encoder().writeData(ctx, stream, request.body().duplicate(), 0, true, ctx.newPromise());
        }
    }

    void cancel(int stream) {
        ChannelHandlerContext ctx = context();
        resetStream(ctx, stream, Http2Error.CANCEL.code(), ctx.newPromise());
    }

    void flush() {
        flush(context());
    }

    private ChannelHandlerContext context() {
        ChannelHandlerContext ctx = context;
        if (ctx == null) {
            throw new IllegalStateException("not in a pipeline yet");
        }
        return ctx;
    }

    @Override
    protected void onConnectionError(
            ChannelHandlerContext ctx, boolean outbound, Throwable cause, @Nullable Http2Exception protocol) {
        events.connectionFailed(cause, protocol != null);
        super.onConnectionError(ctx, outbound, cause, protocol);
    }

    @Override
    protected void onStreamError(
            ChannelHandlerContext ctx, boolean outbound, Throwable cause, StreamException protocol) {
        // Of one that is gone, a frame was still on its way when the stream was reset.
        if (connection().stream(protocol.streamId()) != null) {
            events.streamFailed(protocol.streamId(), cause);
            super.onStreamError(ctx, outbound, cause, protocol);
        }
    }

    private static final class Frames extends Http2EventAdapter {
        private final AnswerParts parts;
        private final Events events;

        Frames(AnswerParts parts, Events events) {
            this.parts = parts;
            this.events = events;
        }

        /** Refuses a server that asks on and reads no answers: these would fill memory. */
        private static void requireReading(ChannelHandlerContext ctx) throws Http2Exception {
            if (ctx.channel().bytesBeforeWritable() > MOST_UNREAD) {
                throw Http2Exception.connectionError(
                        Http2Error.ENHANCE_YOUR_CALM, "it sends PING or SETTINGS without an end, and reads nothing");
            }
        }

        @Override
        public void onPingRead(ChannelHandlerContext ctx, long data) throws Http2Exception {
            requireReading(ctx);
        }

        @Override
        public void onSettingsRead(ChannelHandlerContext ctx, Http2Settings settings) throws Http2Exception {
            requireReading(ctx);
            events.settings(Optional.ofNullable(settings.maxConcurrentStreams()));
        }

        @Override
        public void onHeadersRead(
                ChannelHandlerContext ctx,
                int stream,
                Http2Headers headers,
                int dependency,
                short weight,
                boolean exclusive,
                int padding,
                boolean end) {
            onHeadersRead(ctx, stream, headers, padding, end);
        }

        @Override
        public void onHeadersRead(
                ChannelHandlerContext ctx, int stream, Http2Headers headers, int padding, boolean end) {
            parts.head(
                    stream,
                    headers.status(),
                    headers.get(HttpHeaderNames.CONTENT_ENCODING),
                    ((LeanHeaders) headers).kept());
            if (end) {
                events.answered(stream);
            }
        }

        @Override
        public int onDataRead(ChannelHandlerContext ctx, int stream, ByteBuf data, int padding, boolean end) {
            int bytes = data.readableBytes() + padding;
            parts.body(stream, data);
            if (end) {
                events.answered(stream);
            }
            return bytes;
        }

        @Override
        public void onRstStreamRead(ChannelHandlerContext ctx, int stream, long code) {
            Http2Error known = Http2Error.valueOf(code);
            events.reset(stream, known == null ? Http2Error.INTERNAL_ERROR : known);
        }

        @Override
        public void onGoAwayRead(ChannelHandlerContext ctx, int lastStream, long code, ByteBuf debug) {
            events.goAway(lastStream);
        }

        @Override
        public void onStreamRemoved(Http2Stream stream) {
            events.streamFreed();
        }
    }
}
