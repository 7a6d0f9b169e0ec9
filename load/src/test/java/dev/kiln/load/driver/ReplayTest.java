package dev.kiln.load.driver;

import static dev.kiln.load.driver.LoadKit.LONG;
import static dev.kiln.load.driver.LoadKit.loadUntil;
import static dev.kiln.load.driver.LoadKit.overHttp2;
import static dev.kiln.load.driver.LoadKit.phase;
import static dev.kiln.load.driver.ScriptedServer.OK;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.load.LoadSession;
import dev.kiln.load.PhaseResult;
import dev.kiln.load.driver.http.Calls;
import dev.kiln.model.load.FeedTable;
import dev.kiln.model.load.LoadBin.Errors;
import dev.kiln.model.load.LoadSpec;
import dev.kiln.model.load.LoadSpec.HttpCall;
import dev.kiln.model.load.LoadSpec.Replay;
import dev.kiln.model.load.LoadSpec.Variables;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Recorded requests, and when they are due. The server tells what came. */
class ReplayTest extends DrivenLoad {
    private static final long MS = 1_000_000;
    private static final Duration PERIOD = Duration.ofMillis(40);

    /** At 0, 1, 7 and 30 ms, and again after 40. */
    private static FeedTable table() {
        return new FeedTable.FeedTableBuilder(
                        List.of(Replay.METHOD, Replay.TARGET, Replay.HEADERS, Replay.BODY, Replay.AT))
                .add(List.of("GET", "/a?q=%20|{", "Cookie: a=1\r\nCookie: b=2\r\n", "", "0"))
                .add(List.of("HEAD", "/b", "", "", Long.toString(MS)))
                .add(List.of("POST", "/c", "X-Y: ${id}\r\nContent-Length: 4\r\n", "${ü", Long.toString(7 * MS)))
                .add(List.of("DELETE", "/d", "", "", Long.toString(30 * MS)))
                .build();
    }

    private static LoadSpec spec(URI url, double speed) {
        Replay replay = new Replay("access.log", 4, PERIOD, speed, Optional.empty(), "");
        HttpCall call = new HttpCall(
                "GET",
                url,
                Map.of("X-Added", "n${sequence}"),
                Optional.empty(),
                1,
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
        return new LoadSpec(List.of(call), 1, OptionalDouble.of(replay.rate()), LONG)
                .with(new Variables(1, Optional.empty(), Optional.of(replay)));
    }

    private ScriptedServer server() throws IOException {
        return new ScriptedServer(e -> {
            seen.add(e.request());
            e.send(e.request().startsWith("HEAD") ? "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n" : OK);
        });
    }

    private List<String> lines() {
        return seen.stream().map(request -> request.split(" HTTP/", 2)[0]).toList();
    }

    private static Pace pace(double speed, int millis) {
        LoadSpec spec = spec(URI.create("http://127.0.0.1:1/"), speed);
        Calls calls = Calls.ofEach(spec, Optional.of(table())).getFirst();
        return new Pace(spec, phase("load", millis), calls.recording());
    }

    @Test
    void requestsAreDueWhenTheyWereRecordedAndThenAgain() {
        Pace pace = pace(1, 80);
        List<Long> due = new ArrayList<>();
        for (int i = 0; i < 9; i++) {
            due.add(pace.nextDue() / MS);
            pace.sent();
        }
        assertThat(pace.isOpen()).isTrue();
        assertThat(due)
                .as("the last is the end of the phase")
                .containsExactly(0L, 1L, 7L, 30L, 40L, 41L, 47L, 70L, 80L);

        Pace counted = pace(1, 80);
        assertThat(counted.dueBy(0)).isEqualTo(1);
        assertThat(counted.dueBy(7 * MS - 1)).isEqualTo(2);
        assertThat(counted.dueBy(7 * MS)).isEqualTo(3);
        assertThat(counted.dueBy(46 * MS)).isEqualTo(6);
        assertThat(counted.dueBy(1000 * MS))
                .as("those of the phase, and no more")
                .isEqualTo(8);
    }

    @Test
    void speedDividesTheTimes() {
        Pace pace = pace(2, 80);
        List<Long> due = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            due.add(pace.nextDue() * 2 / MS);
            pace.sent();
        }
        assertThat(due).containsExactly(0L, 1L, 7L, 30L, 40L, 41L);
        assertThat(pace(0.5, 80).dueBy(1000 * MS)).isEqualTo(4);
    }

