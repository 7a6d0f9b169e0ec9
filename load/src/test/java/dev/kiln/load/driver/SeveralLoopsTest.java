package dev.kiln.load.driver;

import static dev.kiln.load.driver.LoadKit.closed;
import static dev.kiln.load.driver.LoadKit.loadUntil;
import static dev.kiln.load.driver.LoadKit.open;
import static dev.kiln.load.driver.LoadKit.overHttp2;
import static dev.kiln.load.driver.LoadKit.phase;
import static dev.kiln.load.driver.LoadKit.timingOut;
import static dev.kiln.load.driver.ScriptedServer.OK;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kiln.evidence.LatencyLog;
import dev.kiln.evidence.LoadFile;
import dev.kiln.load.LoadSession;
import dev.kiln.load.PhaseResult;
import dev.kiln.load.driver.http.IoThread.Transport;
import dev.kiln.model.KilnException;
import dev.kiln.model.experiment.Protocol.Phase;
import dev.kiln.model.load.FeedTable;
import dev.kiln.model.load.LoadBin;
import dev.kiln.model.load.LoadBin.Errors;
import dev.kiln.model.load.LoadSpec;
import dev.kiln.model.load.LoadSpec.Feed;
import dev.kiln.model.load.LoadSpec.Feed.Order;
import dev.kiln.model.load.LoadSpec.HttpCall;
import dev.kiln.model.load.LoadSpec.Replay;
import dev.kiln.model.load.LoadSpec.Variables;
import dev.kiln.model.load.Shape;
import dev.kiln.model.load.VariedText;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The load of three event loops from the start: the server got what the driver counts, each request once. */
@Timeout(value = 600, unit = TimeUnit.SECONDS)
class SeveralLoopsTest {
    @TempDir
    Path run;

    private final Set<Thread> before = loops();
    private final LocalDriver driver = new LocalDriver(Transport.pick(), LoopCpus.always(3));
    private final Queue<String> seen = new ConcurrentLinkedQueue<>();

    @AfterEach
    void stop() throws InterruptedException {
        driver.close();
        assertThat(loops()).as("no thread is left").isEqualTo(before);
    }

