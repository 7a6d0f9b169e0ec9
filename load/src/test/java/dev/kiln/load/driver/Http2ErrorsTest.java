package dev.kiln.load.driver;

import static dev.kiln.load.driver.LoadKit.call;
import static dev.kiln.load.driver.LoadKit.closed;
import static dev.kiln.load.driver.LoadKit.containing;
import static dev.kiln.load.driver.LoadKit.loadUntil;
import static dev.kiln.load.driver.LoadKit.overHttp2;
import static dev.kiln.load.driver.LoadKit.phase;
import static dev.kiln.load.driver.LoadKit.timingOut;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.load.LoadSession;
import dev.kiln.load.LoadSession.AttemptResult;
import dev.kiln.load.LoadSession.Probe;
import dev.kiln.load.PhaseResult;
import dev.kiln.load.driver.Http2Server.Exchange;
import dev.kiln.model.load.LoadBin.Errors;
import dev.kiln.model.load.LoadSpec;
import io.netty.handler.codec.http2.Http2Error;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.Test;

/** Load over HTTP/2, from a real server that answers badly, late or not at all. */
class Http2ErrorsTest extends Http2Load {
    /** None ended well, and all of them failed in this way. */
    private static void assertAllFailed(PhaseResult r, ToLongFunction<Errors> way) {
        assertThat(r.requests().completed()).isZero();
        assertThat(way.applyAsLong(r.requests().errors()))
                .isPositive()
                .isEqualTo(r.requests().errors().total());
    }

    /** What was sent again, and how many connections it took. */
    private static void assertSentAgain(PhaseResult r, int requests, Http2Server server, int connections) {
        assertThat(r.requests().resent()).isEqualTo(requests);
        assertThat(server.connections.get()).isEqualTo(connections);
    }

    /** A server that does this with the first five requests of its first connection, and answers all others. */
    private static Http2Server withFive(Consumer<List<Exchange>> first) {
        List<Exchange> held = new ArrayList<>();
        return new Http2Server(e -> {
            if (e.connection() > 1) {
                e.ok();
                return;
            }
            held.add(e);
            if (held.size() == 5) {
                first.accept(held);
            }
        });
    }

    @Test
    void anAnswerWithoutTheTextIsABadBody() throws Exception {
        try (Http2Server server = new Http2Server(Exchange::ok)) {
            PhaseResult r = load(server, overHttp2(closed(1, containing(server.url("/"), "no")), 4), 40);
            assertAllFailed(r, Errors::badBody);
            assertThat(server.connections.get()).isEqualTo(1);
        }
    }

    @Test
    void anotherStatusAndAResetStreamLeaveTheConnection() throws Exception {
        try (Http2Server server = new Http2Server(e -> {
            switch (e.number() % 3) {
                case 0 -> e.head(503, true);
                case 1 -> e.reset(Http2Error.INTERNAL_ERROR);
                default -> e.ok();
            }
        })) {
            PhaseResult r = load(server, 1, 4);
            Errors errors = r.requests().errors();
            assertThat(errors.non2xx()).isPositive();
            assertThat(errors.reset()).isPositive();
            assertThat(errors.total()).isEqualTo(errors.non2xx() + errors.reset());
            assertThat(r.requests().completed()).isPositive();
            assertAccounted(r);
            assertSentAgain(r, 0, server, 1);
        }
    }

    @Test
    void aRefusedStreamIsSentAgainOnceOverANewConnection() throws Exception {
        try (Http2Server server = new Http2Server(e -> {
            if (e.connection() == 1 && e.number() == 6) {
                e.reset(Http2Error.REFUSED_STREAM);
            } else {
                e.ok();
            }
        })) {
            PhaseResult r = load(server, 1, 3);
            assertClean(r, server);
            assertSentAgain(r, 1, server, 2);
        }
    }

    @Test
    void aStreamThatIsRefusedAgainIsLost() throws Exception {
        try (Http2Server server = new Http2Server(e -> e.reset(Http2Error.REFUSED_STREAM))) {
            PhaseResult r = load(server, overHttp2(closed(1, server.url("/")), 2), 8);
            assertAllFailed(r, Errors::reset);
            assertThat(r.requests().resent())
                    .isBetween(r.requests().errors().reset(), r.requests().started());
            assertAccounted(r);
        }
    }

