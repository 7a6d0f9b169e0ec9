package dev.kiln.load.driver;

import static dev.kiln.load.driver.LoadKit.closed;
import static dev.kiln.load.driver.LoadKit.loadUntil;
import static dev.kiln.load.driver.LoadKit.overHttp2;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.load.LoadSession;
import dev.kiln.load.PhaseResult;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A server that asks on and on, and reads nothing: its answers would be kept until no memory is left. */
class Http2FloodTest extends Http2Load {
    private static final int FRAMES = 1000;

    /** A frame without flags on stream 0: its length, its type, and nothing but zeros. */
    private static byte[] frames(int type, int length) {
        byte[] frames = new byte[FRAMES * (9 + length)];
        for (int i = 0; i < FRAMES; i++) {
            frames[i * (9 + length) + 2] = (byte) length;
            frames[i * (9 + length) + 3] = (byte) type;
        }
        return frames;
    }

    @ParameterizedTest
    @CsvSource({"PING,6,8", "SETTINGS,4,0"})
    void aFloodEndsTheConnection(String name, int type, int length) throws Exception {
        AtomicInteger ended = new AtomicInteger();
        byte[] settings = {0, 0, 0, 4, 0, 0, 0, 0, 0};
        byte[] flood = frames(type, length);
        try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Thread.ofVirtual().start(() -> {
                while (!server.isClosed()) {
                    try (Socket socket = server.accept();
                            OutputStream out = socket.getOutputStream()) {
                        out.write(settings);
                        while (true) {
                            out.write(flood);
                        }
                    } catch (IOException e) {
                        ended.incrementAndGet();
                    }
                }
            });
            URI url = URI.create("http://127.0.0.1:" + server.getLocalPort() + "/");
            try (LoadSession session = driver.open(overHttp2(closed(1, url), 1), run)) {
                PhaseResult r = loadUntil(session, () -> ended.get() > 0);
                assertThat(ended.get()).as(name).isPositive();
                assertThat(r.requests().completed()).isZero();
            }
        }
    }
}
