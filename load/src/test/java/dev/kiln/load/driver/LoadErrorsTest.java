package dev.kiln.load.driver;

import static dev.kiln.load.driver.LoadKit.call;
import static dev.kiln.load.driver.LoadKit.closed;
import static dev.kiln.load.driver.LoadKit.containing;
import static dev.kiln.load.driver.LoadKit.loadUntil;
import static dev.kiln.load.driver.LoadKit.phase;
import static dev.kiln.load.driver.LoadKit.timingOut;
import static dev.kiln.load.driver.ScriptedServer.OK;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.load.LoadSession;
import dev.kiln.load.PhaseResult;
import dev.kiln.load.driver.http.IoThread.Transport;
import dev.kiln.model.load.LoadBin.Errors;
import dev.kiln.model.load.LoadSpec;
import dev.kiln.model.run.Course.Hung;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Each kind of failure is counted as what it is, and as nothing else. */
@Timeout(value = 600, unit = TimeUnit.SECONDS)
@ParameterizedClass
@EnumSource(Transport.class)
class LoadErrorsTest {
    @TempDir
    Path run;

    private final LocalDriver driver;

    LoadErrorsTest(Transport transport) {
        driver = new LocalDriver(transport);
    }

    @AfterEach
    void stop() throws InterruptedException {
        driver.close();
    }

    private PhaseResult load(LoadSpec spec) {
        try (LoadSession session = driver.open(spec, run)) {
            return session.load(phase("load", 300), tick -> {});
        }
    }

    private PhaseResult load(ScriptedServer.Script script) throws Exception {
        try (ScriptedServer server = new ScriptedServer(script)) {
            return load(server, closed(3, server.url("/")));
        }
    }

    /** Enough for each of few connections to get several answers, and for each of several calls. */
    private PhaseResult load(ScriptedServer server, LoadSpec spec) throws Exception {
        try (LoadSession session = driver.open(spec, run)) {
            return loadUntil(session, () -> server.requests.get() >= 20);
        }
    }

    /** Nothing is left out: each request succeeded, failed or was still in flight. */
    private static void assertAccounted(PhaseResult r) {
        assertThat(r.requests().started())
                .isEqualTo(r.requests().completed()
                        + r.requests().errors().total()
                        + r.requests().unfinished());
    }

