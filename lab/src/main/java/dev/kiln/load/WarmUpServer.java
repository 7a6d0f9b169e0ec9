package dev.kiln.load;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * What the driver warms itself up against: answers well, badly or not at all, by path. Plain NIO and no HTTP library: a server on
 * Netty would teach the JIT the wrong things about the code that the driver shares with it.
 */
final class WarmUpServer implements Closeable {
    private static final String OK = "HTTP/1.1 200 OK\r\nServer: kiln\r\nContent-Type: text/plain\r\n";

    /** What to do once the answer is sent. */
    private enum After {
        STAY,
        CLOSE,
        RESET
    }

    private record Answer(ByteBuffer bytes, After after) {
        static Answer of(String text, After after) {
            return new Answer(ByteBuffer.wrap(text.getBytes(StandardCharsets.ISO_8859_1)), after);
        }
    }

    private static final Map<String, Answer> ANSWERS = Map.ofEntries(
            Map.entry("small", Answer.of(OK + "Content-Length: 12\r\n\r\nHello, kiln!", After.STAY)),
            Map.entry("big", Answer.of(OK + "Content-Length: 4900\r\n\r\n" + "x".repeat(4900), After.STAY)),
            Map.entry("huge", Answer.of(OK + "Content-Length: 90000\r\n\r\n" + "x".repeat(90_000), After.STAY)),
            Map.entry(
                    "chunked",
                    Answer.of(
                            OK + "Transfer-Encoding: chunked\r\n\r\n5\r\nHello\r\n7\r\n, kiln!\r\n0\r\n\r\n",
                            After.STAY)),
            Map.entry("head", Answer.of(OK + "Content-Length: 12\r\n\r\n", After.STAY)),
            Map.entry("empty", Answer.of("HTTP/1.1 204 No Content\r\nServer: kiln\r\n\r\n", After.STAY)),
            Map.entry("last", Answer.of(OK + "Connection: close\r\nContent-Length: 2\r\n\r\nok", After.CLOSE)),
            Map.entry("leave", Answer.of(OK + "Content-Length: 2\r\n\r\nok", After.CLOSE)),
            Map.entry("open-end", Answer.of("HTTP/1.0 200 OK\r\n\r\nuntil the end", After.CLOSE)),
            Map.entry("error", Answer.of("HTTP/1.1 503 Busy\r\nContent-Length: 4\r\n\r\nbusy", After.STAY)),
            Map.entry("garbage", Answer.of("this is not HTTP\r\n\r\n", After.STAY)),
            Map.entry("cut", Answer.of(OK + "Content-Length: 100\r\n\r\nonly this", After.CLOSE)),
            Map.entry("nothing", Answer.of("", After.CLOSE)),
            Map.entry("reset", Answer.of("", After.RESET)),
            Map.entry("hang", Answer.of("", After.STAY)));

    private final Selector selector = Selector.open();
    private final ServerSocketChannel listener = ServerSocketChannel.open();
    private final ByteBuffer request = ByteBuffer.allocateDirect(8192);

    WarmUpServer() throws IOException {
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
        try {
            while (selector.isOpen()) {
                selector.select(this::handle);
            }
        } catch (IOException | ClosedSelectorException e) {
            // Closed: warming up is over.
        }
    }

    private void handle(SelectionKey key) {
        try {
            if (key.isAcceptable()) {
                SocketChannel accepted = listener.accept();
                if (accepted != null) {
                    accepted.configureBlocking(false);
                    accepted.setOption(StandardSocketOptions.TCP_NODELAY, true);
                    accepted.register(selector, SelectionKey.OP_READ);
                }
            } else {
                answer((SocketChannel) key.channel());
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

    /** A driver's request is short and sent at once: what arrives together is one request. */
    private void answer(SocketChannel from) throws IOException {
        request.clear();
        if (from.read(request) < 0) {
            from.close();
            return;
        }
        request.flip();
        Answer answer = ANSWERS.get(path());
        if (answer == null) {
            from.close();
            return;
        }
        ByteBuffer bytes = answer.bytes().duplicate();
        while (bytes.hasRemaining()) {
            from.write(bytes);
        }
        switch (answer.after()) {
            case STAY -> {}
            case CLOSE -> from.close();
            case RESET -> {
                from.setOption(StandardSocketOptions.SO_LINGER, 0);
                from.close();
            }
        }
    }

    private String path() {
        byte[] line = new byte[Math.min(request.remaining(), 64)];
        request.get(line);
        String[] words = new String(line, StandardCharsets.ISO_8859_1).split(" ", 3);
        return words.length < 3 ? "" : words[1].substring(1);
    }

    @Override
    public void close() throws IOException {
        listener.close();
        for (SelectionKey key : selector.keys()) {
            key.channel().close();
        }
        selector.close();
    }
}
