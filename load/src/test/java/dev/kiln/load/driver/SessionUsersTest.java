package dev.kiln.load.driver;

import static dev.kiln.load.driver.LoadKit.loadUntil;
import static dev.kiln.load.driver.LoadKit.overHttp2;
import static dev.kiln.load.driver.LoadKit.phase;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.load.LoadSession;
import dev.kiln.load.PhaseResult;
import dev.kiln.model.load.LoadBin.Errors;
import dev.kiln.model.load.LoadSpec;
import dev.kiln.model.load.LoadSpec.HttpCall;
import dev.kiln.model.load.LoadSpec.Step;
import dev.kiln.model.load.VariedText;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.Http2Headers;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Each user of a session has cookies, thoughts and turns of its own. */
class SessionUsersTest extends SessionLoad {
    private static final Duration HOUR = Duration.ofHours(1);

    private static Step thinking(Duration think) {
        return new Step(true, think, Map.of());
    }

    private static LoadSpec atRate(LoadSpec spec, double rate) {
        return new LoadSpec(spec.calls(), spec.connections(), OptionalDouble.of(rate), spec.timeout())
                .with(spec.variables().orElseThrow());
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
                            Optional.empty(),
                            Optional.empty(),
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

    /** Each request of each user would have it: fifty of a megabyte each fill the driver's memory. */
    @Test
    void aCookieLongerThanAnyOfABrowserIsNotKept() throws Exception {
        String most = "s=" + "x".repeat(4096 - 3);
        try (ScriptedServer server = new ScriptedServer(e -> {
            note(e, "Cookie");
            e.send(answer("Set-Cookie: " + most + "; Path=/\r\nSet-Cookie: t=" + most + "; Path=/\r\n", "ok"));
        })) {
            Step step = taking(Map.of());
            URI base = server.url("");
            PhaseResult r = load(server, spec(1, call(base, "/a", step), call(base, "/b", step)), 3);
            assertThat(r.requests().errors()).isEqualTo(Errors.NONE);
        }
        assertThat(seen(3)).containsExactly("/a", "/b Cookie: " + most, "/a");
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
                            Optional.of("ok"),
                            Optional.empty(),
                            Optional.empty())
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
}
