package dev.kiln.load.driver;

import static dev.kiln.load.driver.LoadKit.LONG;
import static dev.kiln.load.driver.LoadKit.loadUntil;
import static dev.kiln.load.driver.LoadKit.phase;
import static dev.kiln.load.driver.ScriptedServer.OK;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.kiln.load.LoadSession;
import dev.kiln.load.PhaseResult;
import dev.kiln.model.KilnException;
import dev.kiln.model.load.FeedTable;
import dev.kiln.model.load.LoadBin.Errors;
import dev.kiln.model.load.LoadSpec;
import dev.kiln.model.load.LoadSpec.Feed;
import dev.kiln.model.load.LoadSpec.Feed.Order;
import dev.kiln.model.load.LoadSpec.HttpCall;
import dev.kiln.model.load.LoadSpec.Variables;
import dev.kiln.model.load.Sending.Success;
import dev.kiln.model.load.VariedText;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

/** Requests that differ, and which answers are good. The server tells what came. */
class FeedTest extends DrivenLoad {
    private static final int ROWS = 10;

    private static FeedTable numbers() {
        FeedTable.FeedTableBuilder table = new FeedTable.FeedTableBuilder(List.of("id"));
        IntStream.range(0, ROWS).forEach(i -> table.add(List.of("r" + i)));
        return table.build();
    }

    private static LoadSpec spec(int connections, Order order, long seed, HttpCall... calls) {
        return LoadKit.closed(connections, calls)
                .with(new Variables(seed, Optional.of(new Feed("ids.csv", ROWS, order, ""))));
    }

    private static HttpCall get(ScriptedServer server, String path) {
        return HttpCall.get(URI.create(VariedText.inUrl(server.url("") + path)));
    }

    private ScriptedServer server() throws IOException {
        return new ScriptedServer(e -> {
            seen.add(e.request());
            e.send(OK);
        });
    }

    private List<String> paths() {
        return seen.stream().map(request -> request.split(" ", 3)[1]).toList();
    }

    /** Paths of one connection, so that the server sees the order in which they were sent. */
    private List<String> paths(String path, Order order, long seed, int atLeast) throws Exception {
        seen.clear();
        try (ScriptedServer server = server();
                LoadSession session =
                        driver.open(spec(1, order, seed, get(server, path)), Optional.of(numbers()), run)) {
            PhaseResult r = loadUntil(session, () -> server.requests.get() >= atLeast);
            assertThat(r.requests().errors()).isEqualTo(Errors.NONE);
            assertThat(r.requests().started())
                    .as("the server got what the driver counts")
                    .isBetween((long) seen.size(), seen.size() + 1L);
        }
        return paths().subList(0, atLeast);
    }

    @Test
    void rowsComeInOrderAndThenAgain() throws Exception {
        List<String> expected =
                IntStream.range(0, 25).mapToObj(i -> "/r" + i % ROWS).toList();
        assertThat(paths("/${id}", Order.SEQUENTIAL, 1, 25)).isEqualTo(expected);
    }

    @Test
    void eachRoundOfAShuffledFeedHasEachRowOnce() throws Exception {
        List<String> first = paths("/${id}", Order.SHUFFLED, 5, 3 * ROWS);
        for (int round = 0; round < 3; round++) {
            assertThat(new HashSet<>(first.subList(round * ROWS, (round + 1) * ROWS)))
                    .hasSize(ROWS);
        }
        assertThat(first.subList(0, ROWS)).isNotEqualTo(first.subList(ROWS, 2 * ROWS));
        assertThat(paths("/${id}", Order.SHUFFLED, 5, 3 * ROWS)).isEqualTo(first);
        assertThat(paths("/${id}", Order.SHUFFLED, 6, 3 * ROWS)).isNotEqualTo(first);
    }

    @Test
    void noRowOfAUniqueFeedIsSentTwice() throws Exception {
        try (ScriptedServer server = server();
                LoadSession session =
                        driver.open(spec(3, Order.UNIQUE, 1, get(server, "/${id}")), Optional.of(numbers()), run)) {
            KilnException e =
                    catchThrowableOfType(KilnException.class, () -> session.load(phase("warm-up", 50_000), tick -> {}));
            assertThat(e)
                    .hasMessageStartingWith("all 10 rows of ids.csv were used ")
                    .hasMessageEndingWith("after phase warm-up began, and none is sent twice (order: unique)");
        }
        assertThat(paths())
                .doesNotHaveDuplicates()
                .allMatch(path -> path.startsWith("/r"))
                .hasSizeLessThanOrEqualTo(ROWS);
    }

