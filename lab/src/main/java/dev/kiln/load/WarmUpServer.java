package dev.kiln.load;

import dev.kiln.load.WarmUpAnswers.Answer;
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

/**
 * What the driver warms itself up against. Plain NIO and no HTTP library: a server on
 * Netty would teach the JIT the wrong things about the code that the driver shares with it.
 */
final class WarmUpServer implements Closeable {
    private final Selector selector = Selector.open();
    private final ServerSocketChannel listener = ServerSocketChannel.open();
    private final ByteBuffer request = ByteBuffer.allocateDirect(8192);
    private volatile boolean closed;

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
        Answer answer = WarmUpAnswers.to(path());
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

    /** Only the serving thread touches keys and channels: a key that another thread cancels fails under its hands. */
    @Override
    public void close() {
        closed = true;
        selector.wakeup();
    }
}
