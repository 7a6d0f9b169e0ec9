package dev.kiln.load.driver;

import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolConfig.Protocol;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectedListenerFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectorFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.Objects;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLEngineResult.Status;
import org.jspecify.annotations.Nullable;

/**
 * A WarmUpWire reads and writes the bytes of one connection of the warm-up server, over TLS or not. It uses the client's TLS
 * library, but none of Netty's handlers.
 */
final class WarmUpWire {
    /** A buffer of this size holds a whole record of TLS. */
    private static final int RECORD_BYTES = 20 * 1024;

    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final SocketChannel channel;
    private final @Nullable SSLEngine tls;
    /** These bytes are the part of a record that has arrived. */
    private final ByteBuffer arrived;

    private final ByteBuffer sent;

    private WarmUpWire(SocketChannel channel, @Nullable SSLEngine tls) {
        this.channel = channel;
        this.tls = tls;
        arrived = tls == null ? NOTHING : ByteBuffer.allocateDirect(RECORD_BYTES);
        sent = tls == null ? NOTHING : ByteBuffer.allocateDirect(RECORD_BYTES);
    }

    static WarmUpWire plain(SocketChannel channel) {
        return new WarmUpWire(channel, null);
    }

    static WarmUpWire secured(SocketChannel channel, SslContext context) {
        return new WarmUpWire(channel, context.newEngine(ByteBufAllocator.DEFAULT));
    }

    /** Returns the TLS context for all connections of a server. */
    static SslContext context() throws IOException {
        try (InputStream certificate = resource("warm-up-cert.pem");
                InputStream key = resource("warm-up-key.pem")) {
            return SslContextBuilder.forServer(certificate, key)
                    .sslProvider(OpenSsl.isAvailable() ? SslProvider.OPENSSL : SslProvider.JDK)
                    .protocols("TLSv1.3")
                    .applicationProtocolConfig(new ApplicationProtocolConfig(
                            Protocol.ALPN,
                            SelectorFailureBehavior.NO_ADVERTISE,
                            SelectedListenerFailureBehavior.ACCEPT,
                            ApplicationProtocolNames.HTTP_2,
                            "http/1.1"))
                    .build();
        }
    }

    private static InputStream resource(String name) {
        return Objects.requireNonNull(WarmUpWire.class.getResourceAsStream(name), name);
    }

    /**
     * Reads what has arrived.
     *
     * @param into has room for a record
     * @return false at the end
     */
    boolean read(ByteBuffer into) throws IOException {
        SSLEngine engine = tls;
        if (engine == null) {
            return channel.read(into) >= 0;
        }
        boolean open = channel.read(arrived) >= 0;
        arrived.flip();
        SSLEngineResult unwrapped;
        do {
            unwrapped = engine.unwrap(arrived, into);
            if (unwrapped.getHandshakeStatus() == HandshakeStatus.NEED_TASK) {
                runTasks(engine);
            }
            if (engine.getHandshakeStatus() == HandshakeStatus.NEED_WRAP) {
                send(engine, NOTHING);
            }
        } while (unwrapped.getStatus() == Status.OK && (arrived.hasRemaining() || unwrapped.bytesProduced() > 0));
        arrived.compact();
        return open && unwrapped.getStatus() != Status.CLOSED;
    }

    private static void runTasks(SSLEngine engine) {
        for (Runnable task = engine.getDelegatedTask(); task != null; task = engine.getDelegatedTask()) {
            task.run();
        }
    }

    void write(ByteBuffer bytes) throws IOException {
        SSLEngine engine = tls;
        if (engine == null) {
            writeOut(bytes);
        } else {
            send(engine, bytes);
        }
    }

    private void send(SSLEngine engine, ByteBuffer bytes) throws IOException {
        do {
            sent.clear();
            engine.wrap(bytes, sent);
            writeOut(sent.flip());
        } while (bytes.hasRemaining() || engine.getHandshakeStatus() == HandshakeStatus.NEED_WRAP);
    }

    private void writeOut(ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
    }
}