    @Test
    void equalSeedsDrawEqualNumbersWithinTheirBounds() throws Exception {
        String path = "/${random:7-9}/${uuid}?n=${sequence}";
        List<String> first = paths(path, Order.SEQUENTIAL, 3, 40);
        assertThat(first)
                .allMatch(one -> one.matches(
                        "/[789]/[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}" + "\\?n=[0-9]+"))
                .anyMatch(one -> one.startsWith("/7/"))
                .anyMatch(one -> one.startsWith("/8/"))
                .anyMatch(one -> one.startsWith("/9/"));
        for (int i = 0; i < first.size(); i++) {
            assertThat(first.get(i)).endsWith("?n=" + (i + 1));
        }
        assertThat(paths(path, Order.SEQUENTIAL, 3, 40)).isEqualTo(first);
        assertThat(paths(path, Order.SEQUENTIAL, 4, 40)).isNotEqualTo(first);
    }

    @Test
    void valuesAreEncodedInTheUrlAndAsTheyAreElsewhere() throws Exception {
        FeedTable table = new FeedTable.FeedTableBuilder(List.of("my name", "v"))
                .add(List.of("a/b ü&?%", "1"))
                .add(List.of("", "22"))
                .build();
        try (ScriptedServer server = server()) {
            HttpCall post = new HttpCall(
                    "POST",
                    URI.create(VariedText.inUrl(server.url("") + "/x/${my name}?q=${my name}")),
                    Map.of("X-V", "<${v}>"),
                    Optional.of("{\"n\": \"${my name}\", \"v\": ${v}, \"grüß\": \"$${v}\"}"),
                    1,
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty());
            try (LoadSession session = driver.open(spec(1, Order.SEQUENTIAL, 1, post), Optional.of(table), run)) {
                loadUntil(session, () -> server.requests.get() >= 2);
            }
            assertThat(new ArrayList<>(seen).subList(0, 2))
                    .containsExactly(
                            "POST /x/a%2Fb%20%C3%BC%26%3F%25?q=a%2Fb%20%C3%BC%26%3F%25 HTTP/1.1\r\nContent-Length: 44\r\n"
                                    + "Host: 127.0.0.1:" + server.port() + "\r\nX-V: <1>\r\n\r\n"
                                    + "{\"n\": \"a/b ü&?%\", \"v\": 1, \"grüß\": \"${v}\"}",
                            "POST /x/?q= HTTP/1.1\r\nContent-Length: 36\r\nHost: 127.0.0.1:" + server.port()
                                    + "\r\nX-V: <22>\r\n\r\n{\"n\": \"\", \"v\": 22, \"grüß\": \"${v}\"}");
        }
    }

    @Test
    void aLongTextIsAsLongAsItSaysAndEncodedOnce() throws Exception {
        try (ScriptedServer server = server()) {
            HttpCall post = new HttpCall(
                    "POST",
                    URI.create(VariedText.inUrl(server.url("") + "/${text:3}")),
                    Map.of(),
                    Optional.of("<${text:100000}>"),
                    1,
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty());
            try (LoadSession session = driver.open(spec(1, Order.SEQUENTIAL, 1, post), Optional.of(numbers()), run)) {
                loadUntil(session, () -> server.requests.get() >= 2);
            }
            assertThat(new ArrayList<>(seen).subList(0, 2))
                    .allMatch(request -> request.startsWith("POST /xxx HTTP/1.1\r\nContent-Length: 100002\r\n")
                            && request.endsWith("\r\n\r\n<" + "x".repeat(100_000) + ">"));
        }
    }

    @Test
    void onlyCallsWithAColumnTakeRows() throws Exception {
        try (ScriptedServer server = server()) {
            LoadSpec mix = spec(1, Order.SEQUENTIAL, 1, get(server, "/fixed"), get(server, "/${id}"));
            try (LoadSession session = driver.open(mix, Optional.of(numbers()), run)) {
                loadUntil(session, () -> server.requests.get() >= 6);
            }
        }
        assertThat(paths().subList(0, 6)).containsExactly("/fixed", "/r0", "/fixed", "/r1", "/fixed", "/r2");
    }

