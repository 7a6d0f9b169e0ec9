package dev.kiln.engines;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/**
 * A GrpcServer answers every call of gRPC, whatever it asks, with an empty message. It speaks as much of HTTP/2 as that takes
 * (RFC 9113, 4 and 6), without TLS, and needs no library.
 */
public final class GrpcServer implements AutoCloseable {
    private static final int PREFACE = 24;
    private static final int DATA = 0;
    private static final int HEADERS = 1;
    private static final int SETTINGS = 4;
    private static final int PING = 6;
    private static final int WINDOW_UPDATE = 8;

    private static final int ACK = 1;
    private static final int END_STREAM = 1;
    private static final int END_HEADERS = 4;

    private static final int OK = 0;
    private static final int INTERNAL = 13;

    private final ServerSocket listener;
    private final Thread acceptor;
    private final int failEvery;
    private final long delayMillis;
    private int calls;

    /**
     * Listens at once.
     *
     * @param failEvery so many calls, the last of them ends with the status INTERNAL; 0 for never
     */
    GrpcServer(int port, int failEvery, long delayMillis) throws IOException {
        listener = new ServerSocket(port, 1000, InetAddress.getLoopbackAddress());
        this.failEvery = failEvery;
        this.delayMillis = delayMillis;
        acceptor = Thread.ofPlatform().name("grpc-accept").start(this::accept);
    }

    /** Runs until it is killed: the port, how often it fails, and how long it takes, in ms. */
    public static void main(String[] args) throws IOException {
        GrpcServer server =
                new GrpcServer(Integer.parseInt(args[0]), Integer.parseInt(args[1]), Long.parseLong(args[2]));
        System.out.println("listening on port " + server.port());
    }

    int port() {
        return listener.getLocalPort();
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket socket = listener.accept();
                Thread.ofPlatform().daemon().start(() -> serve(socket));
            } catch (IOException e) {
                return;
            }
        }
    }

    private void serve(Socket socket) {
        try (socket;
                DataInputStream in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
                OutputStream out = new BufferedOutputStream(socket.getOutputStream())) {
            socket.setTcpNoDelay(true);
            in.readNBytes(PREFACE);
            frame(out, SETTINGS, 0, 0, new byte[0]);
            out.flush();
            while (true) {
                take(in, out);
                if (in.available() == 0) {
                    out.flush();
                }
            }
        } catch (IOException e) {
            // The client has gone.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void take(DataInputStream in, OutputStream out) throws IOException, InterruptedException {
        int length = in.readUnsignedByte() << 16 | in.readUnsignedShort();
        int type = in.readUnsignedByte();
        int flags = in.readUnsignedByte();
        int stream = in.readInt() & Integer.MAX_VALUE;
        byte[] payload = in.readNBytes(length);
        if ((type == SETTINGS || type == PING) && (flags & ACK) == 0) {
            frame(out, type, ACK, 0, type == PING ? payload : new byte[0]);
        }
        if (type == DATA && length > 0) {
            frame(out, WINDOW_UPDATE, 0, 0, new byte[] {0, (byte) (length >> 16), (byte) (length >> 8), (byte) length});
        }
        if ((type == DATA || type == HEADERS) && (flags & END_STREAM) != 0) {
            Thread.sleep(delayMillis);
            answer(out, stream);
        }
    }

    private void answer(OutputStream out, int stream) throws IOException {
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        // By RFC 7541, A: ":status: 200", and the name "content-type" before a value that is no part of the table.
        head.write(new byte[] {(byte) 0x88, 0x0f, 0x10});
        text(head, "application/grpc");
        frame(out, HEADERS, END_HEADERS, stream, head.toByteArray());
        // Not compressed, and no byte long.
        frame(out, DATA, 0, stream, new byte[5]);
        ByteArrayOutputStream trailers = new ByteArrayOutputStream();
        trailers.write(0);
        text(trailers, "grpc-status");
        text(trailers, Integer.toString(status()));
        frame(out, HEADERS, END_HEADERS | END_STREAM, stream, trailers.toByteArray());
    }

    private synchronized int status() {
        calls++;
        return failEvery > 0 && calls % failEvery == 0 ? INTERNAL : OK;
    }

    private static void text(ByteArrayOutputStream into, String text) {
        into.write(text.length());
        into.writeBytes(text.getBytes(StandardCharsets.US_ASCII));
    }

    private static void frame(OutputStream out, int type, int flags, int stream, byte[] payload) throws IOException {
        int length = payload.length;
        out.write(new byte[] {
            (byte) (length >> 16),
            (byte) (length >> 8),
            (byte) length,
            (byte) type,
            (byte) flags,
            (byte) (stream >> 24),
            (byte) (stream >> 16),
            (byte) (stream >> 8),
            (byte) stream
        });
        out.write(payload);
    }

    /** Closes the port and waits for its thread: one that still waits in {@code accept} serves whoever comes before it wakes. */
    @Override
    public void close() throws IOException {
        listener.close();
        try {
            acceptor.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
