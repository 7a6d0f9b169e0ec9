package dev.kiln.load.driver;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http2.DefaultHttp2DataFrame;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersFrame;
import io.netty.handler.codec.http2.DefaultHttp2ResetFrame;
import io.netty.handler.codec.http2.Http2DataFrame;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2FrameCodec;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2FrameStream;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.handler.codec.http2.Http2ResetFrame;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.ssl.SslContext;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** A real HTTP/2 server on a real port that does with each request what a test's script says. All on one thread. */
@SuppressWarnings("FutureReturnValueIgnored") // the other end of the connection sees what becomes of a write
final class Http2Server implements AutoCloseable {
    /** What to do with a request. */
    interface Script {
        void answer(Exchange exchange);
    }

    /**
     * A whole request.
     *
     * @param number of the request on its connection, from 1
     * @param connection from 1
     */
    record Exchange(
            ChannelHandlerContext context,
            Http2FrameCodec codec,
            Http2FrameStream stream,
            Http2Headers headers,
            String body,
            int number,
            int connection) {
        String path() {
            return headers.path().toString();
        }

        void ok() {
            head(200, false);
            data("o", false);
            data("k", true);
        }

        void head(int status, boolean end) {
            head(new DefaultHttp2Headers().status(Integer.toString(status)), end);
        }

        void head(Http2Headers answer, boolean end) {
            context.writeAndFlush(new DefaultHttp2HeadersFrame(answer.set("server", "test"), end).stream(stream));
        }

        void data(String text, boolean end) {
            data(Unpooled.copiedBuffer(text, StandardCharsets.UTF_8), end);
        }

        void data(ByteBuf bytes, boolean end) {
            context.writeAndFlush(new DefaultHttp2DataFrame(bytes, end).stream(stream));
        }

        /** Ends the answer after its body. */
        void trailers() {
            context.writeAndFlush(
                    new DefaultHttp2HeadersFrame(new DefaultHttp2Headers().set("checksum", "1"), true).stream(stream));
        }

        void reset(Http2Error why) {
            context.writeAndFlush(new DefaultHttp2ResetFrame(why).stream(stream));
        }

        /** Takes no more requests; those on streams above this one were not begun with. */
        void goAway(int lastStream) {
            ChannelHandlerContext at = context.pipeline().context(codec);
            codec.goAway(at, lastStream, Http2Error.NO_ERROR.code(), Unpooled.EMPTY_BUFFER, at.newPromise());
            at.flush();
        }

        /** Without a word. */
        void close() {
            context.pipeline().firstContext().close();
        }
    }

    private final MultiThreadIoEventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private final ChannelGroup open = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);
    private final Channel listener;
    private final Script script;
    final AtomicInteger connections = new AtomicInteger();
    final AtomicInteger requests = new AtomicInteger();
    /** Streams that the client gave up. */
    final AtomicInteger cancelled = new AtomicInteger();

    Http2Server(Script script) {
        this(new Http2Settings(), Optional.empty(), script);
    }

    Http2Server(Http2Settings settings, Optional<SslContext> tls, Script script) {
        this.script = script;
        listener = new ServerBootstrap()
                .group(loop)
                .channel(NioServerSocketChannel.class)
                .option(ChannelOption.SO_REUSEADDR, true)
                .childHandler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        open.add(channel);
                        tls.ifPresent(context -> channel.pipeline().addLast(context.newHandler(channel.alloc())));
                        Http2FrameCodec codec = Http2FrameCodecBuilder.forServer()
                                .initialSettings(settings)
                                .decoupleCloseAndGoAway(true)
                                .build();
                        channel.pipeline().addLast(codec, new Connection(codec, connections.incrementAndGet()));
                    }
                })
                .bind(InetAddress.getLoopbackAddress(), 0)
                .syncUninterruptibly()
                .channel();
    }

    int port() {
        return ((InetSocketAddress) listener.localAddress()).getPort();
    }

    URI url(String path) {
        return URI.create("http://127.0.0.1:" + port() + path);
    }

    /** From any thread: runs on the thread of the script. */
    void later(Runnable what) {
        loop.next().execute(what);
    }

    @Override
    public void close() {
        listener.close().syncUninterruptibly();
        open.close().syncUninterruptibly();
        loop.shutdownGracefully(0, 0, TimeUnit.SECONDS).syncUninterruptibly();
    }

    private final class Connection extends ChannelInboundHandlerAdapter {
        private final Http2FrameCodec codec;
        private final int number;
        /** Heads of requests whose bodies are still arriving, and what is here of those. */
        private final Map<Http2FrameStream, Http2Headers> heads = new HashMap<>();

        private final Map<Http2FrameStream, String> bodies = new HashMap<>();
        private int seen;

        Connection(Http2FrameCodec codec, int number) {
            this.codec = codec;
            this.number = number;
        }

        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            try {
                if (message instanceof Http2HeadersFrame head) {
                    heads.put(head.stream(), head.headers());
                    if (head.isEndStream()) {
                        whole(ctx, head.stream());
                    }
                } else if (message instanceof Http2DataFrame data) {
                    bodies.merge(
                            data.stream(),
                            new String(ByteBufUtil.getBytes(data.content()), StandardCharsets.UTF_8),
                            String::concat);
                    if (data.isEndStream()) {
                        whole(ctx, data.stream());
                    }
                } else if (message instanceof Http2ResetFrame) {
                    cancelled.incrementAndGet();
                }
            } finally {
                ReferenceCountUtil.release(message);
            }
        }

        private void whole(ChannelHandlerContext ctx, Http2FrameStream stream) {
            requests.incrementAndGet();
            script.answer(new Exchange(
                    ctx,
                    codec,
                    stream,
                    Objects.requireNonNull(heads.remove(stream)),
                    Objects.requireNonNullElse(bodies.remove(stream), ""),
                    ++seen,
                    number));
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
            ctx.close();
        }
    }
}