    @Test
    void aRequestThatIsSentAgainIsTheSame() throws Exception {
        try (ScriptedServer server = new ScriptedServer(e -> {
                    seen.add(e.request());
                    if (e.number() == 4) {
                        e.close();
                    } else {
                        e.send(OK);
                    }
                });
                LoadSession session =
                        driver.open(spec(1, Order.SEQUENTIAL, 1, get(server, "/${id}")), Optional.of(numbers()), run)) {
            PhaseResult r = loadUntil(session, () -> server.requests.get() >= 6);
            assertThat(r.requests().resent()).isPositive();
        }
        assertThat(paths().subList(0, 6)).containsExactly("/r0", "/r1", "/r2", "/r3", "/r3", "/r4");
    }

    @Test
    void waitingForTheServiceTakesOneRow() throws Exception {
        try (ScriptedServer server = new ScriptedServer(e -> {
                    seen.add(e.request());
                    e.send(seen.size() < 3 ? "HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n" : OK);
                });
                LoadSession session =
                        driver.open(spec(1, Order.SEQUENTIAL, 1, get(server, "/${id}")), Optional.of(numbers()), run)) {
            session.awaitFirstResponse(LONG, () -> true);
            loadUntil(session, () -> server.requests.get() >= 4);
        }
        assertThat(paths().subList(0, 4)).containsExactly("/r0", "/r0", "/r0", "/r1");
    }

    @Test
    void theFeedReachesTheDriversProcess() throws Exception {
        try (ScriptedServer server = server();
                NettyDriver process = new NettyDriver(List.of(), run, Optional.of(numbers()), Set.of());
                LoadSession session =
                        process.open(spec(1, Order.SEQUENTIAL, 1, get(server, "/${id}")), run, System.nanoTime())) {
            loadUntil(session, () -> server.requests.get() >= 12);
        }
        assertThat(paths().subList(9, 12)).containsExactly("/r9", "/r0", "/r1");
    }

    private Errors errors(LoadSpec spec, ScriptedServer server) throws Exception {
        int before = server.requests.get();
        try (LoadSession session = driver.open(spec, run)) {
            PhaseResult r = loadUntil(session, () -> server.requests.get() >= before + 20);
            assertThat(r.requests().started())
                    .isEqualTo(r.requests().completed()
                            + r.requests().errors().total()
                            + r.requests().unfinished());
            return r.requests().completed() > 0 ? Errors.NONE : r.requests().errors();
        }
    }

    private static LoadSpec succeeding(URI url, String... statuses) {
        return LoadKit.closed(1, url).with(new Success(List.of(statuses)));
    }

    @Test
    void theLoadSaysWhichStatusesAreGood() throws Exception {
        try (ScriptedServer server =
                new ScriptedServer(e -> e.send("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"))) {
            assertThat(errors(succeeding(server.url("/"), "2xx", "404"), server))
                    .isEqualTo(Errors.NONE);
            assertThat(errors(succeeding(server.url("/"), "4xx"), server)).isEqualTo(Errors.NONE);
            assertThat(errors(succeeding(server.url("/"), "2xx", "403"), server).non2xx())
                    .isPositive();
        }
    }

    private static byte[] gzip(String text) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
            out.write(text.getBytes(StandardCharsets.UTF_8));
        }
        return bytes.toByteArray();
    }

    private Errors checked(byte[] body, String text) throws Exception {
        try (ScriptedServer server = new ScriptedServer(e -> {
            e.send("HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\nContent-Length: " + body.length + "\r\n\r\n");
            for (int i = 0; i < body.length; i += 7) {
                e.socket().getOutputStream().write(body, i, Math.min(7, body.length - i));
            }
        })) {
            return errors(LoadKit.closed(1, LoadKit.containing(server.url("/"), text)), server);
        }
    }

    @Test
    void bodiesInGzipAreUnpackedForTheirText() throws Exception {
        String long300 = "x".repeat(100_000) + "Äpfel" + "y".repeat(100_000);
        assertThat(checked(gzip(long300), "xÄpfely")).isEqualTo(Errors.NONE);
        assertThat(checked(gzip(long300), "Birnen").badBody()).isPositive();
        byte[] sumWrong = gzip(long300);
        sumWrong[sumWrong.length - 6] ^= 1;
        assertThat(checked(sumWrong, "Äpfel").badBody()).isPositive();
        byte[] cut = Arrays.copyOf(gzip(long300), gzip(long300).length - 9);
        assertThat(checked(cut, "Äpfel").badBody()).isPositive();
        assertThat(checked("no gzip at all".getBytes(StandardCharsets.UTF_8), "gzip")
                        .badBody())
                .isPositive();
    }
}