    private static Set<Thread> loops() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("kiln-load"))
                .collect(Collectors.toSet());
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

    /** However slow the machine is. */
    private static void await(BooleanSupplier condition) throws InterruptedException {
        while (!condition.getAsBoolean()) {
            Thread.sleep(2);
        }
    }

    /** The server got each request that was sent, and the files have what the result says. */
    private void assertExact(PhaseResult r, ScriptedServer server) throws Exception {
        long sent = r.requests().started() + r.requests().resent();
        await(() -> server.requests.get() >= sent);
        assertThat(server.requests.get()).isEqualTo((int) sent);
        assertAccounted(r);
    }

    private void assertAccounted(PhaseResult r) throws IOException {
        assertThat(r.requests().started())
                .isEqualTo(r.requests().completed()
                        + r.requests().errors().total()
                        + r.requests().unfinished());
        List<LoadBin> bins = LoadFile.read(run.resolve("load.csv")).bins();
        assertThat(bins.stream().mapToLong(LoadBin::started).sum())
                .isEqualTo(r.requests().started());
        assertThat(bins.stream().mapToLong(LoadBin::completed).sum())
                .isEqualTo(r.requests().completed());
        for (int i = 1; i < bins.size(); i++) {
            assertThat(bins.get(i).startNanos()).isEqualTo(bins.get(i - 1).endNanos());
        }
        assertThat(bins.getLast().endNanos()).isEqualTo(r.endNanos());
        assertThat(LatencyLog.read(run.resolve("latency.hlog"), Long.MAX_VALUE).latencies().seconds().stream()
                        .mapToLong(second -> second.count())
                        .sum())
                .isEqualTo(r.requests().completed());
    }

    @Test
    void theClosedLoop() throws Exception {
        try (ScriptedServer server = server();
                LocalSession session = driver.open(closed(7, server.url("/")), run)) {
            assertThat(session.connections()).containsExactly(3, 2, 2);
            assertThat(loops()).hasSize(before.size() + 3);
            PhaseResult r = loadUntil(session, () -> server.requests.get() >= 2000);
            assertThat(r.requests().errors()).isEqualTo(Errors.NONE);
            assertThat(r.requests().unfinished()).isEqualTo(7);
            assertExact(r, server);
            assertThat(server.connections.get()).isEqualTo(7);
            assertThat(LoadFile.read(run.resolve("load.csv")).bins()).allMatch(bin -> bin.backlog() == 7);
        }
    }

    @Test
    void fewerConnectionsThanLoops() throws Exception {
        try (ScriptedServer server = server();
                LocalSession session = driver.open(closed(1, server.url("/")), run)) {
            assertThat(session.connections()).containsExactly(1);
            assertExact(loadUntil(session, () -> server.requests.get() >= 20), server);
        }
    }

    @Test
    void aRateIsOneScheduleForAll() throws Exception {
        try (ScriptedServer server = server();
                LoadSession session = driver.open(open(1000, 6, server.url("/")), run)) {
            PhaseResult r = session.load(phase("load", 500), tick -> {});
            assertThat(r.requests().started() + r.requests().unsent()).isEqualTo(500);
            assertThat(r.requests().errors()).isEqualTo(Errors.NONE);
            assertExact(r, server);
            LoadBin last = LoadFile.read(run.resolve("load.csv")).bins().getLast();
            assertThat(last.backlog())
                    .as("in flight, and due but not sent")
                    .isEqualTo(r.requests().unfinished() + r.requests().unsent());
        }
    }

    @Test
    void aRampOfTheRateAndOneOfConnections() throws Exception {
        try (ScriptedServer server = server();
                LoadSession session = driver.open(open(1000, 6, server.url("/")), run)) {
            PhaseResult r = session.load(ramp(Shape.ramp(Shape.Of.RATE, 0, 1000)), tick -> {});
            assertThat(r.requests().started() + r.requests().unsent()).isBetween(249L, 251L);
            assertExact(r, server);
        }
        try (ScriptedServer server = server();
                LoadSession session = driver.open(closed(6, server.url("/")), run.resolve("."))) {
            int before = server.requests.get();
            PhaseResult r = session.load(ramp(Shape.ramp(Shape.Of.CONNECTIONS, 1, 6)), tick -> {});
            await(() -> server.requests.get() - before >= r.requests().started());
            assertThat(server.requests.get() - before)
                    .isEqualTo((int) r.requests().started());
            assertThat(server.connections.get()).isBetween(1, 6);
        }
    }

    private static Phase.Load ramp(Shape shape) {
        return new Phase.Load("load", Duration.ofMillis(500), Optional.empty(), Optional.of(shape), Optional.empty());
    }

    @Test
    void eachRowOfAUniqueFeedIsSentOnce() throws Exception {
        int rows = 2000;
        try (ScriptedServer server = server();
                LoadSession session =
                        driver.open(fed(7, server, "/${id}", rows, Order.UNIQUE), Optional.of(table(rows)), run)) {
            assertThatThrownBy(() -> session.load(phase("warm-up", 500_000), tick -> {}))
                    .isInstanceOf(KilnException.class)
                    .hasMessageStartingWith("all 2000 rows of ids.csv were used ");
            await(() -> server.requests.get() >= rows);
        }
        assertThat(paths())
                .containsExactlyInAnyOrderElementsOf(
                        IntStream.range(0, rows).mapToObj(i -> "/r" + i).toList());
    }

    @Test
    void eachRoundOfAFeedHasEachRowOnceAndEachRequestItsNumber() throws Exception {
        for (Order order : List.of(Order.SEQUENTIAL, Order.SHUFFLED)) {
            seen.clear();
            try (ScriptedServer server = server();
                    LoadSession session = driver.open(
                            fed(7, server, "/${id}?n=${sequence}", 10, order), Optional.of(table(10)), run)) {
                PhaseResult r = loadUntil(session, () -> server.requests.get() >= 1000);
                long sent = r.requests().started();
                await(() -> server.requests.get() >= sent);
                Map<String, Long> rows = paths().stream()
                        .collect(Collectors.groupingBy(path -> path.split("\\?", 2)[0], Collectors.counting()));
                assertThat(rows.values()).allMatch(times -> times == sent / 10 || times == sent / 10 + 1);
                assertThat(paths().stream().map(path -> path.split("=", 2)[1]))
                        .containsExactlyInAnyOrderElementsOf(LongStream.rangeClosed(1, sent)
                                .mapToObj(String::valueOf)
                                .toList());
            }
        }
    }

    private static FeedTable table(int rows) {
        FeedTable.FeedTableBuilder table = new FeedTable.FeedTableBuilder(List.of("id"));
        IntStream.range(0, rows).forEach(i -> table.add(List.of("r" + i)));
        return table.build();
    }

    private static LoadSpec fed(int connections, ScriptedServer server, String path, int rows, Order order) {
        return closed(connections, HttpCall.get(URI.create(VariedText.inUrl(server.url("") + path))))
                .with(new Variables(1, Optional.of(new Feed("ids.csv", rows, order, ""))));
    }

    /** A request a millisecond; its number says which it is. */
    @Test
    void aReplaySendsEachRecordedRequestOnceAndWithItsNumber() throws Exception {
        int rows = 50;
        FeedTable.FeedTableBuilder table = new FeedTable.FeedTableBuilder(
                List.of(Replay.METHOD, Replay.TARGET, Replay.HEADERS, Replay.BODY, Replay.AT));
        IntStream.range(0, rows)
                .forEach(i -> table.add(List.of("GET", "/r" + i, "", "", Integer.toString(i * 1_000_000))));
        try (ScriptedServer server = server()) {
            Replay replay = new Replay("access.log", rows, Duration.ofMillis(rows), 1, Optional.empty(), "");
            HttpCall call = new HttpCall(
                    "GET",
                    server.url("/up"),
                    Map.of("X-N", "${sequence}"),
                    Optional.empty(),
                    1,
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty());
            LoadSpec spec = new LoadSpec(List.of(call), 6, OptionalDouble.of(replay.rate()), LoadKit.LONG)
                    .with(new Variables(1, Optional.empty(), Optional.of(replay)));
            try (LoadSession session = driver.open(spec, Optional.of(table.build()), run)) {
                PhaseResult r = session.load(phase("load", 500), tick -> {});
                assertThat(r.requests().started() + r.requests().unsent()).isEqualTo(500);
                assertExact(r, server);
                assertThat(seen.stream()
                                .map(request -> request.split(" ", 3)[1] + " " + request.split("X-N: ", 2)[1].strip()))
                        .containsExactlyInAnyOrderElementsOf(
                                LongStream.range(0, r.requests().started())
                                        .mapToObj(i -> "/r" + i % rows + " " + (i + 1))
                                        .toList());
            }
        }
    }

    @Test
    void streamsOfHttp2() throws Exception {
        try (Http2Server server = new Http2Server(Http2Server.Exchange::ok);
                LocalSession session = driver.open(overHttp2(closed(4, server.url("/")), 5), run)) {
            assertThat(session.connections()).containsExactly(2, 1, 1);
            PhaseResult r = loadUntil(session, () -> server.requests.get() >= 1000);
            assertThat(r.requests().errors()).isEqualTo(Errors.NONE);
            assertThat(r.requests().unfinished()).isEqualTo(20);
            await(() -> server.requests.get() >= r.requests().started());
            assertThat(server.requests.get()).isEqualTo((int) r.requests().started());
            assertThat(server.connections.get()).isEqualTo(4);
            assertAccounted(r);
        }
    }

    @Test
    void timeoutsAndResets() throws Exception {
        try (ScriptedServer server = new ScriptedServer(e -> {});
                LoadSession session = driver.open(timingOut(open(200, 6, server.url("/")), 50), run)) {
            PhaseResult r = session.load(phase("load", 300), tick -> {});
            assertThat(r.requests().errors().timeout()).isPositive();
            assertThat(r.requests().started() + r.requests().unsent()).isEqualTo(60);
            assertExact(r, server);
        }
    }

    @Test
    void resetsAreCounted() throws Exception {
        try (ScriptedServer server = new ScriptedServer(e -> {
                    if (e.number() == 10) {
                        e.reset();
                    } else {
                        e.send(OK);
                    }
                });
                LoadSession session = driver.open(closed(6, server.url("/")), run)) {
            PhaseResult r = loadUntil(session, () -> server.requests.get() >= 1000);
            assertThat(r.requests().errors().reset()).isGreaterThan(50);
            assertThat(r.requests().errors().total())
                    .isEqualTo(r.requests().errors().reset());
            assertExact(r, server);
        }
    }

    @Test
    void aServerThatDiesIsFoundAgainByAllLoops() throws Exception {
        ScriptedServer before = server();
        try (LocalSession session = driver.open(closed(6, before.url("/")), run)) {
            assertThat(session.load(phase("before", 200), tick -> {}).requests().errors())
                    .isEqualTo(Errors.NONE);
            before.close();
            PhaseResult dead = session.load(phase("dead", 200), tick -> {});
            assertThat(dead.requests().completed()).isZero();
            assertThat(dead.requests().errors().refused()).isPositive();
            try (ScriptedServer after = new ScriptedServer(before.port(), e -> e.send(OK))) {
                PhaseResult r = session.load(phase("after", 300), tick -> {});
                assertThat(r.requests().errors()).isEqualTo(Errors.NONE);
                assertThat(after.connections.get()).isEqualTo(6);
            }
        }
    }

    @Test
    void aCancelEndsAllLoops() throws Exception {
        try (ScriptedServer server = server();
                LoadSession session = driver.open(closed(6, server.url("/")), run)) {
            PhaseResult r = session.load(new Phase.Load("load", Duration.ofHours(1)), tick -> session.cancel());
            assertThat(r.cancelled()).isTrue();
            assertExact(r, server);
            PhaseResult later = session.load(new Phase.Load("later", Duration.ofHours(1)), tick -> {});
            assertThat(later.cancelled()).isTrue();
            assertThat(later.endNanos() - later.startNanos())
                    .isLessThan(Duration.ofHours(1).toNanos());
        }
    }
}