    @Test
    void refused() throws Exception {
        int port;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        }
        PhaseResult r = load(closed(3, URI.create("http://127.0.0.1:" + port + "/")));
        assertThat(r.requests().errors())
                .isEqualTo(new Errors(r.requests().errors().total(), 0, 0, 0, 0));
        assertThat(r.requests().errors().refused()).isPositive();
        assertAccounted(r);
        assertThat(r.requests().started())
                .as("3 connections, 10 ms at least between attempts: a dead target does not spin the CPU")
                .isLessThanOrEqualTo(3 * 31);
        assertThat(r.warnings()).isEmpty();
    }

    @Test
    void resetInsteadOfAnAnswer() throws Exception {
        PhaseResult r = load(ScriptedServer.Exchange::reset);
        assertThat(r.requests().errors())
                .isEqualTo(new Errors(0, r.requests().errors().total(), 0, 0, 0));
        assertThat(r.requests().errors().reset()).isPositive();
        assertAccounted(r);
    }

    @Test
    void resetWithinAnAnswer() throws Exception {
        PhaseResult r = load(e -> {
            e.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\npart");
            e.reset();
        });
        assertThat(r.requests().errors())
                .isEqualTo(new Errors(0, r.requests().errors().total(), 0, 0, 0));
        assertThat(r.requests().errors().reset()).isPositive();
    }

    @Test
    void resetOnAConnectionThatHasServed() throws Exception {
        PhaseResult r = load(e -> {
            if (e.number() == 1) {
                e.send(OK);
            } else {
                e.reset();
            }
        });
        assertThat(r.requests().errors().reset()).isPositive();
        assertThat(r.requests().resent())
                .as("a reset is no orderly close: it is not sent again")
                .isZero();
        assertAccounted(r);
    }

    @Test
    void closedWithoutAnAnswerOnANewConnection() throws Exception {
        PhaseResult r = load(ScriptedServer.Exchange::close);
        assertThat(r.requests().errors())
                .isEqualTo(new Errors(0, r.requests().errors().total(), 0, 0, 0));
        assertThat(r.requests().errors().reset()).isPositive();
        assertThat(r.requests().resent()).isZero();
    }

    @Test
    void timeout() throws Exception {
        try (ScriptedServer server = new ScriptedServer(e -> {})) {
            PhaseResult r = load(server, timingOut(closed(3, server.url("/")), 50));
            assertThat(r.requests().errors())
                    .isEqualTo(new Errors(0, 0, r.requests().errors().total(), 0, 0));
            assertThat(r.requests().errors().timeout()).isPositive();
            assertAccounted(r);
            assertThat(server.connections.get())
                    .as("the connection of a request that timed out is replaced")
                    .isGreaterThan(3);
        }
    }

    /** The server answers one connection of three. The other two wait from the phase's beginning to its end, as long as none did. */
    @Test
    void whatHangsUntilTheEndIsCounted() throws Exception {
        AtomicReference<@Nullable Socket> answered = new AtomicReference<>();
        try (ScriptedServer server = new ScriptedServer(e -> {
            answered.compareAndSet(null, e.socket());
            if (e.socket().equals(answered.get())) {
                e.send(OK);
            }
        })) {
            PhaseResult r = load(server, closed(3, server.url("/")));
            assertThat(r.requests().completed()).isPositive();
            assertThat(r.requests().unfinished()).isEqualTo(3);
            Hung hung = r.requests().hung().orElseThrow();
            assertThat(hung.count()).as("and perhaps the last one of the third").isBetween(2L, 3L);
            assertThat(hung.oldestNanos()).isBetween(1L, r.endNanos() - r.startNanos());
            assertThat(r.unserved().hung()).contains(hung);
        }
    }

    @Test
    void statusOtherThan2xx() throws Exception {
        for (String status : new String[] {"503 Busy", "404 Not Found", "302 Found"}) {
            PhaseResult r = load(e -> e.send("HTTP/1.1 " + status + "\r\nContent-Length: 0\r\n\r\n"));
            assertThat(r.requests().errors())
                    .isEqualTo(new Errors(0, 0, 0, r.requests().errors().total(), 0));
            assertThat(r.requests().errors().non2xx()).isPositive();
            assertThat(r.requests().completed()).isZero();
            assertThat(r.requests().hung().orElseThrow().count())
                    .as("in flight for longer than the slowest answer, which was no good one")
                    .isLessThan(3);
            assertAccounted(r);
        }
    }

    @Test
    void notHttp() throws Exception {
        for (String garbage : new String[] {"hello\r\n\r\n", "HTTP/1.1 abc\r\n\r\n", "\0\1\2\3\r\n\r\n\r\n"}) {
            PhaseResult r = load(e -> e.send(garbage));
            assertThat(r.requests().errors())
                    .as(garbage)
                    .isEqualTo(new Errors(0, 0, 0, 0, r.requests().errors().total()));
            assertThat(r.requests().errors().badBody()).isPositive();
            assertAccounted(r);
        }
    }

    @Test
    void answersCutShort() throws Exception {
        String[] cuts = {
            "HTTP/1.1 200 OK\r\nContent-Le",
            "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\npart",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n",
        };
        for (String cut : cuts) {
            PhaseResult r = load(e -> {
                e.send(cut);
                e.close();
            });
            assertThat(r.requests().errors())
                    .as(cut)
                    .isEqualTo(new Errors(0, 0, 0, 0, r.requests().errors().total()));
            assertThat(r.requests().errors().badBody()).as(cut).isPositive();
            assertAccounted(r);
        }
    }

    @Test
    void brokenChunks() throws Exception {
        PhaseResult r = load(e -> e.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nhello\r\n"));
        assertThat(r.requests().errors())
                .isEqualTo(new Errors(0, 0, 0, 0, r.requests().errors().total()));
        assertThat(r.requests().errors().badBody()).isPositive();
    }

    @Test
    void theExpectedTextIsLookedForAcrossPieces() throws Exception {
        try (ScriptedServer server = new ScriptedServer(e -> {
            String body =
                    e.path().equals("/good") ? "3\r\nki \r\n4\r\nkiki\r\n2\r\nln\r\n" : "4\r\nkiki\r\n4\r\n ln!\r\n";
            e.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + body + "0\r\n\r\n");
        })) {
            PhaseResult r = load(
                    server, closed(2, containing(server.url("/good"), "kiln"), containing(server.url("/bad"), "kiln")));
            assertThat(r.requests().completed()).isPositive();
            assertThat(r.requests().errors())
                    .isEqualTo(new Errors(0, 0, 0, 0, r.requests().errors().total()));
            assertThat(r.requests().completed() - r.requests().errors().badBody())
                    .as("every other answer lacks the text")
                    .isBetween(-3L, 3L);
        }
    }

    @Test
    void aMixtureIsTakenApart() throws Exception {
        try (ScriptedServer server = new ScriptedServer(e -> {
            switch (e.path()) {
                case "/good" -> e.send(OK);
                case "/error" -> e.send("HTTP/1.1 500 Oops\r\nContent-Length: 0\r\n\r\n");
                default -> {
                    e.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\ncut");
                    e.close();
                }
            }
        })) {
            PhaseResult r = load(
                    server,
                    closed(
                            1,
                            call("GET", server.url("/good"), 2),
                            call("GET", server.url("/error"), 1),
                            call("GET", server.url("/cut"), 1)));
            assertAccounted(r);
            assertThat(r.requests().completed())
                    .isBetween(
                            2 * r.requests().errors().non2xx() - 2,
                            2 * r.requests().errors().non2xx() + 2);
            assertThat(r.requests().errors().badBody())
                    .isBetween(
                            r.requests().errors().non2xx() - 1,
                            r.requests().errors().non2xx() + 1);
        }
    }
}
