package dev.kiln.load.driver;

import static dev.kiln.load.driver.LoadKit.loadUntil;
import static dev.kiln.load.driver.LoadKit.overHttp2;
import static dev.kiln.load.driver.LoadKit.phase;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.load.LoadSession;
import dev.kiln.load.PhaseResult;
import dev.kiln.load.driver.ScriptedServer.Exchange;
import dev.kiln.load.driver.http.IoThread.Transport;
import dev.kiln.model.load.FeedTable;
import dev.kiln.model.load.LoadBin.Errors;
import dev.kiln.model.load.LoadSpec;
import dev.kiln.model.load.LoadSpec.Feed;
import dev.kiln.model.load.LoadSpec.Feed.Order;
import dev.kiln.model.load.LoadSpec.HttpCall;
import dev.kiln.model.load.LoadSpec.Step;
import dev.kiln.model.load.LoadSpec.Variables;
import dev.kiln.model.load.VariedText;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.Http2Headers;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Users who send calls in their order. The server tells what came. */
@Timeout(value = 600, unit = TimeUnit.SECONDS)
class SessionTest {
    private static final Duration HOUR = Duration.ofHours(1);

    @TempDir
    Path run;

    private final LocalDriver driver = new LocalDriver(Transport.pick());
    private final Queue<String> seen = new ConcurrentLinkedQueue<>();

    @AfterEach
    void stop() throws InterruptedException {
        driver.close();
    }

    private static String answer(String headers, String body) {
        return "HTTP/1.1 200 OK\r\n" + headers + "Content-Length: " + body.getBytes(StandardCharsets.ISO_8859_1).length
                + "\r\n\r\n" + body;
    }

    private static HttpCall call(URI base, String path, Step step) {
        return HttpCall.get(URI.create(VariedText.inUrl(base + path))).with(step);
    }

    private static Step taking(Map<String, String> take) {
        return new Step(true, Duration.ZERO, take);
    }

    private static Step thinking(Duration think) {
        return new Step(true, think, Map.of());
    }

    private static LoadSpec spec(int connections, HttpCall... calls) {
        return LoadKit.closed(connections, calls).with(new Variables(1, Optional.empty()));
    }

    private static LoadSpec atRate(LoadSpec spec, double rate) {
        return new LoadSpec(spec.calls(), spec.connections(), OptionalDouble.of(rate), spec.timeout())
                .with(spec.variables().orElseThrow());
    }

    /** Notes the path and those lines of the request that begin with a word. */
    private void note(Exchange e, String... words) {
        StringBuilder line = new StringBuilder(e.path());
        for (String word : words) {
            e.request()
                    .lines()
                    .filter(one -> one.startsWith(word))
                    .forEach(one -> line.append(" ").append(one));
        }
        seen.add(line.toString());
    }

    private PhaseResult load(ScriptedServer server, LoadSpec spec, int atLeast) throws Exception {
        return load(server, spec, Optional.empty(), atLeast);
    }

    private PhaseResult load(ScriptedServer server, LoadSpec spec, Optional<FeedTable> feed, int atLeast)
            throws Exception {
        try (LoadSession session = driver.open(spec, feed, run)) {
            // The next request of a connection tells that the one before is noted.
            return loadUntil(session, () -> server.requests.get() > atLeast);
        }
    }

    private List<String> seen(int first) {
        return new ArrayList<>(seen).subList(0, first);
    }

