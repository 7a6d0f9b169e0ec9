package dev.kiln.load.driver;

import static dev.kiln.load.driver.LoadKit.call;
import static dev.kiln.load.driver.LoadKit.closed;
import static dev.kiln.load.driver.LoadKit.containing;
import static dev.kiln.load.driver.LoadKit.open;
import static dev.kiln.load.driver.LoadKit.overHttp2;
import static dev.kiln.load.driver.LoadKit.phase;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.evidence.LatencyLog;
import dev.kiln.load.LoadSession;
import dev.kiln.load.LoadSession.Probe;
import dev.kiln.load.PhaseResult;
import dev.kiln.load.driver.Http2Server.Exchange;
import dev.kiln.model.experiment.Protocol.Phase;
import dev.kiln.model.load.LoadBin.Errors;
import dev.kiln.model.load.LoadSpec;
import dev.kiln.model.load.LoadSpec.HttpCall;
import dev.kiln.model.load.LoadSpec.Variables;
import dev.kiln.model.load.Shape;
import dev.kiln.model.load.VariedText;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.Http2Settings;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Load over HTTP/2, from a real server that answers well. */
class Http2Test extends Http2Load {
    @Test
    void requestsArriveAsTheyWereAskedFor() throws Exception {
        try (Http2Server server = new Http2Server(e -> {
            TreeMap<String, String> headers = new TreeMap<>();
            e.headers()
                    .forEach(header -> headers.put(
                            header.getKey().toString(), header.getValue().toString()));
            seen.add(headers + " " + e.body());
            e.ok();
        })) {
            HttpCall post = new HttpCall(
                    "POST",
                    server.url("/a%20b?c=d&e"),
                    Map.of("Content-Type", "text/plain", "X-Kiln", "1", "Connection", "keep-alive"),
                    Optional.of("grüß dich"),
                    1,
                    Optional.of("ok"),
                    Optional.empty(),
                    Optional.empty());
            assertClean(load(server, overHttp2(closed(1, post), 1), 40), server);
            assertThat(seen.peek())
                    .isEqualTo("{:authority=127.0.0.1:" + server.port()
                            + ", :method=POST, :path=/a%20b?c=d&e, :scheme=http, content-length=11,"
                            + " content-type=text/plain, x-kiln=1} grüß dich");
        }
    }

    @Test
    void requestsThatDifferArriveAsTheyDiffer() throws Exception {
        try (Http2Server server = new Http2Server(e -> {
            seen.add(e.path() + " " + e.headers().get("x-id") + " "
                    + e.headers().get("content-length") + " " + e.body());
            e.ok();
        })) {
            HttpCall post = new HttpCall(
                    "POST",
                    URI.create(VariedText.inUrl(server.url("/items/") + "${sequence}")),
                    Map.of("X-Id", "n${sequence}"),
                    Optional.of("grüß ${sequence}"),
                    1,
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty());
            LoadSpec varied = overHttp2(closed(1, post), 1).with(new Variables(1, Optional.empty()));
            assertClean(load(server, varied, 40), server);
            assertThat(seen.stream().limit(3))
                    .containsExactly("/items/1 n1 8 grüß 1", "/items/2 n2 8 grüß 2", "/items/3 n3 8 grüß 3");
        }
    }

    @Test
    void aRampOfConnectionsOpensOneAfterTheOther() throws Exception {
        try (Http2Server server = new Http2Server(e -> {});
                LoadSession session = driver.open(overHttp2(closed(10, server.url("/")), 5), run)) {
            PhaseResult r = session.load(
                    new Phase.Load(
                            "ramp",
                            Duration.ofMillis(300),
                            Optional.empty(),
                            Optional.of(Shape.ramp(Shape.Of.CONNECTIONS, 0, 4)),
                            Optional.empty()),
                    tick -> {});
            assertThat(r.requests().started()).isBetween(5L, 20L);
            assertThat(r.requests().started() % 5)
                    .as("all streams of a connection")
                    .isEqualTo(0);
        }
    }

    @Test
    void eachConnectionHasAsManyRequestsInFlightAsStreams() throws Exception {
        List<Exchange> held = new ArrayList<>();
        try (Http2Server server = new Http2Server(e -> {
            // Nobody is answered before 2 times 10 requests are here: fewer at a time would never get there.
            held.add(e);
            if (held.size() == 20) {
                held.forEach(Exchange::ok);
                held.clear();
            }
        })) {
            PhaseResult r = load(server, 2, 10);
            assertClean(r, server);
            assertThat(r.requests().unfinished()).isEqualTo(20);
            assertThat(server.connections.get()).isEqualTo(2);
        }
    }

