package dev.kiln.it;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/** What stands in front of several processes as a Service of Kubernetes does: each connection goes to the next of them. */
final class Balancer implements AutoCloseable {
    private final ServerSocket server;
    private final int[] behind;

    private Balancer(ServerSocket server, int... behind) {
        this.server = server;
        this.behind = behind;
    }

    /** @param behind ports of this machine */
    static Balancer before(int... behind) {
        try {
            Balancer balancer = new Balancer(new ServerSocket(0, 100, InetAddress.getLoopbackAddress()), behind);
            daemon(balancer::accept);
            return balancer;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    int port() {
        return server.getLocalPort();
    }

    private static void daemon(Runnable body) {
        Thread.ofPlatform().daemon().name("balancer").start(body);
    }

    private void accept() {
        for (int next = 0; !server.isClosed(); next = (next + 1) % behind.length) {
            try {
                Socket from = server.accept();
                Socket to = new Socket(InetAddress.getLoopbackAddress(), behind[next]);
                from.setTcpNoDelay(true);
                to.setTcpNoDelay(true);
                daemon(() -> copy(from, to));
                daemon(() -> copy(to, from));
            } catch (IOException e) {
                // It was closed, or what is behind it does not listen yet.
            }
        }
    }

    private static void copy(Socket from, Socket to) {
        try (from;
                to) {
            from.getInputStream().transferTo(to.getOutputStream());
        } catch (IOException e) {
            // Either side has closed.
            return;
        }
    }

    @Override
    public void close() {
        try {
            server.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
