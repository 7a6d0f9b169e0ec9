package dev.kiln.load.driver;

import static dev.kiln.load.driver.LoadKit.call;
import static dev.kiln.load.driver.LoadKit.closed;
import static dev.kiln.load.driver.LoadKit.loadUntil;
import static dev.kiln.load.driver.LoadKit.open;
import static dev.kiln.load.driver.LoadKit.pause;
import static dev.kiln.load.driver.LoadKit.phase;
import static dev.kiln.load.driver.LoadKit.timingOut;
import static dev.kiln.load.driver.ScriptedServer.OK;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kiln.evidence.LatencyLog;
import dev.kiln.evidence.LoadFile;
import dev.kiln.load.LoadSession;
import dev.kiln.load.PhaseResult;
import dev.kiln.model.experiment.Protocol.Phase;
import dev.kiln.model.load.Latency.LatencyInterval;
import dev.kiln.model.load.LoadBin;
import dev.kiln.model.load.LoadBin.Errors;
import dev.kiln.model.load.LoadSpec;
import dev.kiln.model.load.LoadSpec.HttpCall;
import dev.kiln.model.load.Shape;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/** What is sent, when, and over which connections. */
class LoadLoopsIT extends DrivenLoad {
    private PhaseResult load(ScriptedServer server, LoadSpec spec) throws Exception {
        try (LoadSession session = driver.open(spec, run)) {
            return loadUntil(session, () -> server.requests.get() >= 40);
        }
    }

    private PhaseResult load(LoadSpec spec) {
        try (LoadSession session = driver.open(spec, run)) {
            return session.load(phase("load", 300), tick -> {});
        }
    }

    private static void assertClean(PhaseResult r) {
        assertThat(r.requests().errors()).isEqualTo(Errors.NONE);
        assertThat(r.requests().completed()).isPositive();
        assertThat(r.requests().started())
                .isEqualTo(r.requests().completed() + r.requests().unfinished());
    }

    @Test
    void requestsArriveAsTheyWereAskedFor() throws Exception {
        try (ScriptedServer server = new ScriptedServer(e -> {
            seen.add(e.request());
            e.send(OK);
        })) {
            HttpCall post = new HttpCall(
                    "POST",
                    server.url("/a%20b?c=d&e"),
                    Map.of("Content-Type", "text/plain", "X-Kiln", "1"),
                    Optional.of("grüß dich"),
                    1,
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty());
            assertClean(load(server, closed(1, post)));
            assertThat(seen.peek())
                    .isEqualTo(
                            "POST /a%20b?c=d&e HTTP/1.1\r\nContent-Length: 11\r\nContent-Type: text/plain\r\nHost: 127.0.0.1:"
                                    + server.port() + "\r\nX-Kiln: 1\r\n\r\ngrüß dich");
        }
    }

    /** However slow the machine is. */
    private static void await(BooleanSupplier condition) throws InterruptedException {
        while (!condition.getAsBoolean()) {
            Thread.sleep(2);
        }
    }

    private PhaseResult load(LoadSpec spec, int millis, Shape shape) {
        try (LoadSession session = driver.open(spec, run)) {
            return session.load(
                    new Phase.Load(
                            "load", Duration.ofMillis(millis), Optional.empty(), Optional.of(shape), Optional.empty()),
                    tick -> {});
        }
    }

    @Test
    void aRampOfTheRateSendsWhatItAsksFor() throws Exception {
        try (ScriptedServer server = new ScriptedServer(e -> e.send(OK))) {
            PhaseResult r = load(open(1, 20, server.url("/")), 1000, Shape.ramp(Shape.Of.RATE, 0, 400));
            assertThat(due(r)).isEqualTo(200);
            await(() -> server.requests.get() == r.requests().started());
        }
    }

    /** The server never answers, so each connection that is opened sends one request. */
    @Test
    void aRampOfConnectionsOpensOneAfterTheOther() throws Exception {
        try (ScriptedServer server = new ScriptedServer(e -> {})) {
            PhaseResult r = load(closed(40, server.url("/")), 500, Shape.ramp(Shape.Of.CONNECTIONS, 0, 20));
            assertThat(r.requests().started()).isBetween(1L, 20L);
            assertThat(r.requests().unfinished()).isEqualTo(r.requests().started());
        }
    }

    @Test
    void connectionsThatARampTakesAwayAreClosed() throws Exception {
        try (ScriptedServer server = new ScriptedServer(e -> e.send(OK));
                LoadSession session = driver.open(closed(10, server.url("/")), run)) {
            session.load(phase("all", 200), tick -> {});
            await(() -> server.open() == 10);
            session.load(
                    new Phase.Load(
                            "fewer",
                            Duration.ofMillis(500),
                            Optional.empty(),
                            Optional.of(Shape.ramp(Shape.Of.CONNECTIONS, 10, 2)),
                            Optional.empty()),
                    tick -> {});
            await(() -> server.open() <= 3);
            session.load(phase("all-again", 200), tick -> {});
            await(() -> server.open() == 10);
        }
    }

