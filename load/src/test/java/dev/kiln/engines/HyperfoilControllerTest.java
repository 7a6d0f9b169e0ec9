package dev.kiln.engines;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.sun.net.httpserver.HttpServer;
import dev.kiln.Mutations;
import dev.kiln.engines.HyperfoilController.Unanswered;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A controller that is lost in the midst of an answer: the connection stays, and nothing comes. */
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HyperfoilControllerTest {
    private static final String BEGUN =
            "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{\"version\"";

    @TempDir
    Path dir;

    private final List<Socket> kept = new CopyOnWriteArrayList<>();
    private final ServerSocket server;
    private final HyperfoilController controller;

    HyperfoilControllerTest() throws IOException {
        server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        controller =
                new HyperfoilController(URI.create("http://127.0.0.1:" + server.getLocalPort()), Duration.ofSeconds(1));
        Thread.ofVirtual().start(this::serve);
    }

    private void serve() {
        try {
            while (true) {
                Socket socket = server.accept();
                kept.add(socket);
                socket.getOutputStream().write(BEGUN.getBytes(StandardCharsets.US_ASCII));
            }
        } catch (IOException e) {
            // The test is over.
        }
    }

    /** What is at that address may be anything. */
    @Test
    void noAnswerIsTooMuch() throws IOException {
        String sample =
                "{\"version\": \"0.29.1\", \"id\": \"0001\", \"phases\": [{\"name\": \"load\", \"status\": \"RUNNING\"}]}";
        byte[][] body = {new byte[0]};
        HttpServer rest = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        rest.createContext("/", exchange -> {
            exchange.sendResponseHeaders(200, body[0].length == 0 ? -1 : body[0].length);
            exchange.getResponseBody().write(body[0]);
            exchange.close();
        });
        rest.start();
        URI url = URI.create("http://127.0.0.1:" + rest.getAddress().getPort());
        try (HyperfoilController other = new HyperfoilController(url, Duration.ofSeconds(10))) {
            Mutations.of(sample.getBytes(StandardCharsets.UTF_8), Mutations.some(1_000), bytes -> {
                body[0] = bytes;
                try {
                    assertThat(other.version()).isNotEmpty();
                    assertThat(other.run("1")).isNotNull();
                    assertThat(other.agentCpu("1")).isNotNull();
                } catch (Unanswered e) {
                    assertThat(e.getMessage()).isNotEmpty();
                }
            });
        } finally {
            rest.stop(0);
        }
    }

    @Test
    void anIdWithAnythingInItIsOneOfARun() throws Exception {
        List<String> asked = new CopyOnWriteArrayList<>();
        HttpServer rest = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        rest.createContext("/", exchange -> {
            asked.add(exchange.getRequestURI().getRawPath());
            boolean start = exchange.getRequestURI().getPath().endsWith("/start");
            byte[] body = (start ? "{\"id\": \"0/1 \\n\"}" : "{}").getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(start ? 202 : 200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        rest.start();
        URI url = URI.create("http://127.0.0.1:" + rest.getAddress().getPort());
        try (HyperfoilController other = new HyperfoilController(url, Duration.ofSeconds(10))) {
            String id = other.start("b", "", Map.of());
            assertThat(other.run(id)).isNotNull();
            assertThat(other.recent(id)).isEqualTo("{}");
            assertThat(other.agentCpu(id)).isEmpty();
        } finally {
            rest.stop(0);
        }
        assertThat(asked)
                .containsExactly(
                        "/benchmark/b/start",
                        "/run/0%2F1%20%0A",
                        "/run/0%2F1%20%0A/stats/recent",
                        "/run/0%2F1%20%0A/agentCpu");
    }

    /** It would fill the disk as long as it goes on, and again each time that it is asked for. */
    @Test
    void figuresWithoutAnEndAreNone() throws Exception {
        HttpServer rest = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        rest.createContext("/", exchange -> {
            exchange.sendResponseHeaders(200, 0);
            byte[] some = new byte[1 << 20];
            try (OutputStream out = exchange.getResponseBody()) {
                while (true) {
                    out.write(some);
                }
            }
        });
        rest.start();
        URI url = URI.create("http://127.0.0.1:" + rest.getAddress().getPort());
        Path file = dir.resolve("all.json");
        try (HyperfoilController other = new HyperfoilController(url, Duration.ofSeconds(10))) {
            assertThat(catchThrowableOfType(Unanswered.class, () -> other.all("0000", file)))
                    .hasMessage("its answer exceeds 256 MB")
                    .matches(Unanswered::lasting, "is not asked for again");
            assertThat(catchThrowableOfType(Unanswered.class, other::version))
                    .hasMessage("its answer exceeds 16 MB")
                    .matches(Unanswered::lasting, "is not asked for again");
        } finally {
            rest.stop(0);
        }
        assertThat(file.toFile().length()).isLessThanOrEqualTo(256 << 20);
    }

    @AfterEach
    void close() throws IOException {
        controller.close();
        server.close();
        for (Socket socket : kept) {
            socket.close();
        }
    }

    @Test
    void anAnswerThatStopsInItsMidstIsNone() {
        assertThat(catchThrowableOfType(Unanswered.class, controller::version))
                .hasMessage("no complete answer within 1 s");
        assertThat(catchThrowableOfType(Unanswered.class, () -> controller.all("0000", dir.resolve("all.json"))))
                .hasMessage("no complete answer within 1 s");
    }
}
