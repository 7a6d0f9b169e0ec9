package dev.kiln.jvm;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** A Conversation is one request and its answer over a UNIX socket, with a deadline. */
final class Conversation {
    private static final int BUFFER = 64 << 10;

    /** Above any answer: up to JDK 24, the JVM's own limit is 10 MB. */
    private static final int LIMIT = 64 << 20;

    private Conversation() {}

    /** Tells whether a process listens there. A JVM that was killed leaves the file of its socket behind. */
    static boolean listens(Path socket, long deadlineNanos) throws IOException {
        try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
                Selector selector = Selector.open()) {
            return connected(channel, selector, socket, deadlineNanos);
        } catch (ConnectException e) {
            return false;
        } catch (SocketException e) {
            // Meanwhile, a JVM that starts has deleted the file that an earlier one left under its pid.
            if (Files.exists(socket)) {
                throw e;
            }
            return false;
        }
    }

    /** Returns the whole answer, up to the end of the connection; empty if the deadline passes before. */
    static Optional<byte[]> hold(Path socket, byte[] request, long deadlineNanos) throws IOException {
        try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
                Selector selector = Selector.open()) {
            if (!connected(channel, selector, socket, deadlineNanos)) {
                return Optional.empty();
            }
            ByteBuffer out = ByteBuffer.wrap(request);
            while (out.hasRemaining()) {
                if (channel.write(out) == 0 && !await(channel, selector, SelectionKey.OP_WRITE, deadlineNanos)) {
                    return Optional.empty();
                }
            }
            return answer(channel, selector, deadlineNanos);
        }
    }

    private static Optional<byte[]> answer(SocketChannel channel, Selector selector, long deadlineNanos)
            throws IOException {
        ByteArrayOutputStream answer = new ByteArrayOutputStream();
        ByteBuffer in = ByteBuffer.allocate(BUFFER);
        while (answer.size() < LIMIT) {
            int read = channel.read(in);
            if (read < 0) {
                return Optional.of(answer.toByteArray());
            }
            answer.write(in.array(), 0, in.position());
            in.clear();
            if (read == 0 && !await(channel, selector, SelectionKey.OP_READ, deadlineNanos)) {
                return Optional.empty();
            }
        }
        throw new IOException("an answer of over " + LIMIT / (1 << 20) + " MB");
    }

    private static boolean connected(SocketChannel channel, Selector selector, Path socket, long deadlineNanos)
            throws IOException {
        channel.configureBlocking(false);
        boolean connected = channel.connect(UnixDomainSocketAddress.of(socket));
        while (!connected) {
            if (!await(channel, selector, SelectionKey.OP_CONNECT, deadlineNanos)) {
                return false;
            }
            connected = channel.finishConnect();
        }
        return true;
    }

    /** Returns false if the deadline has passed or the thread was interrupted. */
    private static boolean await(SocketChannel channel, Selector selector, int what, long deadlineNanos)
            throws IOException {
        long millis = (deadlineNanos - System.nanoTime()) / 1_000_000;
        if (millis <= 0 || Thread.currentThread().isInterrupted()) {
            return false;
        }
        channel.register(selector, what);
        int ready = selector.select(millis);
        selector.selectedKeys().clear();
        return ready > 0;
    }
}