    @Test
    void requestsThatAServerLeftAloneAreSentAgain() throws Exception {
        try (Http2Server server = withFive(held -> {
            Exchange first = held.getFirst();
            first.goAway(first.stream().id());
            first.ok();
        })) {
            PhaseResult r = load(server, 1, 5);
            assertClean(r, server);
            // All but the first.
            assertSentAgain(r, 4, server, 2);
        }
    }

    @Test
    void aGracefulEndOfAConnectionLosesNothing() throws Exception {
        try (Http2Server server = withFive(held -> {
            held.getLast().goAway(Integer.MAX_VALUE);
            held.forEach(Exchange::ok);
        })) {
            PhaseResult r = load(server, 1, 5);
            assertClean(r, server);
            assertSentAgain(r, 0, server, 2);
        }
    }

    @Test
    void requestsThatAServerBeganWithAndDroppedAreReset() throws Exception {
        try (Http2Server server = new Http2Server(e -> {
            if (e.connection() == 1 && e.number() == 5) {
                e.goAway(e.stream().id());
                e.close();
            } else if (e.connection() > 1 || e.number() < 5) {
                e.ok();
            }
        })) {
            PhaseResult r = load(server, 1, 1);
            assertThat(r.requests().errors().reset()).isEqualTo(1);
            assertThat(r.requests().errors().total()).isEqualTo(1);
            assertSentAgain(r, 0, server, 2);
        }
    }

    @Test
    void aCloseWithoutAWordIsThatOfAnIdleConnection() throws Exception {
        try (Http2Server server = new Http2Server(e -> {
            if (e.connection() == 1 && e.number() == 50) {
                e.close();
            } else {
                e.ok();
            }
        })) {
            // Of several streams, those that the server has not read yet would make a reset of its close.
            PhaseResult r = load(server, 1, 1);
            assertClean(r, server);
            assertSentAgain(r, 1, server, 2);
        }
    }

    @Test
    void aTimeoutEndsOnlyItsStream() throws Exception {
        try (Http2Server server = new Http2Server(e -> {
            if (!e.path().equals("/hang")) {
                e.ok();
            }
        })) {
            LoadSpec mixed = closed(1, call("GET", server.url("/"), 1), call("GET", server.url("/hang"), 1));
            try (LoadSession session = driver.open(overHttp2(timingOut(mixed, 300), 4), run)) {
                PhaseResult r = loadUntil(session, () -> server.cancelled.get() >= 8);
                assertThat(r.requests().errors().timeout()).isGreaterThanOrEqualTo(8);
                assertThat(r.requests().errors().total())
                        .isEqualTo(r.requests().errors().timeout());
                assertThat(r.requests().completed()).isPositive();
                assertThat(server.connections.get()).isEqualTo(1);
                assertAccounted(r);
            }
        }
    }

    @Test
    void nobodyThereIsRefused() throws Exception {
        Http2Server gone = new Http2Server(Exchange::ok);
        gone.close();
        try (LoadSession session = driver.open(overHttp2(closed(1, gone.url("/")), 5), run)) {
            PhaseResult r = session.load(phase("load", 200), tick -> {});
            assertAllFailed(r, Errors::refused);
            assertThat(r.requests().errors().refused()).isGreaterThanOrEqualTo(5);
            assertThat(r.warnings()).isEmpty();
        }
    }

    @Test
    void aServerOfHttp1IsTold() throws Exception {
        try (ScriptedServer server =
                new ScriptedServer(e -> e.send("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n"))) {
            LoadSpec spec = overHttp2(closed(1, server.url("/")), 2);
            String told = "the server does not speak HTTP/2: it answers HTTP/1.1";
            try (LoadSession session = driver.open(spec, run)) {
                Probe probe = session.awaitFirstResponse(Duration.ofMillis(1500), () -> true);
                assertThat(probe)
                        .isInstanceOfSatisfying(
                                Probe.NoAnswer.class,
                                unanswered -> assertThat(unanswered.last()).isEqualTo(AttemptResult.noAgreement(told)));
                int probed = server.requests.get();
                PhaseResult r = loadUntil(session, () -> server.requests.get() >= probed + 20);
                assertAllFailed(r, Errors::refused);
                assertThat(r.warnings()).containsExactly(told);
            }
        }
    }
}