    @Test
    void valuesOfAnswersGoIntoLaterRequestsOfTheUser() throws Exception {
        AtomicInteger logins = new AtomicInteger();
        FeedTable users = new FeedTable.FeedTableBuilder(List.of("name"))
                .add(List.of("ann"))
                .add(List.of("bob"))
                .build();
        try (ScriptedServer server = new ScriptedServer(e -> {
            note(e, "X-N", "Authorization", "{");
            if (e.path().equals("/login")) {
                int n = logins.incrementAndGet();
                e.send(answer(
                        "x-csrf: c d" + n + "\r\nX-Other: 1\r\n",
                        "{\"a\":[{\"token\":1},{\"x\":{\"token\":0},\"b/c~d\":\"t" + n + "\"}],\"page\":\"href='/p/"
                                + (40 + n) + "'\"}"));
            } else {
                e.send(ScriptedServer.OK);
            }
        })) {
            HttpCall login = new HttpCall(
                            "POST",
                            server.url("/login"),
                            Map.of(),
                            Optional.of("{\"user\":\"${name}\"}"),
                            1,
                            Optional.empty())
                    .with(taking(Map.of(
                            "token", "json:/a/1/b~1c~0d",
                            "csrf", "header:X-CSRF",
                            "page", "regex:href='/p/([0-9]+)'")));
            HttpCall basket = new HttpCall(
                            "GET",
                            URI.create(VariedText.inUrl(server.url("") + "/basket/${page}?c=${csrf}")),
                            Map.of("Authorization", "Bearer ${token}", "X-N", "${name} ${sequence}"),
                            Optional.empty(),
                            1,
                            Optional.empty())
                    .with(taking(Map.of()));
            LoadSpec spec = LoadKit.closed(1, login, basket)
                    .with(new Variables(1, Optional.of(new Feed("u.csv", 2, Order.SEQUENTIAL, ""))));
            PhaseResult r = load(server, spec, Optional.of(users), 6);
            assertThat(r.requests().errors()).isEqualTo(Errors.NONE);
            assertThat(r.warnings()).isEmpty();
        }
        assertThat(seen(6))
                .containsExactly(
                        "/login {\"user\":\"ann\"}",
                        "/basket/41?c=c%20d1 X-N: ann 2 Authorization: Bearer t1",
                        "/login {\"user\":\"bob\"}",
                        "/basket/42?c=c%20d2 X-N: bob 4 Authorization: Bearer t2",
                        "/login {\"user\":\"ann\"}",
                        "/basket/43?c=c%20d3 X-N: ann 6 Authorization: Bearer t3");
    }

    @Test
    void withoutAValueTheSessionBeginsAnew() throws Exception {
        AtomicInteger logins = new AtomicInteger();
        try (ScriptedServer server = new ScriptedServer(e -> {
            note(e);
            boolean good = !e.path().equals("/login") || logins.incrementAndGet() % 2 == 0;
            e.send(answer("", good ? "{\"token\": true}" : "{\"token\": {\"no\": 1}}"));
        })) {
            LoadSpec spec = spec(
                    1,
                    call(server.url(""), "/login", taking(Map.of("token", "json:/token"))),
                    call(server.url(""), "/buy/${token}", taking(Map.of())));
            PhaseResult r = load(server, spec, 9);
            long bad = (logins.get() + 1L) / 2;
            assertThat(r.requests().errors().badBody())
                    .as("each second login, and perhaps one that was not awaited")
                    .isBetween(Math.max(3, bad - 1), bad);
            assertThat(r.requests().errors().total())
                    .isEqualTo(r.requests().errors().badBody());
            assertThat(r.warnings()).containsExactly("no value for token in the answer (json:/token)");
        }
        assertThat(seen(6)).containsExactly("/login", "/login", "/buy/true", "/login", "/login", "/buy/true");
    }

    @Test
    void aRequestThatFailsEndsThePass() throws Exception {
        try (ScriptedServer server = new ScriptedServer(e -> {
            note(e);
            if (e.path().equals("/b") && seen.size() == 2) {
                e.send("HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n");
            } else if (e.path().equals("/b") && seen.size() == 4) {
                e.reset();
            } else {
                e.send(ScriptedServer.OK);
            }
        })) {
            Step step = taking(Map.of());
            URI base = server.url("");
            load(server, spec(1, call(base, "/a", step), call(base, "/b", step), call(base, "/c", step)), 8);
        }
        assertThat(seen(8)).containsExactly("/a", "/b", "/a", "/b", "/a", "/b", "/c", "/a");
    }