    @Test
    void weightsGiveASmoothAndRepeatableOrder() throws Exception {
        try (ScriptedServer server = new ScriptedServer(e -> {
            seen.add(e.path());
            e.send(OK);
        })) {
            assertClean(load(
                    server,
                    closed(
                            1,
                            call("GET", server.url("/a"), 5),
                            call("GET", server.url("/b"), 1),
                            call("GET", server.url("/c"), 1))));
            assertThat(seen.stream().limit(14))
                    .isEqualTo(List.of(
                            "/a", "/a", "/b", "/a", "/c", "/a", "/a", "/a", "/a", "/b", "/a", "/c", "/a", "/a"));
        }
    }

    @Test
    void allShapesOfAnswersAreUnderstood() throws Exception {
        Map<String, String> shapes = Map.of(
                "/length", OK,
                "/chunked",
                        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2;x=y\r\nok\r\n0\r\nTrailer: x\r\n\r\n",
                "/empty", "HTTP/1.1 204 No Content\r\n\r\n",
                "/created", "HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n",
                "/early", "HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n" + OK,
                "/big", "HTTP/1.1 200 OK\r\nContent-Length: 300000\r\n\r\n" + "x".repeat(300_000),
                "/lower", "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok");
        try (ScriptedServer server = new ScriptedServer(e -> e.send(shapes.getOrDefault(e.path(), "")))) {
            HttpCall[] calls = shapes.keySet().stream()
                    .map(path -> call("GET", server.url(path), 1))
                    .toArray(HttpCall[]::new);
            PhaseResult r = load(server, closed(2, calls));
            assertClean(r);
            assertThat(r.requests().completed()).isGreaterThan(calls.length);
            assertThat(server.connections.get())
                    .as("none needs a new connection")
                    .isEqualTo(2);
        }
    }

    @Test
    void answersToHeadHaveNoBody() throws Exception {
        try (ScriptedServer server = new ScriptedServer(e -> e.send("HTTP/1.1 200 OK\r\nContent-Length: 12\r\n\r\n"))) {
            assertClean(load(server, closed(1, call("HEAD", server.url("/"), 1))));
        }
    }

    @Test
    void answersInSmallPiecesAreWhole() throws Exception {
        try (ScriptedServer server = new ScriptedServer(e -> {
            for (int i = 0; i < OK.length(); i++) {
                e.send(OK.substring(i, i + 1));
            }
        })) {
            assertClean(load(server, closed(2, server.url("/"))));
        }
    }

    @Test
    void anAnnouncedCloseIsNoError() throws Exception {
        try (ScriptedServer server = new ScriptedServer(e -> {
            e.send("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok");
            e.close();
        })) {
            PhaseResult r = load(server, closed(2, server.url("/")));
            assertClean(r);
            assertThat(r.requests().resent()).isZero();
            assertThat((long) server.connections.get())
                    .isGreaterThanOrEqualTo(r.requests().completed());
        }
    }

    @Test
    void anAnnouncedCloseThatTheServerLeavesToUsIsNoError() throws Exception {
        try (ScriptedServer server = new ScriptedServer(
                e -> e.send("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok"))) {
            assertClean(load(server, closed(2, server.url("/"))));
        }
    }

    @Test
    void aBodyThatEndsWithTheConnectionIsNoError() throws Exception {
        try (ScriptedServer server = new ScriptedServer(e -> {
            e.send("HTTP/1.0 200 OK\r\n\r\nuntil the end");
            e.close();
        })) {
            assertClean(load(server, closed(2, server.url("/"))));
        }
    }

    @Test
    void aCloseBetweenRequestsIsNoErrorEvenIfTheNextRequestCrossesIt() throws Exception {
        try (ScriptedServer server = new ScriptedServer(e -> {
            e.send(OK);
            if (e.number() == 10) {
                e.close();
            }
        })) {
            PhaseResult r = load(server, closed(4, server.url("/")));
            assertClean(r);
            assertThat(server.connections.get()).isGreaterThanOrEqualTo(4);
        }
    }

    @Test
    void connectionsStayOpenOverAPauseAndMayBeClosedInIt() throws Exception {
        try (ScriptedServer server = new ScriptedServer(e -> e.send(OK));
                LoadSession session = driver.open(closed(3, server.url("/")), run)) {
            assertClean(session.load(phase("first", 200), tick -> {}));
            session.pause(pause(50));
            assertClean(session.load(phase("second", 200), tick -> {}));
            assertThat(server.connections.get()).isEqualTo(3);
            session.pause(pause(50));
            server.closeConnections();
            session.pause(pause(200));
            assertClean(session.load(phase("third", 200), tick -> {}));
            assertThat(server.connections.get()).isEqualTo(6);
        }
    }

    /** A server that stands still until then. */
    private static ScriptedServer answeringFrom(CountDownLatch release) throws IOException {
        return new ScriptedServer(e -> {
            try {
                release.await();
            } catch (InterruptedException interrupt) {
                Thread.currentThread().interrupt();
            }
            e.send(OK);
        });
    }

    /** Those that an open loop had to send until its end, in time or not. */
    private static long due(PhaseResult r) {
        return r.requests().started() + r.requests().unsent();
    }

