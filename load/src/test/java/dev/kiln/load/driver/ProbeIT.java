package dev.kiln.load.driver;

import static dev.kiln.load.driver.LoadKit.closed;
import static dev.kiln.load.driver.LoadKit.timingOut;
import static dev.kiln.load.driver.ScriptedServer.OK;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.Mutations;
import dev.kiln.load.LoadSession;
import dev.kiln.load.LoadSession.Probe;
import dev.kiln.load.PhaseResult;
import dev.kiln.load.driver.ScriptedServer.Exchange;
import dev.kiln.model.load.LoadSpec;
import dev.kiln.model.load.LoadSpec.HttpCall;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class ProbeIT extends DrivenLoad {
    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    /** What a probe that gives up after a while saw last. */
    private String lastSeen(LoadSpec spec) {
        try (LoadSession session = driver.open(spec, run)) {
            Probe probe = session.awaitFirstResponse(Duration.ofMillis(300), () -> true);
            assertThat(probe.attempts()).isPositive();
            assertThat(probe).isInstanceOf(Probe.NoAnswer.class);
            return ((Probe.NoAnswer) probe).last().words();
        }
    }

    private String lastSeen(ScriptedServer.Script script) throws IOException {
        try (ScriptedServer server = new ScriptedServer(script)) {
            return lastSeen(timingOut(closed(1, server.url("/")), 100));
        }
    }

    @Test
    void whatWasSeenIsToldInWords() throws IOException {
        assertThat(lastSeen(closed(1, URI.create("http://127.0.0.1:" + freePort() + "/"))))
                .isEqualTo("connection refused");
        assertThat(lastSeen(e -> e.send("HTTP/1.1 500 Oops\r\nContent-Length: 0\r\n\r\n")))
                .isEqualTo("status 500");
        assertThat(lastSeen(e -> e.send("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")))
                .isEqualTo("status 404");
        assertThat(lastSeen(e -> {})).isEqualTo("no answer within 0.3 s");
        assertThat(lastSeen(ScriptedServer.Exchange::reset)).isEqualTo("connection reset");
        assertThat(lastSeen(ScriptedServer.Exchange::close)).isEqualTo("connection closed without an answer");
        assertThat(lastSeen(e -> e.send("SSH-2.0-kiln\r\n\r\n"))).isEqualTo("an answer that is not HTTP");
    }

    @Test
    void aTargetThatComesUpLateAndAnswersBadlyFirstIsFound() throws Exception {
        int port = freePort();
        AtomicInteger requests = new AtomicInteger();
        try (LoadSession session = driver.open(closed(1, URI.create("http://127.0.0.1:" + port + "/")), run)) {
            AtomicInteger looks = new AtomicInteger();
            ScriptedServer[] server = new ScriptedServer[1];
            long before = System.nanoTime();
            // The target comes up while it is being waited for.
            Probe probe = session.awaitFirstResponse(LoadKit.LONG, () -> {
                if (looks.incrementAndGet() == 5) {
                    try {
                        server[0] = new ScriptedServer(port, e -> {
                            e.send(requests.incrementAndGet() < 4 ? "HTTP/1.1 503 x\r\nContent-Length: 0\r\n\r\n" : OK);
                        });
                    } catch (IOException e) {
                        return false;
                    }
                }
                return true;
            });
            try (ScriptedServer up = server[0]) {
                assertThat(probe).isInstanceOfSatisfying(Probe.Answered.class, answered -> {
                    assertThat(answered.nanoTime()).isBetween(before, System.nanoTime());
                    assertThat(answered.attempts()).isGreaterThan(4);
                });
                assertThat(requests.get()).as("it stops at the first success").isEqualTo(4);
                assertThat(up.connections.get())
                        .as("a connection for each attempt")
                        .isEqualTo(4);
            }
        }
    }

    /** A service may do much of its start in its first response. Were it asked anew, it would come later. */
    @Test
    void aSlowFirstAnswerIsWaitedForWhileOthersAreAskedBesideIt() throws IOException {
        AtomicReference<Exchange> first = new AtomicReference<>();
        ScriptedServer.Script slow = e -> {
            if (!first.compareAndSet(null, e)) {
                Objects.requireNonNull(first.get()).send(OK);
            }
        };
        try (ScriptedServer server = new ScriptedServer(slow);
                LoadSession session = driver.open(timingOut(closed(1, server.url("/")), 100), run)) {
            Probe probe = session.awaitFirstResponse(LoadKit.LONG, () -> true);

            assertThat(probe)
                    .isInstanceOfSatisfying(
                            Probe.Answered.class,
                            answered -> assertThat(answered.attempts()).isEqualTo(2));
        }
    }

    /** Cookies and policies make headers of more than the usual 8 KB. */
    @Test
    void longHeadersAreHttp() throws IOException {
        String policy = "Content-Security-Policy: " + "x".repeat(100_000) + "\r\n";
        try (ScriptedServer server =
                        new ScriptedServer(e -> e.send("HTTP/1.1 200 OK\r\n" + policy + "Content-Length: 0\r\n\r\n"));
                LoadSession session = driver.open(closed(1, server.url("/")), run)) {
            assertThat(session.awaitFirstResponse(LoadKit.LONG, () -> true)).isInstanceOf(Probe.Answered.class);
        }
    }

    /** Whatever a service answers, it is an answer, or no HTTP, and the driver goes on. */
    @Test
    void noAnswerIsTooMuch() throws Exception {
        String sample = """
                HTTP/1.1 200 OK
                Content-Type: text/plain
                Transfer-Encoding: chunked

                5
                hello
                0

                """.replace("\n", "\r\n");
        BlockingQueue<byte[]> answers = new LinkedBlockingQueue<>();
        Mutations.of(sample.getBytes(StandardCharsets.ISO_8859_1), Mutations.MANY, answers::add);
        ScriptedServer.Script mutated = e -> {
            byte[] answer = answers.poll();
            e.socket().getOutputStream().write(answer == null ? OK.getBytes(StandardCharsets.US_ASCII) : answer);
            e.close();
        };
        try (ScriptedServer server = new ScriptedServer(mutated);
                LoadSession session = driver.open(timingOut(closed(8, server.url("/")), 2_000), run)) {
            PhaseResult result = LoadKit.loadUntil(session, answers::isEmpty);

            assertThat(server.requests.get()).isGreaterThanOrEqualTo(Mutations.MANY);
            assertThat(result.requests().completed()).isPositive();
            assertThat(result.requests().errors().total()).isPositive();
        }
    }

    /** RFC 9110, 8.6: without a length some servers refuse a POST, or wait for its body. */
    @Test
    void aPostWithoutABodyHasALength() throws IOException {
        try (ScriptedServer server = new ScriptedServer(e -> e.send(
                e.request().toLowerCase(Locale.ROOT).contains("\r\ncontent-length: 0\r\n") ? OK : "no length"))) {
            HttpCall post = new HttpCall(
                    "POST",
                    server.url("/"),
                    Map.of(),
                    Optional.empty(),
                    1,
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty());
            LoadSpec spec = new LoadSpec(List.of(post), 1, OptionalDouble.empty(), Duration.ofSeconds(5));
            try (LoadSession session = driver.open(spec, run)) {
                assertThat(session.awaitFirstResponse(Duration.ofSeconds(5), () -> true))
                        .isInstanceOf(Probe.Answered.class);
            }
        }
    }

    @Test
    void waitingEndsWhenTheTargetIsDead() throws IOException {
        AtomicInteger looks = new AtomicInteger();
        LoadSpec spec = closed(1, URI.create("http://127.0.0.1:" + freePort() + "/"));
        try (LoadSession session = driver.open(spec, run)) {
            Probe probe = session.awaitFirstResponse(Duration.ofMinutes(10), () -> looks.incrementAndGet() < 10);
            assertThat(probe).isInstanceOf(Probe.NoAnswer.class);
        }
    }
}