    @Test
    void eachUserHasCookiesOfItsOwn() throws Exception {
        AtomicInteger passes = new AtomicInteger();
        try (ScriptedServer server = new ScriptedServer(e -> {
            note(e, "Cookie");
            String cookies = switch (e.path().replaceFirst("\\?.*", "")) {
                case "/shop/1" -> {
                    int n = passes.incrementAndGet();
                    yield "Set-Cookie: id=u" + n + "; Path=/; Domain=example.org; Secure; HttpOnly\r\n"
                            + "set-cookie: here=yes\r\n"
                            + "Set-Cookie: gone=1; Path=/\r\n"
                            + "Set-Cookie: old=1; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT\r\n";
                }
                case "/shop/2" ->
                    "Set-Cookie: gone=; Path=/; Max-Age=0\r\nSet-Cookie: id=\"v w\"; Path=/; Max-Age=100\r\n";
                default -> "";
            };
            e.send(answer(cookies, "ok"));
        })) {
            Step step = taking(Map.of());
            HttpCall own = new HttpCall(
                            "GET",
                            server.url("/shop/own"),
                            Map.of("cookie", "mine=1"),
                            Optional.empty(),
                            1,
                            Optional.empty())
                    .with(step);
            URI base = server.url("");
            LoadSpec spec = spec(
                    1, call(base, "/shop/1", step), call(base, "/shop/2?a=/b", step), call(base, "/shops", step), own);
            assertThat(load(server, spec, 6).requests().errors()).isEqualTo(Errors.NONE);
        }
        assertThat(seen(6))
                .containsExactly(
                        "/shop/1",
                        "/shop/2?a=/b Cookie: here=yes; id=u1; gone=1",
                        "/shops Cookie: id=\"v w\"",
                        "/shop/own",
                        "/shop/1",
                        "/shop/2?a=/b Cookie: here=yes; id=u2; gone=1");
    }

    @Test
    void withoutCookiesNoneAreSent() throws Exception {
        try (ScriptedServer server = new ScriptedServer(e -> {
            note(e, "Cookie");
            e.send(answer("Set-Cookie: a=b; Path=/\r\n", "ok"));
        })) {
            Step step = new Step(false, Duration.ZERO, Map.of());
            load(server, spec(1, call(server.url(""), "/a", step), call(server.url(""), "/b", step)), 3);
        }
        assertThat(seen(3)).containsExactly("/a", "/b", "/a");
    }

    @Test
    void whatIsNoCookieDoesNoHarm() throws Exception {
        String none = Stream.of("", ";", "=", "=a", "a", "\t", "a=b\u0001", ",,=;")
                .map(header -> "Set-Cookie: " + header + "\r\n")
                .collect(Collectors.joining());
        String odd = "Set-Cookie: e=\r\nSet-Cookie: f=g=h; Max-Age=x; Expires=never; Path=no; Colour\r\n";
        try (ScriptedServer server = new ScriptedServer(e -> {
            note(e, "Cookie");
            e.send(answer(none + odd, "ok"));
        })) {
            Step step = taking(Map.of());
            URI base = server.url("");
            PhaseResult r = load(server, spec(1, call(base, "/a", step), call(base, "/b", step)), 3);
            assertThat(r.requests().errors()).isEqualTo(Errors.NONE);
        }
        assertThat(seen(3)).containsExactly("/a", "/b Cookie: e=; f=g=h", "/a");
    }

    /** A sleep can be longer on a busy machine, and never shorter. */
    @Test
    void usersThinkAfterEachAnswer() throws Exception {
        List<Long> gaps = new ArrayList<>();
        long[] answered = {0};
        try (ScriptedServer server = new ScriptedServer(e -> {
            gaps.add((System.nanoTime() - answered[0]) / 1_000_000);
            answered[0] = System.nanoTime();
            e.send(ScriptedServer.OK);
        })) {
            URI base = server.url("");
            HttpCall first = call(base, "/a", thinking(Duration.ofMillis(150)));
            HttpCall second = call(base, "/b", thinking(Duration.ofMillis(40)));
            load(server, spec(1, first, second), 5);
        }
        assertThat(gaps.get(1)).isGreaterThanOrEqualTo(150);
        assertThat(gaps.get(2)).isGreaterThanOrEqualTo(40);
        assertThat(gaps.get(3)).isGreaterThanOrEqualTo(150);
        assertThat(gaps.get(4)).isGreaterThanOrEqualTo(40);
    }