    @Test
    void allShapesOfAnswersAreUnderstood() throws Exception {
        try (Http2Server server = new Http2Server(e -> {
            switch (e.path()) {
                case "/empty" -> e.head(204, true);
                case "/hint" -> {
                    e.head(103, false);
                    e.ok();
                }
                case "/trailers" -> {
                    e.head(200, false);
                    e.data("ok", false);
                    e.trailers();
                }
                // More than a stream's window: it must be opened again meanwhile.
                case "/big" -> {
                    e.head(200, false);
                    e.data(Unpooled.wrappedBuffer(new byte[3 << 20]), true);
                }
                default -> e.ok();
            }
        })) {
            HttpCall[] calls = List.of("/empty", "/hint", "/trailers", "/big", "/").stream()
                    .map(path -> call("GET", server.url(path), 1))
                    .toArray(HttpCall[]::new);
            PhaseResult r = load(server, overHttp2(closed(1, calls), 3), 60);
            assertClean(r, server);
            assertThat(r.requests().completed()).isGreaterThan(20);
            assertThat(server.connections.get()).isEqualTo(1);
        }
    }

    @Test
    void answersToHeadHaveNoBody() throws Exception {
        try (Http2Server server = new Http2Server(e -> e.head(200, true))) {
            assertClean(load(server, overHttp2(closed(1, call("HEAD", server.url("/"), 1)), 2), 40), server);
        }
    }

    @Test
    void anExpectedTextIsFoundAcrossFrames() throws Exception {
        try (Http2Server server = new Http2Server(Exchange::ok)) {
            assertClean(load(server, overHttp2(closed(1, containing(server.url("/"), "ok")), 4), 40), server);
        }
    }

    @Test
    void theServersLimitOfStreamsIsKept() throws Exception {
        AtomicInteger most = new AtomicInteger();
        List<Exchange> held = new ArrayList<>();
        try (Http2Server server = new Http2Server(new Http2Settings().maxConcurrentStreams(2), Optional.empty(), e -> {
            held.add(e);
            most.accumulateAndGet(held.size(), Math::max);
            if (held.size() == 2) {
                List<Exchange> now = List.copyOf(held);
                held.clear();
                now.forEach(Exchange::ok);
            }
        })) {
            PhaseResult r = load(server, 1, 8);
            assertClean(r, server);
            assertThat(most.get()).isEqualTo(2);
            assertThat(server.cancelled.get()).isZero();
            assertThat(server.connections.get()).isEqualTo(1);
            assertThat(r.requests().unfinished()).as("waiting or in flight").isEqualTo(8);
            assertThat(r.warnings())
                    .containsExactly("the server allows 2 streams at a time on a connection, and 8 were asked for:"
                            + " the other requests waited");
        }
    }

    @Test
    void whatWaitsForAStreamCountsFromTheIntendedStart() throws Exception {
        List<Exchange> held = new ArrayList<>();
        AtomicInteger released = new AtomicInteger();
        try (Http2Server server = new Http2Server(new Http2Settings().maxConcurrentStreams(1), Optional.empty(), e -> {
                    if (released.get() == 0) {
                        held.add(e);
                    } else {
                        e.ok();
                    }
                });
                LoadSession session = driver.open(overHttp2(open(100, 1, server.url("/")), 500), run)) {
            // The server stands still for the first second: what was due then waits for the only stream.
            PhaseResult r = session.load(phase("stall", 2000), tick -> {
                if (released.getAndIncrement() == 0) {
                    server.later(() -> held.forEach(Exchange::ok));
                }
            });
            assertThat(r.requests().errors()).isEqualTo(Errors.NONE);
            assertThat(r.requests().started() + r.requests().unsent()).isEqualTo(200);
        }
        var seconds = LatencyLog.read(run.resolve("latency.hlog"), Long.MAX_VALUE)
                .latencies()
                .seconds();
        assertThat(seconds.get(0).count()).isZero();
        assertThat(seconds.get(1).count()).as("caught up in the second after").isGreaterThan(2);
        assertThat(seconds.get(1).p99Nanos())
                .as("those that waited for the stream count their wait")
                .isGreaterThan(900_000_000L);
    }

    @Test
    void connectionsServeTheNextPhase() throws Exception {
        try (Http2Server server = new Http2Server(Exchange::ok);
                LoadSession session = driver.open(overHttp2(closed(3, server.url("/")), 5), run)) {
            assertThat(session.load(phase("first", 200), tick -> {}).requests().completed())
                    .isPositive();
            session.pause(LoadKit.pause(50));
            PhaseResult second = session.load(phase("second", 200), tick -> {});
            assertThat(second.requests().errors()).isEqualTo(Errors.NONE);
            assertThat(second.requests().completed()).isPositive();
            assertThat(server.connections.get()).isEqualTo(3);
        }
    }

    @Test
    void theProbeSpeaksTheProtocolOfTheLoad() throws Exception {
        try (Http2Server server = new Http2Server(e -> e.head(e.connection() < 3 ? 503 : 200, true));
                LoadSession session = driver.open(overHttp2(closed(1, server.url("/")), 5), run)) {
            Probe probe = session.awaitFirstResponse(Duration.ofSeconds(60), () -> true);
            assertThat(probe).isInstanceOf(Probe.Answered.class);
            assertThat(probe.attempts()).isEqualTo(3);
            assertThat(server.connections.get()).isEqualTo(3);
        }
    }
}
