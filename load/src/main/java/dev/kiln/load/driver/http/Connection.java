package dev.kiln.load.driver.http;

import dev.kiln.load.LoadSession.AttemptResult;
import dev.kiln.load.driver.http.Slot.Link;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.net.ConnectException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A Connection is one TCP connection, with TLS or not, made and broken: its pipeline's last handler. */
@SuppressWarnings("FutureReturnValueIgnored") // what becomes of a close is told through the pipeline
public abstract class Connection extends ChannelInboundHandlerAdapter implements Link {
    /** A server may take so long to close a connection: closing first leaves TIME_WAIT on our side. */
    static final long CLOSE_GRACE_MILLIS = 1000;

    static final int READ_BYTES = 64 * 1024;

    /** Cookies and policies of real services take more than the usual 8 KB. */
    static final int HEADER_BYTES = 1024 * 1024;

    private static final ByteBufAllocator ALLOCATOR = PooledByteBufAllocator.DEFAULT;
    private static final RecvByteBufAllocator READS = new FixedRecvByteBufAllocator(READ_BYTES);

    /** The channel moves to another event loop together with the connection. */
    public final Channel channel;

    /** The calls are what is sent over the connection, and where to. */
    final Calls calls;

    private final IoThread io;
    private boolean reset;

    Connection(IoThread io, Calls calls) {
        this.io = io;
        this.calls = calls;
        channel = io.newChannel();
    }

    /** Tells whether the next request can go over this connection. */
    abstract boolean takesMore();

    /** Tells whether the connection is open and idle, so that it can move to another event loop. */
    public abstract boolean isQuiet();

    /** Tells whether all bytes are written out. */
    final boolean isWritten() {
        ChannelOutboundBuffer unwritten = channel.unsafe().outboundBuffer();
        return unwritten != null && unwritten.isEmpty();
    }

    /** Tells whether a slot still waits for the connection to open. */
    abstract boolean wanted();

    /** There is a connection, TLS if asked for, and the protocol that the server chose, if any. */
    abstract void opened(Optional<String> chosen);

    /** Handles that the connection could not be opened. */
    abstract void notOpened(AttemptResult why);

    /** Counts a TLS handshake that took so many ns. */
    abstract void shookHands(long nanos);

    final void connect() {
        channel.config().setOption(ChannelOption.ALLOCATOR, ALLOCATOR);
        channel.config().setOption(ChannelOption.RECVBUF_ALLOCATOR, READS);
        // The slot's own timeout includes connecting.
        channel.config().setOption(ChannelOption.CONNECT_TIMEOUT_MILLIS, 0);
        Optional<SslHandler> tls = calls.tls().map(this::secured);
        tls.ifPresent(channel.pipeline()::addFirst);
        io.register(channel);
        channel.connect(calls.address()).addListener(connecting -> connected(connecting, tls));
    }

    private SslHandler secured(SslContext context) {
        SslHandler handler =
                context.newHandler(ALLOCATOR, calls.host(), calls.address().getPort());
        // The slot's own timeout includes shaking hands.
        handler.setHandshakeTimeoutMillis(0);
        return handler;
    }

    private void connected(Future<? super Void> connecting, Optional<SslHandler> tls) {
        if (!wanted()) {
            channel.close();
        } else if (!connecting.isSuccess()) {
            notOpened(refusal(connecting.cause()));
            channel.close();
        } else if (channel.localAddress().equals(channel.remoteAddress())) {
            // With nobody listening on a port of the ephemeral range, TCP can connect a socket to itself.
            channel.config().setOption(ChannelOption.SO_LINGER, 0);
            notOpened(AttemptResult.CONNECTION_REFUSED);
            channel.close();
        } else if (tls.isPresent()) {
            long began = System.nanoTime();
            tls.get().handshakeFuture().addListener(shaking -> shaken(shaking, began, tls.get()));
        } else {
            opened(Optional.empty());
        }
    }

    private void shaken(Future<? super Channel> shaking, long began, SslHandler tls) {
        if (!wanted()) {
            channel.close();
        } else if (shaking.isSuccess()) {
            shookHands(System.nanoTime() - began);
            opened(Optional.ofNullable(tls.applicationProtocol()));
        } else {
            notOpened(Trust.refusal(shaking.cause(), calls.host()));
            channel.close();
        }
    }

    static AttemptResult refusal(@Nullable Throwable cause) {
        if (cause instanceof ConnectException
                && String.valueOf(cause.getMessage()).contains("refused")) {
            return AttemptResult.CONNECTION_REFUSED;
        }
        if (cause == null) {
            return AttemptResult.passing("could not connect: unknown cause");
        }
        // Netty puts the address after the message of another exception, which may have none.
        String message = String.valueOf(cause.getMessage());
        Throwable inner = cause.getCause() == null ? cause : cause.getCause();
        return AttemptResult.passing("could not connect: "
                + (message.startsWith("null") ? inner.getClass().getSimpleName() + message.substring(4) : message));
    }

    @Override
    public final void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        broke(cause);
        ctx.close();
    }

    /** Keeps the cause that ends the connection. */
    final void broke(Throwable cause) {
        // After an orderly close by the server Linux answers with EPIPE, without one with ECONNRESET.
        if (cause instanceof IOException || Trust.broke(cause)) {
            reset |= String.valueOf(cause.getMessage()).contains("reset");
        } else {
            // A bug of ours must not pass for a connection that broke.
            Thread thread = Thread.currentThread();
            thread.getUncaughtExceptionHandler().uncaughtException(thread, cause);
        }
    }

    /** Tells whether the connection was broken by a reset, rather than closed in order. */
    final boolean reset() {
        return reset;
    }
}
