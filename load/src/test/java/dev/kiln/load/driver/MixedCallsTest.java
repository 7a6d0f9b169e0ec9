package dev.kiln.load.driver;

import static dev.kiln.load.driver.LoadKit.call;
import static dev.kiln.load.driver.LoadKit.closed;
import static dev.kiln.load.driver.LoadKit.phase;
import static dev.kiln.load.driver.ScriptedServer.OK;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.evidence.LoadFile;
import dev.kiln.load.LoadSession;
import dev.kiln.load.PhaseResult;
import dev.kiln.load.driver.ScriptedServer.Exchange;
import dev.kiln.load.driver.http.IoThread.Transport;
import dev.kiln.model.load.LoadBin;
import dev.kiln.model.load.LoadSpec.HttpCall;
import dev.kiln.text.CsvLine;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What is counted of each call of a mix. */
@Timeout(value = 600, unit = TimeUnit.SECONDS)
class MixedCallsTest {
    private static final long SLOW_NANOS = 5_000_000;

    /** A row of {@code calls.csv} as it stands there. */
    private record Row(String phase, long start, long end, String call, long completed, long errors, String p50) {
        static Row of(String line) {
            List<String> cells = CsvLine.cells(line);
            return new Row(
                    cells.get(0),
                    Long.parseLong(cells.get(1)),
                    Long.parseLong(cells.get(2)),
                    cells.get(3),
                    Long.parseLong(cells.get(4)),
                    Long.parseLong(cells.get(5)),
                    cells.get(6));
        }
    }

    @TempDir
    Path run;

    private final LocalDriver driver = new LocalDriver(Transport.pick());
    private final List<String> seen = new ArrayList<>();

    @AfterEach
    void stop() throws InterruptedException {
        driver.close();
    }

    private synchronized void saw(String path) {
        seen.add(path);
    }

    private synchronized List<String> seen() {
        return List.copyOf(seen);
    }

    private void answer(Exchange e) throws IOException {
        saw(e.path());
        switch (e.path()) {
            case "/slow" -> {
                LockSupport.parkNanos(SLOW_NANOS);
                e.send(OK);
            }
            case "/bad?key=1" -> e.send("HTTP/1.1 503 Busy\r\nContent-Length: 4\r\n\r\nbusy");
            default -> e.send(OK);
        }
    }

    private List<Row> rows() throws IOException {
        return Files.readAllLines(run.resolve("calls.csv")).stream()
                .skip(1)
                .map(Row::of)
                .toList();
    }

    private static long sum(List<Row> rows, String call, ToLongFunction<Row> of) {
        return rows.stream()
                .filter(row -> row.call().equals(call))
                .mapToLong(of)
                .sum();
    }

    private static HttpCall named(String name, URI url) {
        return new HttpCall(
                "GET", url, Map.of(), Optional.empty(), 1, Optional.empty(), Optional.of(name), Optional.empty());
    }

    @Test
    void eachCallHasItsOwnCountsAndLatencies() throws Exception {
        long started = 0;
        long unfinished = 0;
        try (ScriptedServer server = new ScriptedServer(this::answer)) {
            try (LoadSession session = driver.open(
                    closed(
                            1,
                            call("GET", server.url("/fast"), 3),
                            named("slow one", server.url("/slow")),
                            call("GET", server.url("/bad?key=1"), 1)),
                    run)) {
                for (int millis : new int[] {2300, 300}) {
                    PhaseResult r = session.load(phase("load-" + millis, millis), tick -> {});
                    started += r.requests().started();
                    unfinished += r.requests().unfinished();
                    // The answer that was on its way comes in the pause, so that the next request follows it.
                    session.pause(LoadKit.pause(100));
                    while (seen().size() < started) {
                        Thread.sleep(2);
                    }
                    if (r.requests().unfinished() > 0) {
                        saw("unfinished " + seen().getLast());
                        started++;
                    }
                }
            }
        }
        List<Row> rows = rows();
        for (Map.Entry<String, String> path : Map.of(
                        "GET /fast", "/fast", "slow one", "/slow", "GET /bad", "/bad?key=1")
                .entrySet()) {
            long ended = seen().stream().filter(path.getValue()::equals).count()
                    - seen().stream()
                            .filter(("unfinished " + path.getValue())::equals)
                            .count();
            boolean bad = path.getKey().equals("GET /bad");
            assertThat(sum(rows, path.getKey(), Row::completed)).isEqualTo(bad ? 0 : ended);
            assertThat(sum(rows, path.getKey(), Row::errors)).isEqualTo(bad ? ended : 0);
            assertThat(ended).isPositive();
        }
        assertThat(unfinished).isLessThanOrEqualTo(2);
        assertThat(rows.stream().map(Row::call).distinct()).containsExactly("GET /fast", "slow one", "GET /bad");
        assertThat(rows)
                .filteredOn(row -> row.call().equals("GET /bad"))
                .allMatch(row -> row.p50().isEmpty());
        assertThat(rows)
                .filteredOn(row -> row.call().equals("slow one") && row.completed() > 0)
                .allMatch(row -> Long.parseLong(row.p50()) >= SLOW_NANOS * 0.99)
                .isNotEmpty();
        assertSecondsAddUp(rows);
    }