    @Test
    void whoThinksSendsNothing() throws Exception {
        try (ScriptedServer server = new ScriptedServer(e -> e.send(ScriptedServer.OK))) {
            LoadSpec closed = spec(5, call(server.url(""), "/", thinking(HOUR)));
            try (LoadSession session = driver.open(closed, run)) {
                assertThat(session.load(phase("one", 200), tick -> {})
                                .requests()
                                .started())
                        .isEqualTo(5);
                assertThat(session.load(phase("two", 50), tick -> {}).requests().started())
                        .as("it goes on over phases")
                        .isZero();
            }
            try (LoadSession session = driver.open(atRate(closed, 500), run)) {
                PhaseResult open = session.load(phase("open", 300), tick -> {});
                assertThat(open.requests().started()).isEqualTo(5);
                assertThat(open.requests().unsent()).isEqualTo(145);
            }
        }
    }

    @Test
    void inTheOpenLoopUsersTakeTurns() throws Exception {
        Queue<Integer> users = new ConcurrentLinkedQueue<>();
        try (ScriptedServer server = new ScriptedServer(e -> {
            users.add(e.socket().getPort());
            e.send(ScriptedServer.OK);
        })) {
            LoadSpec open = atRate(spec(4, call(server.url(""), "/", thinking(Duration.ofMillis(30)))), 100);
            PhaseResult r = load(server, open, 24);
            assertThat(r.requests().errors()).isEqualTo(Errors.NONE);
        }
        for (int port : users.stream().distinct().toList()) {
            assertThat(users.stream().limit(24).filter(user -> user == port).count())
                    .isBetween(4L, 8L);
        }
    }

    private Errors taking(String how, ScriptedServer.Script script) throws Exception {
        try (ScriptedServer server = new ScriptedServer(script)) {
            HttpCall call = call(server.url(""), "/", taking(Map.of("v", how)));
            PhaseResult r = load(server, spec(1, call, call(server.url(""), "/${v}", taking(Map.of()))), 4);
            return r.requests().completed() > 0 ? Errors.NONE : r.requests().errors();
        }
    }

    private static ScriptedServer.Script sending(String body) {
        return e -> e.send(answer("", body));
    }

    @Test
    void whatIsNoValueIsAnError() throws Exception {
        assertThat(taking("json:/a", sending("{\"a\": 12.50}"))).isEqualTo(Errors.NONE);
        assertThat(taking("json:", sending("\"a\""))).isEqualTo(Errors.NONE);
        for (String body : List.of("{\"a\": null}", "{\"a\": [1]}", "{\"b\": 1}", "[1]", "", "{\"b\": 1", "<a>")) {
            assertThat(taking("json:/a", sending(body)).badBody()).as(body).isPositive();
        }
        assertThat(taking("json:/2", sending("[1, [2], 3]"))).isEqualTo(Errors.NONE);
        assertThat(taking("json:/3", sending("[1, [2], 3]")).badBody()).isPositive();
        assertThat(taking("json:/01", sending("[1, [2], 3]")).badBody()).isPositive();
        assertThat(taking("json:/a", sending("{\"a\": \"two\\r\\nlines\"}")).badBody())
                .isPositive();
        assertThat(taking("header:X-Id", sending("X-Id: 1")).badBody()).isPositive();
        assertThat(taking("regex:a(b)?c", sending("ac")).badBody()).isPositive();
        assertThat(taking("regex:((?:a|b)*)c", sending("ab".repeat(50_000) + "c"))
                        .badBody())
                .as("too deep for Java's expressions")
                .isPositive();
    }

    @Test
    void longBodiesHaveNoValuesAndThoseInGzipAreUnpacked() throws Exception {
        assertThat(taking("regex:(z)", sending("x".repeat((1 << 20) - 1) + "z")))
                .isEqualTo(Errors.NONE);
        assertThat(taking("regex:(z)", sending("x".repeat(1 << 20) + "z")).badBody())
                .isPositive();
        assertThat(taking("regex:(z)", gzip("x".repeat(100_000) + "z", 0))).isEqualTo(Errors.NONE);
        assertThat(taking("regex:(z)", gzip("x".repeat(100_000) + "z", 9)).badBody())
                .isPositive();
        assertThat(taking("regex:(z)", gzip("z" + "x".repeat(1 << 20), 0)).badBody())
                .isPositive();
    }

