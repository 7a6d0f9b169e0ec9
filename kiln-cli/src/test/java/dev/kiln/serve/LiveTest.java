package dev.kiln.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.cli.Kiln;
import dev.kiln.cli.RecordedRuns;
import dev.kiln.model.run.Course.Outcome;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.LongUnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A run that grows file by file, as a recorder writes it, and those who watch it. */
@Timeout(120)
class LiveTest {
    @TempDir
    private Path folder;

    private Path whole = Path.of("");
    private Path running = Path.of("");

    private record Event(int id, String name, JsonNode data) {}

    /** Its seconds are over; only the last one still waits for the next bin. */
    @BeforeEach
    void record() throws IOException {
        new RecordedRuns(folder.resolve("whole")).variant(List.of("a"), "a", 1, 20, 1000);
        new RecordedRuns(folder.resolve("begun"), 60, 100, "EPYC", Outcome.RUNNING)
                .variant(List.of("a"), "a", 1, 20, 1000);
        whole = folder.resolve("whole/a/1");
        running = folder.resolve("results/live/a/1");
        Files.createDirectories(running);
        Files.copy(folder.resolve("begun/a/1/run.json"), running.resolve("run.json"));
    }

    /** The rows of the load from one to another; the row before the last may be cut within. */
    private void grow(int from, int to, String cut) throws IOException {
        List<String> rows = Files.readAllLines(whole.resolve("load.csv"));
        String text = String.join("\n", rows.subList(from, to)) + "\n" + cut;
        Files.writeString(running.resolve("load.csv"), text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    private void end() throws IOException {
        Files.writeString(running.resolve("run.json"), Files.readString(whole.resolve("run.json")));
        assertThat(Kiln.run("report", folder.resolve("results/live").toString()).err())
                .isEmpty();
    }

    /** Reads a stream up to the first event that is wanted. */
    private static List<Event> read(Served served, Optional<Integer> after, String until, int times)
            throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(served.url("/live/live")));
        after.ifPresent(id -> request.header("Last-Event-ID", Integer.toString(id)));
        List<Event> events = new ArrayList<>();
        try (HttpClient client = HttpClient.newHttpClient();
                InputStream in = client.send(request.build(), HttpResponse.BodyHandlers.ofInputStream())
                        .body();
                BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
            int id = 0;
            String name = "";
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith("id: ")) {
                    id = Integer.parseInt(line.substring(4));
                } else if (line.startsWith("event: ")) {
                    name = line.substring(7);
                } else if (line.startsWith("data: ")) {
                    events.add(new Event(id, name, JsonMapper.shared().readTree(line.substring(6))));
                    if (named(events, until).count() == times) {
                        break;
                    }
                }
            }
            client.shutdownNow();
        }
        return events;
    }

    private static Stream<Event> named(List<Event> events, String name) {
        return events.stream().filter(event -> event.name().equals(name));
    }

    @Test
    void eachSecondIsToldAsItComesAndOnlyOnce() throws IOException, InterruptedException {
        try (Served served = new Served(folder.resolve("results"))) {
            grow(0, 102, "warmup,10100");
            List<Event> first = read(served, Optional.empty(), "second", 10);

            assertThat(first.stream().map(Event::name)).startsWith("plan", "run", "phase");
            assertThat(first.getFirst().data().at("/phases/0/seconds").asDouble())
                    .isEqualTo(60);
            assertThat(named(first, "second").map(e -> e.data().path("s").asDouble()))
                    .containsExactly(0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0);
            assertThat(named(first, "second")
                            .skip(5)
                            .findFirst()
                            .orElseThrow()
                            .data()
                            .path("rate")
                            .asDouble())
                    .as("climbing to 1,000 in 20 s")
                    .isBetween(240.0, 300.0);

            // What was cut is completed, and the rest follows.
            Files.writeString(running.resolve("load.csv"), "", StandardOpenOption.APPEND);
            List<String> rows = Files.readAllLines(whole.resolve("load.csv"));
            Files.writeString(
                    running.resolve("load.csv"),
                    rows.get(102).substring("warmup,10100".length()) + "\n",
                    StandardOpenOption.APPEND);
            grow(103, rows.size(), "");
            Files.copy(whole.resolve("latency.hlog"), running.resolve("latency.hlog"));
            end();
            List<Event> rest = read(served, Optional.of(first.getLast().id()), "over", 1);

            assertThat(rest.getFirst().id()).isEqualTo(first.getLast().id() + 1);
            assertThat(named(rest, "second").count())
                    .as("each of them, the last one when the run is over")
                    .isEqualTo(60 + 20 - 10);
            assertThat(named(rest, "latency").count()).isEqualTo(80);
            assertThat(named(rest, "ended")
                            .findFirst()
                            .orElseThrow()
                            .data()
                            .path("outcome")
                            .asString())
                    .isEqualTo("COMPLETED");
            assertThat(rest.getLast().data().path("state").asString()).isEqualTo("finished");

            List<Event> late = read(served, Optional.empty(), "over", 1);
            assertThat(late).hasSize(rest.getLast().id());
            assertThat(late.subList(0, first.size())).isEqualTo(first);
        }
    }

    @Test
    void theEstimateNarrowsAndEndsAsTheReportHasIt() throws IOException, InterruptedException {
        List<String> rows = Files.readAllLines(whole.resolve("load.csv"));
        grow(0, rows.size(), "");
        end();
        try (Served served = new Served(folder.resolve("results"))) {
            List<JsonNode> estimates = named(read(served, Optional.empty(), "over", 1), "estimate")
                    .map(Event::data)
                    .toList();
            JsonNode last = estimates.getLast();
            JsonNode report = JsonMapper.shared()
                    .readTree(folder.resolve("results/live/result.json").toFile())
                    .at("/variants/0/runs/0/timeToReferencePeak/90");

            assertThat(estimates.getFirst().path("againstPeak").asBoolean()).isFalse();
            assertThat(last.path("againstPeak").asBoolean()).isTrue();
            assertThat(last.path("t90").asDouble()).isEqualTo(report.asDouble());
            assertThat(last.path("lo").asDouble()).isLessThanOrEqualTo(report.asDouble());
        }
    }

    /** A busy driver writes bins of uneven length: some seconds have nine of them, and are shorter. */
    @Test
    void afterTheEndTheTimeIsThatOfTheReport() throws IOException, InterruptedException {
        List<String> rows = Files.readAllLines(whole.resolve("load.csv"));
        List<String> uneven = new ArrayList<>(List.of(rows.getFirst()));
        for (String row : rows.subList(1, rows.size())) {
            String[] cells = row.split(",", -1);
            uneven.add(cells[0] + "," + later(cells[1]) + "," + later(cells[2])
                    + row.substring((cells[0] + "," + cells[1] + "," + cells[2]).length()));
        }
        Files.write(running.resolve("load.csv"), uneven);
        end();
        try (Served served = new Served(folder.resolve("results"))) {
            JsonNode last = named(read(served, Optional.empty(), "over", 1), "estimate")
                    .map(Event::data)
                    .toList()
                    .getLast();
            JsonNode run = JsonMapper.shared()
                    .readTree(folder.resolve("results/live/result.json").toFile())
                    .at("/variants/0/runs/0");

            assertThat(last.path("againstPeak").asBoolean()).isTrue();
            assertThat(last.path("t90")).isEqualTo(run.at("/timeToReferencePeak/90"));
            assertThat(List.of(last.path("lo").asDouble(), last.path("hi").asDouble()))
                    .isEqualTo(List.of(
                            run.at("/timeToPeak/90/lo").asDouble(),
                            run.at("/timeToPeak/90/hi").asDouble()));
        }
    }

    /** The first one comes to 90 % of its own peak in some seconds, and never to that of the second. */
    @Test
    void ofSeveralVariantsTheTimeIsToTheHighestPeak() throws IOException, InterruptedException {
        Path live = folder.resolve("two/live");
        List<String> names = List.of("low", "high");
        new RecordedRuns(live).variant(names, "low", 1, 5, 1000).variant(names, "high", 1, 5, 2000);
        assertThat(Kiln.run("report", live.toString()).err()).isEmpty();
        try (Served served = new Served(folder.resolve("two"))) {
            List<Event> events = read(served, Optional.empty(), "over", 1);
            Map<String, JsonNode> reported = named(events, "reported")
                    .map(Event::data)
                    .collect(Collectors.toMap(time -> variant(events, time), time -> time));

            assertThat(reported).containsOnlyKeys("low", "high");
            JsonNode low = Objects.requireNonNull(reported.get("low"));
            JsonNode high = Objects.requireNonNull(reported.get("high"));
            assertThat(low.path("words").asString()).isEqualTo("not reached in 60 s");
            assertThat(low.path("of").asString()).isEqualTo("high");
            assertThat(high.path("t90").asDouble()).isPositive();
            assertThat(high.path("of").isNull()).isTrue();
        }
    }

    private static String variant(List<Event> events, JsonNode time) {
        return named(events, "run")
                .filter(run -> run.data().path("n").equals(time.path("n")))
                .findFirst()
                .orElseThrow()
                .data()
                .path("variant")
                .asString();
    }

    /** Moves a moment by up to 95 ms, differently in each tenth of a second. */
    private static long later(String nanos) {
        long at = Long.parseLong(nanos);
        return at + at / 100_000_000L * 7 % 95 * 1_000_000L;
    }

    @Test
    void whatIsForecastDoesNotDependOnWhenAViewerComes() throws IOException, InterruptedException {
        // Starved for half a minute, then with all the CPU it wants.
        whole(
                second -> second <= 30 ? second * 30_000_000L : 900_000_000L + (second - 30) * 500_000_000L,
                second -> Math.min(second, 30) * 970_000_000L);
        try (Served served = new Served(folder.resolve("results"))) {
            List<JsonNode> estimates = named(read(served, Optional.empty(), "over", 1), "estimate")
                    .map(Event::data)
                    .toList();

            assertThat(estimates.get(4).path("forecast").asString())
                    .as("25 s, all told at once")
                    .startsWith("C2 not done before ");
            assertThat(estimates.get(10).has("forecast")).as("55 s").isFalse();
            assertThat(estimates).noneMatch(estimate -> estimate.has("cleared"));
        }
    }

    @Test
    void whenC2HasWorkedOffItsBacklogIsTold() throws IOException, InterruptedException {
        whole(second -> second <= 20 ? second * 1_000_000_000L : 20_000_000_000L + (second - 20) * 50_000_000L, s -> 0);
        try (Served served = new Served(folder.resolve("results"))) {
            List<JsonNode> estimates = named(read(served, Optional.empty(), "over", 1), "estimate")
                    .map(Event::data)
                    .toList();
            assertThat(estimates.get(3).has("cleared")).as("20 s").isFalse();
            assertThat(estimates.getLast().path("cleared").asInt()).isBetween(18, 21);
        }
    }

    /**
     * A run that is over.
     *
     * @param cpu of its C2 thread, ns by second since the launch
     * @param wait likewise for a CPU
     */
    private void whole(LongUnaryOperator cpu, LongUnaryOperator wait) throws IOException {
        StringBuilder threads =
                new StringBuilder("time_ns,tid,name,role,cpu_ns,wait_ns,slices,voluntary,involuntary\n");
        for (long second = 0; second <= 61; second++) {
            threads.append(second * 1_000_000_000L + 1)
                    .append(",7,C2 CompilerThre,C2,")
                    .append(cpu.applyAsLong(second))
                    .append(',')
                    .append(wait.applyAsLong(second))
                    .append(",1,1,1\n");
        }
        Files.writeString(running.resolve("threads.csv"), threads.toString());
        List<String> rows = Files.readAllLines(whole.resolve("load.csv"));
        grow(0, rows.size(), "");
        end();
    }

    @Test
    void aViewerWhoReadsNothingHoldsNobodyUp() throws IOException, InterruptedException {
        grow(0, 102, "");
        List<InputStream> silent = new ArrayList<>();
        try (Served served = new Served(folder.resolve("results"));
                HttpClient client = HttpClient.newHttpClient()) {
            for (int i = 0; i < 100; i++) {
                silent.add(client.send(
                                HttpRequest.newBuilder(URI.create(served.url("/live/live")))
                                        .build(),
                                HttpResponse.BodyHandlers.ofInputStream())
                        .body());
            }
            assertThat(named(read(served, Optional.empty(), "second", 10), "second")
                            .count())
                    .isEqualTo(10);
            assertThat(served.get("/").statusCode()).isEqualTo(200);
            for (InputStream one : silent) {
                one.close();
            }
            client.shutdownNow();
        }
    }
}