    /** The rows of a second are those of the bins of {@code load.csv} in it. */
    private void assertSecondsAddUp(List<Row> rows) throws IOException {
        List<LoadBin> bins = LoadFile.read(run.resolve("load.csv")).bins();
        assertThat(rows.stream().map(row -> row.phase() + " " + (row.end() - row.start()) / 1_000_000))
                .startsWith("load-2300 1000")
                .contains("load-2300 300", "load-300 300");
        for (Row row : rows) {
            List<LoadBin> within = bins.stream()
                    .filter(bin -> bin.phase().equals(row.phase())
                            && bin.startNanos() >= row.start()
                            && bin.endNanos() <= row.end())
                    .toList();
            List<Row> second =
                    rows.stream().filter(other -> other.start() == row.start()).toList();
            assertThat(second).hasSize(3);
            assertThat(second.stream().mapToLong(Row::completed).sum())
                    .isEqualTo(within.stream().mapToLong(LoadBin::completed).sum());
            assertThat(second.stream().mapToLong(Row::errors).sum())
                    .isEqualTo(within.stream()
                            .mapToLong(bin -> bin.errors().total())
                            .sum());
        }
    }

    @Test
    void aLoadWithOneCallHasNoFileOfCalls() throws Exception {
        try (ScriptedServer server = new ScriptedServer(this::answer);
                LoadSession session = driver.open(closed(1, server.url("/fast")), run)) {
            session.load(phase("load", 100), tick -> {});
        }
        assertThat(run.resolve("load.csv")).exists();
        assertThat(run.resolve("calls.csv")).doesNotExist();
    }

    @Test
    void beyondTwentyCallsAreCountedWithoutLatencies() throws Exception {
        try (ScriptedServer server = new ScriptedServer(this::answer)) {
            HttpCall[] calls = IntStream.range(0, 25)
                    .mapToObj(i -> call("GET", server.url("/" + i), 1))
                    .toArray(HttpCall[]::new);
            try (LoadSession session = driver.open(closed(2, calls), run)) {
                LoadKit.loadUntil(session, () -> server.requests.get() >= 200);
            }
            List<Row> rows = rows();
            assertThat(sum(rows, "GET /19", Row::completed)).isPositive();
            assertThat(sum(rows, "GET /20", Row::completed)).isPositive();
            assertThat(rows)
                    .filteredOn(row -> row.completed() > 0)
                    .allMatch(row -> row.p50().isEmpty()
                            == Stream.of(20, 21, 22, 23, 24)
                                    .anyMatch(i -> row.call().equals("GET /" + i)));
        }
    }

    @Test
    void theCallsOfReplicasCountAsOne() throws Exception {
        try (ScriptedServer one = new ScriptedServer(this::answer);
                ScriptedServer two = new ScriptedServer(this::answer)) {
            HttpCall[] calls = Stream.of(one, two)
                    .flatMap(server -> Stream.of(named("a", server.url("/a")), call("GET", server.url("/b"), 1)))
                    .toArray(HttpCall[]::new);
            PhaseResult result;
            try (LoadSession session = driver.open(closed(4, calls), run)) {
                result = LoadKit.loadUntil(session, () -> one.requests.get() >= 20 && two.requests.get() >= 20);
            }
            List<Row> rows = rows();
            assertThat(rows.stream().map(Row::call).distinct()).containsExactly("a", "GET /b");
            assertThat(sum(rows, "a", Row::completed) + sum(rows, "GET /b", Row::completed))
                    .isEqualTo(result.requests().completed());
        }
    }
}
