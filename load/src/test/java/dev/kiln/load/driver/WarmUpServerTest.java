package dev.kiln.load.driver;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;

class WarmUpServerTest {
    private static final byte[] REQUEST = "GET /small HTTP/1.1\r\nHost: a\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    /** A thread that dies of an exception ends the driver, and with it the experiment. */
    @Test
    void closingItUnderLoadKillsNoThread() throws Exception {
        Queue<Throwable> deaths = new ConcurrentLinkedQueue<>();
        Thread.setDefaultUncaughtExceptionHandler((thread, death) -> deaths.add(death));
        try {
            for (int round = 0; round < 150; round++) {
                try (WarmUpServer server = new WarmUpServer(false)) {
                    List<Socket> clients = clients(server.port());
                    for (Socket client : clients) {
                        client.getOutputStream().write(REQUEST);
                    }
                    for (Socket client : clients) {
                        client.close();
                    }
                }
            }
        } finally {
            Thread.setDefaultUncaughtExceptionHandler(null);
        }
        assertThat(deaths).isEmpty();
    }

    @Test
    void itsPortIsFreeSoonAfterItIsClosed() throws Exception {
        WarmUpServer server = new WarmUpServer(false);
        int port = server.port();
        server.close();
        assertThat(refuses(port)).isTrue();
    }

    private static boolean refuses(int port) throws InterruptedException {
        for (int look = 0; look < 500; look++) {
            try {
                new Socket(InetAddress.getLoopbackAddress(), port).close();
                Thread.sleep(10);
            } catch (IOException refused) {
                return true;
            }
        }
        return false;
    }

    private static List<Socket> clients(int port) throws IOException {
        List<Socket> clients = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            clients.add(new Socket(InetAddress.getLoopbackAddress(), port));
        }
        return clients;
    }
}
