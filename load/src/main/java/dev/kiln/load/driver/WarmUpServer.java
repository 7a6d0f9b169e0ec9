package dev.kiln.load.driver;

import dev.kiln.load.driver.WarmUpServer.WarmUpAnswers.CannedAnswer;
import io.netty.handler.ssl.SslContext;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A WarmUpServer answers the driver while it warms up. It is plain NIO and no HTTP library: a server on
 * Netty would teach the JIT the wrong things about the code that the driver shares with it.
 */
final class WarmUpServer implements Closeable {
    private final Selector selector = Selector.open();
    private final ServerSocketChannel listener = ServerSocketChannel.open();
    private final Optional<SslContext> tls;
    private final WarmUpFrames.Heads heads = WarmUpFrames.Heads.encoded();
    private final ByteBuffer request = ByteBuffer.allocateDirect(32 * 1024);
    private final StringBuilder path = new StringBuilder();
    private volatile boolean closed;

    /** @param tls whether it answers over TLS, and only so */
    WarmUpServer(boolean tls) throws IOException {
        this.tls = tls ? Optional.of(WarmUpWire.context()) : Optional.empty();
        listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1024);
        listener.configureBlocking(false);
        listener.register(selector, SelectionKey.OP_ACCEPT);
        Thread thread = new Thread(this::serve, "kiln-warm-up-server");
        thread.setDaemon(true);
        thread.start();
    }

    int port() {
        return listener.socket().getLocalPort();
    }

    private void serve() {
        try (selector;
                listener) {
            while (!closed) {
                selector.select(this::handle);
            }
            selector.keys().forEach(WarmUpServer::close);
        } catch (IOException e) {
            // Nobody is left to be answered: warming up is over, or finds its server gone.
        }
    }

    private void handle(SelectionKey key) {
        try {
            if (key.isAcceptable()) {
                SocketChannel accepted = listener.accept();
                if (accepted != null) {
                    accepted.configureBlocking(false);
                    accepted.setOption(StandardSocketOptions.TCP_NODELAY, true);
                    accepted.register(selector, SelectionKey.OP_READ).attach(new Peer(accepted));
                }
            } else {
                ((Peer) key.attachment()).answer();
            }
        } catch (IOException e) {
            close(key);
        }
    }

    private static void close(SelectionKey key) {
        try {
            key.channel().close();
        } catch (IOException e) {
            // It is gone all the same.
        }
    }

    /** A Peer is the client at the other end of a connection. */
    private final class Peer {
        private final SocketChannel channel;
        private final WarmUpWire wire;
        /** The frames are null unless the peer speaks HTTP/2. */
        private @Nullable WarmUpFrames frames;

        Peer(SocketChannel channel) {
            this.channel = channel;
            wire = tls.map(context -> WarmUpWire.secured(channel, context)).orElseGet(() -> WarmUpWire.plain(channel));
        }

        void answer() throws IOException {
            WarmUpFrames http2 = frames;
            if (http2 != null) {
                if (!wire.read(http2.arrived())) {
                    channel.close();
                }
                http2.answer();
                return;
            }
            request.clear();
            if (!wire.read(request)) {
                channel.close();
            } else if (request.flip().hasRemaining()) {
                begin();
            }
        }

        /**
         * Answers the first bytes of a request. The driver's requests are short and sent at once, so what arrives together is
         * one request.
         */
        private void begin() throws IOException {
            if (WarmUpFrames.begins(request)) {
                WarmUpFrames http2 = new WarmUpFrames(heads, wire);
                http2.arrived().put(request);
                http2.answer();
                frames = http2;
            } else {
                send(WarmUpAnswers.to(path()));
            }
        }

        private void send(CannedAnswer answer) throws IOException {
            wire.write(answer.bytes().duplicate());
            switch (answer.after()) {
                case STAY -> {}
                case CLOSE -> channel.close();
                case RESET -> {
                    channel.setOption(StandardSocketOptions.SO_LINGER, 0);
                    channel.close();
                }
            }
        }
    }

    /** Returns what is between the request's first slash and a question mark or a blank. */
    private String path() {
        path.setLength(0);
        boolean began = false;
        while (request.hasRemaining()) {
            char c = (char) request.get();
            if (began && (c == ' ' || c == '?')) {
                break;
            } else if (began) {
                path.append(c);
            }
            began |= c == '/';
        }
        return path.toString();
    }

    /**
     * Has the serving thread close everything: only that thread touches keys and channels, since it would fail on a key that
     * another cancels.
     */
    @Override
    public void close() {
        closed = true;
        selector.wakeup();
    }

    /** WarmUpAnswers are the answers by path: all that a driver can meet, good and bad. */
    static final class WarmUpAnswers {
        /** An After says what becomes of the connection once the answer is sent. */
        enum After {
            STAY,
            CLOSE,
            RESET
        }

        record CannedAnswer(ByteBuffer bytes, After after) {
            static CannedAnswer of(String text, After after) {
                return new CannedAnswer(ByteBuffer.wrap(text.getBytes(StandardCharsets.ISO_8859_1)), after);
            }
        }

        private static final String PLAIN = head("HTTP/1.1 200 OK", "Server: kiln", "Content-Type: text/plain");

        // Heads as well-known servers send them: long and short, with all sorts of headers, in several spellings.

        private static final String LIKE_NGINX = head(
                "HTTP/1.1 200 OK",
                "Server: nginx/1.22.1",
                "Date: Thu, 01 Jan 2026 00:00:00 GMT",
                "Content-Type: application/octet-stream",
                "Last-Modified: Thu, 01 Jan 2026 00:00:00 GMT",
                "Connection: keep-alive",
                "ETag: \"69000000-1324\"",
                "Accept-Ranges: bytes");

        private static final String LIKE_TOMCAT = head(
                "HTTP/1.1 200 ",
                "X-Content-Type-Options: nosniff",
                "X-XSS-Protection: 0",
                "Cache-Control: no-cache, no-store, max-age=0, must-revalidate",
                "Pragma: no-cache",
                "Expires: 0",
                "X-Frame-Options: DENY",
                "Set-Cookie: JSESSIONID=0123456789ABCDEF0123456789ABCDEF; Path=/; HttpOnly",
                "Content-Type: application/json;charset=UTF-8",
                "Date: Thu, 01 Jan 2026 00:00:00 GMT",
                "Keep-Alive: timeout=60",
                "Connection: keep-alive",
                "Vary: Origin",
                "X-Empty:");

        private static final String LIKE_NETTY = head(
                "HTTP/1.1 200 OK",
                "content-type: application/json",
                "date: Thu, 1 Jan 2026 00:00:00 GMT",
                "connection: Keep-Alive");

        private static final Map<String, CannedAnswer> ANSWERS = Map.ofEntries(
                Map.entry("small", stay(PLAIN + "Content-Length: 12\r\n\r\nHello, kiln!")),
                Map.entry("tomcat", stay(LIKE_TOMCAT + "Content-Length: 12\r\n\r\nHello, kiln!")),
                Map.entry("netty", stay(LIKE_NETTY + "content-length: 12\r\n\r\nHello, kiln!")),
                Map.entry(
                        "json",
                        stay(LIKE_NETTY + "content-length: " + WarmUpFrames.JSON.length() + "\r\n\r\n"
                                + WarmUpFrames.JSON)),
                Map.entry("big", stay(LIKE_NGINX + "Content-Length: 4900\r\n\r\n" + "x".repeat(4900))),
                Map.entry("huge", stay(PLAIN + "Content-Length: 90000\r\n\r\n" + "x".repeat(90_000))),
                Map.entry(
                        "chunked",
                        stay(LIKE_TOMCAT
                                + "Transfer-Encoding: chunked\r\n\r\n5\r\nHello\r\n7\r\n, kiln!\r\n0\r\n\r\n")),
                Map.entry("head", stay(PLAIN + "Content-Length: 12\r\n\r\n")),
                Map.entry("empty", stay(head("HTTP/1.1 204 No Content", "Server: kiln") + "\r\n")),
                Map.entry("error", stay("HTTP/1.1 503 Busy\r\nContent-Length: 4\r\n\r\nbusy")),
                Map.entry("hang", stay("")),
                Map.entry("garbage", stay("this is not HTTP\r\n\r\n")),
                Map.entry("last", close(PLAIN + "Connection: close\r\nContent-Length: 2\r\n\r\nok")),
                Map.entry("leave", close(PLAIN + "Content-Length: 2\r\n\r\nok")),
                Map.entry("open-end", close("HTTP/1.0 200 OK\r\n\r\nuntil the end")),
                Map.entry("cut", close(PLAIN + "Content-Length: 100\r\n\r\nonly this")),
                Map.entry("nothing", close("")),
                Map.entry("reset", CannedAnswer.of("", After.RESET)));

        private static final CannedAnswer UNKNOWN = close("");

        private WarmUpAnswers() {}

        static CannedAnswer to(String path) {
            return ANSWERS.getOrDefault(path, UNKNOWN);
        }

        private static String head(String... lines) {
            return String.join("\r\n", lines) + "\r\n";
        }

        private static CannedAnswer stay(String text) {
            return CannedAnswer.of(text, After.STAY);
        }

        private static CannedAnswer close(String text) {
            return CannedAnswer.of(text, After.CLOSE);
        }
    }
}
