package dev.kiln.load.driver;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A real server on a real port that does with each request what a test's script says. */
final class ScriptedServer implements AutoCloseable {
    static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

    private static final Pattern LENGTH = Pattern.compile("(?i)\r\ncontent-length: *(\\d+)");

    /** What to do with the n-th request (from 1) of a connection. */
    interface Script {
        void answer(Exchange exchange) throws IOException;
    }

    /** A request, head and body as they came, and the socket it came over. */
    record Exchange(Socket socket, String request, int number) {
        void send(String text) throws IOException {
            socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
        }

        String path() {
            return request.split(" ", 3)[1];
        }

        void close() throws IOException {
            socket.close();
        }

        void reset() throws IOException {
            socket.setSoLinger(true, 0);
            socket.close();
        }
    }

    private final ServerSocket listener;
    private final Thread accepting;
    private final Map<Socket, String> open = new ConcurrentHashMap<>();
    final AtomicInteger connections = new AtomicInteger();
    final AtomicInteger requests = new AtomicInteger();

    ScriptedServer(Script script) throws IOException {
        this(0, script);
    }

    ScriptedServer(int port, Script script) throws IOException {
        this(new ServerSocket(), port, script);
    }

    /** Over TLS, if the socket is of that kind. */
    ScriptedServer(ServerSocket unbound, int port, Script script) throws IOException {
        listener = unbound;
        listener.setReuseAddress(true);
        listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 256);
        accepting = Thread.ofVirtual().start(() -> accept(script));
    }

    /** Connections that the client keeps. */
    int open() {
        return open.size();
    }

    URI url(String path) {
        return URI.create("http://127.0.0.1:" + listener.getLocalPort() + path);
    }

    int port() {
        return listener.getLocalPort();
    }

    private void accept(Script script) {
        try {
            while (true) {
                Socket socket = listener.accept();
                socket.setTcpNoDelay(true);
                connections.incrementAndGet();
                open.put(socket, "");
                Thread.ofVirtual().start(() -> serve(socket, script));
            }
        } catch (IOException e) {
            // Closed: the test is over.
        }
    }

    private void serve(Socket socket, Script script) {
        try (socket) {
            InputStream in = new BufferedInputStream(socket.getInputStream());
            for (int n = 1; !socket.isClosed(); n++) {
                String request = read(in);
                if (request.isEmpty()) {
                    return;
                }
                requests.incrementAndGet();
                script.answer(new Exchange(socket, request, n));
            }
        } catch (IOException e) {
            // The client went away.
        } finally {
            open.remove(socket);
        }
    }

    private static String read(InputStream in) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        while (!bytes.toString(StandardCharsets.ISO_8859_1).endsWith("\r\n\r\n")) {
            int b = in.read();
            if (b < 0) {
                return "";
            }
            bytes.write(b);
        }
        Matcher length = LENGTH.matcher(bytes.toString(StandardCharsets.ISO_8859_1));
        if (length.find()) {
            bytes.write(in.readNBytes(Integer.parseInt(length.group(1))));
        }
        return bytes.toString(StandardCharsets.UTF_8);
    }

    /** Closes all open connections, in good order. */
    void closeConnections() throws IOException {
        for (Socket socket : open.keySet()) {
            socket.close();
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
        try {
            // Until then the port still takes connections.
            accepting.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        closeConnections();
    }
}