    @Test
    void requestsInFlightAtTheEndAreNeitherCompletedNorFailed() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        try (ScriptedServer server = answeringFrom(release);
                LoadSession session = driver.open(closed(3, server.url("/")), run)) {
            PhaseResult first = session.load(phase("first", 100), tick -> {});
            assertThat(first.requests().started()).isEqualTo(3);
            assertThat(first.requests().unfinished()).isEqualTo(3);
            assertThat(first.requests().completed() + first.requests().errors().total())
                    .isZero();
            release.countDown();
            session.pause(pause(100));
            PhaseResult second = session.load(phase("second", 200), tick -> {});
            assertClean(second);
            assertThat(server.connections.get())
                    .as("the late answers leave the connections usable")
                    .isEqualTo(3);
            List<LoadBin> bins = LoadFile.read(run.resolve("load.csv")).bins();
            assertThat(bins.getFirst().started()).isEqualTo(3);
            assertThat(bins.getFirst().backlog()).isEqualTo(3);
        }
    }

    @Test
    void aTargetThatComesBackIsFoundAgain() throws Exception {
        ScriptedServer before = new ScriptedServer(e -> e.send(OK));
        try (LoadSession session = driver.open(closed(3, before.url("/")), run)) {
            assertClean(session.load(phase("before", 200), tick -> {}));
            before.close();
            PhaseResult dead = session.load(phase("dead", 200), tick -> {});
            assertThat(dead.requests().completed()).isZero();
            assertThat(dead.requests().errors().refused()).isPositive();
            try (ScriptedServer after = new ScriptedServer(before.port(), e -> e.send(OK))) {
                assertClean(session.load(phase("after", 200), tick -> {}));
                assertThat(after.requests.get()).isPositive();
            }
        }
    }

    @Test
    void theOpenLoopSendsAsManyAsAreDue() throws Exception {
        try (ScriptedServer server = new ScriptedServer(e -> e.send(OK))) {
            PhaseResult r = load(open(200, 8, server.url("/")));
            assertThat(r.requests().errors()).isEqualTo(Errors.NONE);
            assertThat(due(r)).as("0.3 s at 200/s, the first one at once").isEqualTo(60);
        }
    }

    @Test
    void theOpenLoopCountsLatencyFromTheIntendedStart() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        try (ScriptedServer server = answeringFrom(release);
                LoadSession session = driver.open(open(100, 1, server.url("/")), run)) {
            // The server stands still for the first second: what was due then waits for the only connection.
            PhaseResult r = session.load(phase("stall", 2000), tick -> release.countDown());
            assertThat(r.requests().errors()).isEqualTo(Errors.NONE);
            assertThat(due(r)).isEqualTo(200);
        }
        List<LoadBin> bins = LoadFile.read(run.resolve("load.csv")).bins();
        assertThat(bins.get(0).started()).isEqualTo(1);
        assertThat(bins.get(9).backlog()).as("one in flight, 99 due").isBetween(100L, 101L);
        List<LatencyInterval> seconds = LatencyLog.read(run.resolve("latency.hlog"), Long.MAX_VALUE)
                .latencies()
                .seconds();
        assertThat(seconds.get(0).count()).isZero();
        assertThat(seconds.get(1).count()).as("caught up in the second after").isGreaterThan(2);
        assertThat(seconds.get(1).maxNanos()).isGreaterThan(990_000_000L);
        assertThat(seconds.get(1).p99Nanos())
                .as("those that waited for the connection count their wait")
                .isGreaterThan(900_000_000L);
    }

    @Test
    void theOpenLoopSurvivesTimeouts() throws Exception {
        try (ScriptedServer server = new ScriptedServer(e -> {})) {
            PhaseResult r = load(timingOut(open(100, 2, server.url("/")), 40));
            assertThat(r.requests().errors().timeout()).isPositive();
            assertThat(due(r)).isEqualTo(30);
            assertThat(r.requests().started())
                    .isEqualTo(r.requests().errors().timeout() + r.requests().unfinished());
        }
    }

    @Test
    void anIpv6AddressWorks() throws IOException {
        assumeTrue(hasIpv6());
        try (ServerSocket listener = new ServerSocket(0, 8, InetAddress.ofLiteral("::1"))) {
            Thread.ofVirtual().start(() -> {
                try (Socket socket = listener.accept()) {
                    seen.add(new String(socket.getInputStream().readNBytes(30), StandardCharsets.UTF_8));
                    socket.getOutputStream().write(OK.getBytes(StandardCharsets.UTF_8));
                    socket.getInputStream().readNBytes(1000);
                } catch (IOException e) {
                    seen.add(e.toString());
                }
            });
            PhaseResult r = load(closed(1, URI.create("http://[::1]:" + listener.getLocalPort() + "/x")));
            assertThat(r.requests().completed()).isEqualTo(1);
            assertThat(seen.peek()).startsWith("GET /x HTTP/1.1\r\nHost: [::1]:");
        }
    }

    private static boolean hasIpv6() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.ofLiteral("::1"))) {
            return socket.isBound();
        } catch (IOException e) {
            return false;
        }
    }
}
