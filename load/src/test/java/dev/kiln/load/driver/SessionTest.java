package dev.kiln.load.driver;

import static dev.kiln.load.driver.LoadKit.loadUntil;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.load.LoadSession;
import dev.kiln.load.PhaseResult;
import dev.kiln.model.load.FeedTable;
import dev.kiln.model.load.LoadBin.Errors;
import dev.kiln.model.load.LoadSpec;
import dev.kiln.model.load.LoadSpec.Feed;
import dev.kiln.model.load.LoadSpec.Feed.Order;
import dev.kiln.model.load.LoadSpec.HttpCall;
import dev.kiln.model.load.LoadSpec.Step;
import dev.kiln.model.load.LoadSpec.Variables;
import dev.kiln.model.load.VariedText;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

/** Users who send calls in their order. The server tells what came. */
class SessionTest extends SessionLoad {
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
                            Optional.empty(),
                            Optional.empty(),
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
                            Optional.empty(),
                            Optional.empty(),
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

    /** The first would hold the event loop up for hours, and of the last each user would keep a megabyte. */
    @Test
    void noBodyHoldsTheEventLoopUpOrFillsTheMemory() throws Exception {
        assertThat(taking("regex:(x*)x*x*y", sending("x".repeat(20_000))).badBody())
                .isPositive();
        assertThat(taking("regex:(x+)", sending("x".repeat(1 << 16)))).isEqualTo(Errors.NONE);
        assertThat(taking("regex:(x+)", sending("x".repeat((1 << 16) + 1))).badBody())
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

    @Test
    void aSessionReachesTheDriversProcess() throws Exception {
        try (ScriptedServer server = new ScriptedServer(e -> {
                    note(e);
                    e.send(answer("", "{\"n\": " + e.number() + "}"));
                });
                NettyDriver process = new NettyDriver(List.of(), NettyDriver.JVM_FLAGS);
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