    @Test
    void requestsArriveAsTheyWereRecorded() throws Exception {
        try (ScriptedServer server = server();
                LoadSession session = driver.open(spec(server.url("/up"), 1), Optional.of(table()), run)) {
            PhaseResult r = loadUntil(session, () -> server.requests.get() >= 6);
            assertThat(r.requests().errors()).isEqualTo(Errors.NONE);
            String host = "Host: 127.0.0.1:" + server.port() + "\r\nX-Added: n";
            assertThat(new ArrayList<>(seen).subList(0, 5))
                    .containsExactly(
                            "GET /a?q=%20|{ HTTP/1.1\r\n" + host + "1\r\nCookie: a=1\r\nCookie: b=2\r\n\r\n",
                            "HEAD /b HTTP/1.1\r\n" + host + "2\r\n\r\n",
                            "POST /c HTTP/1.1\r\n" + host + "3\r\nX-Y: ${id}\r\nContent-Length: 4\r\n\r\n${ü",
                            "DELETE /d HTTP/1.1\r\n" + host + "4\r\n\r\n",
                            "GET /a?q=%20|{ HTTP/1.1\r\n" + host + "5\r\nCookie: a=1\r\nCookie: b=2\r\n\r\n");
        }
    }

    /** 100 ms are two and a half times the recording; what is late is sent or counted as unsent. */
    @Test
    void eachPhaseSendsTheRecordingFromItsBeginning() throws Exception {
        try (ScriptedServer server = server();
                LoadSession session = driver.open(spec(server.url("/up"), 1), Optional.of(table()), run)) {
            PhaseResult r = session.load(phase("warm-up", 100), tick -> {});
            assertThat(r.requests().started() + r.requests().unsent()).isEqualTo(11);
            String first = "X-Added: n" + (r.requests().started() + 1) + "\r\n";
            loadUntil(session, () -> seen.stream().anyMatch(request -> request.contains(first)));
            assertThat(seen).anyMatch(request -> request.startsWith("GET /a?q=%20|{ ") && request.contains(first));
        }
    }

    @Test
    void aServiceIsWaitedForWithTheUrlItself() throws Exception {
        try (ScriptedServer server = new ScriptedServer(e -> {
                    seen.add(e.request());
                    e.send(seen.size() < 3 ? "HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n" : OK);
                });
                LoadSession session = driver.open(spec(server.url("/up"), 1), Optional.of(table()), run)) {
            session.awaitFirstResponse(LONG, () -> true);
            loadUntil(session, () -> server.requests.get() >= 4);
        }
        assertThat(lines().subList(0, 4)).containsExactly("GET /up", "GET /up", "GET /up", "GET /a?q=%20|{");
        assertThat(seen).allMatch(request -> request.contains("X-Added: n"));
    }

    @Test
    void http2SendsThemToo() throws Exception {
        try (Http2Server server = new Http2Server(e -> {
                    seen.add(e.headers().method() + " " + e.path() + " "
                            + e.headers().getAll("cookie") + " " + e.headers().get("x-added") + " "
                            + e.headers().get("content-length") + " " + e.body());
                    e.ok();
                });
                LoadSession session =
                        driver.open(overHttp2(spec(server.url("/up"), 1), 1), Optional.of(table()), run)) {
            PhaseResult r = loadUntil(session, () -> server.requests.get() >= 5);
            assertThat(r.requests().completed()).isPositive();
        }
        assertThat(seen.stream().limit(5))
                .containsExactly(
                        "GET /a?q=%20|{ [a=1, b=2] n1 null ",
                        "HEAD /b [] n2 null ",
                        "POST /c [] n3 4 ${ü",
                        "DELETE /d [] n4 null ",
                        "GET /a?q=%20|{ [a=1, b=2] n5 null ");
    }

    @Test
    void theRecordingReachesTheDriversProcess() throws Exception {
        try (ScriptedServer server = server();
                NettyDriver process = new NettyDriver(List.of(), run, Optional.of(table()), Set.of());
                LoadSession session = process.open(spec(server.url("/up"), 1), run, System.nanoTime())) {
            loadUntil(session, () -> server.requests.get() >= 6);
        }
        assertThat(lines().subList(0, 6))
                .containsExactly("GET /a?q=%20|{", "HEAD /b", "POST /c", "DELETE /d", "GET /a?q=%20|{", "HEAD /b");
    }
}