    private static ScriptedServer.Script gzip(String text, int cut) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
            out.write(text.getBytes(StandardCharsets.UTF_8));
        }
        String body = bytes.toString(StandardCharsets.ISO_8859_1);
        return e -> e.send(answer("Content-Encoding: gzip\r\n", body.substring(0, body.length() - cut)));
    }

    /** Each stream is a user: none has the values of another. */
    @Test
    void usersOverHttp2KeepApart() throws Exception {
        Queue<String> tokens = new ConcurrentLinkedQueue<>();
        AtomicInteger logins = new AtomicInteger();
        try (Http2Server server = new Http2Server(e -> {
            if (e.path().equals("/login")) {
                int n = logins.incrementAndGet();
                Http2Headers head = new DefaultHttp2Headers().status("200");
                e.head(head.add("set-cookie", "id=" + n).add("x-id", "h" + n), false);
                e.data("{\"token\": ", false);
                e.data(n + "}", true);
            } else {
                seen.add(e.path() + " " + e.headers().get("x-id") + " "
                        + e.headers().get("cookie"));
                tokens.add(e.path().substring(3));
                e.ok();
            }
        })) {
            HttpCall login = HttpCall.get(server.url("/login"))
                    .with(taking(Map.of("token", "json:/token", "head", "header:X-Id")));
            HttpCall page = new HttpCall(
                            "GET",
                            URI.create(VariedText.inUrl(server.url("") + "/p/${token}")),
                            Map.of("X-Id", "${head}"),
                            Optional.empty(),
                            1,
                            Optional.of("ok"))
                    .with(taking(Map.of()));
            try (LoadSession session = driver.open(overHttp2(spec(2, login, page), 5), run)) {
                PhaseResult r = loadUntil(session, () -> tokens.size() >= 200);
                assertThat(r.requests().errors()).isEqualTo(Errors.NONE);
            }
        }
        assertThat(tokens).doesNotHaveDuplicates();
        assertThat(seen).allSatisfy(line -> {
            String token = line.substring(3, line.indexOf(' '));
            assertThat(line).isEqualTo("/p/" + token + " h" + token + " id=" + token);
        });
    }

    @Test
    void aSessionReachesTheDriversProcess() throws Exception {
        try (ScriptedServer server = new ScriptedServer(e -> {
                    note(e);
                    e.send(answer("", "{\"n\": " + e.number() + "}"));
                });
                NettyDriver process = new NettyDriver(List.of());
                LoadSession session = process.open(
                        spec(
                                1,
                                call(server.url(""), "/a", taking(Map.of("n", "json:/n"))),
                                call(server.url(""), "/${n}", taking(Map.of()))),
                        run,
                        System.nanoTime())) {
            loadUntil(session, () -> server.requests.get() > 6);
        }
        assertThat(seen(6)).containsExactly("/a", "/1", "/a", "/3", "/a", "/5");
    }

    @Test
    void rowsAreDealtOutByPass() throws Exception {
        FeedTable.FeedTableBuilder rows = new FeedTable.FeedTableBuilder(List.of("id"));
        IntStream.range(0, 5).forEach(i -> rows.add(List.of("r" + i)));
        try (ScriptedServer server = new ScriptedServer(e -> {
            note(e);
            e.send(ScriptedServer.OK);
        })) {
            Step step = taking(Map.of());
            URI base = server.url("");
            LoadSpec spec = LoadKit.closed(
                            1, call(base, "/a", step), call(base, "/b/${id}", step), call(base, "/c/${id}", step))
                    .with(new Variables(1, Optional.of(new Feed("u.csv", 5, Order.SEQUENTIAL, ""))));
            load(server, spec, Optional.of(rows.build()), 6);
        }
        assertThat(seen(6)).containsExactly("/a", "/b/r0", "/c/r0", "/a", "/b/r1", "/c/r1");
    }
}
