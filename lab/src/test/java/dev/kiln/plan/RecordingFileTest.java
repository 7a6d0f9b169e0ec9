package dev.kiln.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.kiln.engines.Engines;
import dev.kiln.model.KilnException;
import dev.kiln.model.experiment.Experiment;
import dev.kiln.model.experiment.LoadTemplate;
import dev.kiln.model.experiment.LoadTemplate.LoadEngine;
import dev.kiln.model.experiment.Placeholders;
import dev.kiln.model.load.FeedTable;
import dev.kiln.model.load.LoadSpec;
import dev.kiln.model.load.LoadSpec.Replay;
import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

/** Recorded traffic, and what an experiment may say beside it. */
class RecordingFileTest extends LoadTexts {
    private static final String URL = "url: http://localhost:${port}/up\n";

    /** Common and combined lines of nginx, Apache and Tomcat, one of them late. */
    private static final String LOG = """
            127.0.0.1 - frank [10/Oct/2000:13:55:36 -0700] "GET /apache_pb.gif HTTP/1.0" 200 2326
            ::1 - - [10/Oct/2000:20:55:38 +0000] "GET /c?q=a%20b&x=\\x22\\"|ü HTTP/1.1" 200 1 "http://h/\\x22" "curl/8.5 (x)"
            10.0.0.9 - [odd] [10/Oct/2000:13:55:36 -0700] "HEAD http://shop:80/b#1 HTTP/1.1" 304 - "-" "-"

            10.0.0.9 - - [10/Oct/2000:13:55:37 -0700] "DELETE /d HTTP/2.0" 204 0 "http://h/d" "Mozilla/5.0 [x]"
            """;

    private static final String HAR = """
            {"log": {"version": "1.2", "creator": {"name": "any", "version": "1"}, "pages": [{"id": "p"}], "entries": [
              {"startedDateTime": "2026-01-31T12:00:01.250+01:00", "response": {"status": 200, "content": {"text": "{"}},
               "request": {"method": "POST", "url": "https://shop.example:8443/orders?a=1#x", "bodySize": 12, "headers": [
                 {"name": "Host", "value": "shop.example"}, {"name": "Content-Length", "value": "12"},
                 {"name": "Cookie", "value": "id=7"}, {"name": "Connection", "value": "keep-alive"},
                 {"name": ":authority", "value": "shop.example"}, {"name": "Authorization", "value": "Bearer old"}],
                 "postData": {"mimeType": "application/json", "text": "{\\"q\\": \\"ü\\"}"}}},
              {"startedDateTime": "2026-01-31T11:00:00.000Z",
               "request": {"method": "GET", "url": "http://shop.example", "headers": []}},
              {"startedDateTime": "2026-01-31T11:00:00.250Z",
               "request": {"method": "PUT", "url": "http://cdn.example/p q/ü", "headers": [], "bodySize": 0}}
            ]}}
            """;

    private String wrongFile(String name, String content) throws IOException {
        Files.writeString(dir.resolve(name), content);
        return wrong(URL + "replay: " + name);
    }

    private LoadTemplate load(String name, String content, String replay) throws IOException {
        Files.writeString(dir.resolve(name), content);
        return experiment(URL + "replay: " + replay).load();
    }

    private static List<List<String>> rows(LoadTemplate load) {
        FeedTable table = load.feed().orElseThrow().table();
        assertThat(table.columns()).containsExactly("method", "target", "headers", "body", "at");
        return IntStream.range(0, table.rows())
                .mapToObj(row -> IntStream.range(0, 5)
                        .mapToObj(column -> table.text(row, column))
                        .toList())
                .toList();
    }

    private static String get(int second, String rest) {
        return String.format("h - - [10/Oct/2000:13:55:%02d -0700] \"%s\" 200 5%n", second, rest);
    }

    @Test
    void aLogsRequestsAreSpreadOverTheirSecond() throws IOException {
        LoadTemplate load = load("access.log", LOG, "access.log");
        assertThat(rows(load))
                .containsExactly(
                        List.of("GET", "/apache_pb.gif", "", "", "0"),
                        List.of("HEAD", "/b", "", "", "500000000"),
                        List.of(
                                "DELETE",
                                "/d",
                                "Referer: http://h/d\r\nUser-Agent: Mozilla/5.0 [x]\r\n",
                                "",
                                "1000000000"),
                        List.of("GET", "/c?q=a%20b&x=\"\"|%C3%BC", "", "", "2000000000"));
        Replay replay = load.replay().orElseThrow();
        assertThat(replay.name()).isEqualTo("access.log");
        assertThat(replay.requests()).isEqualTo(4);
        assertThat(replay.period()).isEqualTo(Duration.ofNanos(2_666_666_667L));
        assertThat(replay.note()).isEmpty();
        assertThat(replay.sha256()).matches("[0-9a-f]{64}");
        assertThat(load.rate().orElseThrow()).isCloseTo(1.5, within(1e-6));
    }

    @Test
    void aHarFileGivesHeadersAndBodies() throws IOException {
        LoadTemplate load = load(
                "shop.har", HAR, "{file: shop.har, speed: 2, headers: {authorization: Bearer new, X-Id: '${uuid}'}}");
        assertThat(rows(load))
                .containsExactly(
                        List.of("GET", "/", "", "", "0"),
                        List.of("PUT", "/p%20q/%C3%BC", "Content-Length: 0\r\n", "", "250000000"),
                        List.of(
                                "POST",
                                "/orders?a=1",
                                "Cookie: id=7\r\nContent-Length: 11\r\n",
                                "{\"q\": \"ü\"}",
                                "1250000000"));
        assertThat(load.replay().orElseThrow().speed()).isEqualTo(2);
        assertThat(load.replay().orElseThrow().note())
                .contains("requests to 3 hosts go to one (cdn.example, shop.example, shop.example:8443)");
        assertThat(load.rate().orElseThrow()).isCloseTo(2 / 1.25 * 2, within(1e-6));

        LoadSpec spec = load.fill(new Placeholders(Map.of("port", "81")));
        assertThat(spec.replay()).isEqualTo(load.replay());
        assertThat(spec.rate()).isEqualTo(load.rate());
        assertThat(spec.calls().getFirst().url()).hasToString("http://localhost:81/up");
        assertThat(spec.calls().getFirst().headers())
                .isEqualTo(Map.of("authorization", "Bearer new", "X-Id", "${uuid}"));
    }

    @Test
    void aFileInGzipIsUnpacked() throws IOException {
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(dir.resolve("access.log.1.gz")))) {
            out.write(LOG.getBytes(StandardCharsets.UTF_8));
        }
        assertThat(rows(experiment(URL + "replay: access.log.1.gz").load())).hasSize(4);
        byte[] whole = Files.readAllBytes(dir.resolve("access.log.1.gz"));
        Files.write(dir.resolve("cut.gz"), java.util.Arrays.copyOf(whole, whole.length / 2));
        assertThat(wrong(URL + "replay: cut.gz")).startsWith("4: replay: found 'cut.gz', whose gzip is broken (");
    }

    @Test
    void whatIsNotSentIsCounted() throws IOException {
        String log = get(1, "GET /a HTTP/1.1")
                + "\n\\x16\\x03\\x01 is no line\n"
                + get(1, "\\x16\\x03")
                + get(1, "PRI * HTTP/2.0")
                + get(2, "POST /b HTTP/1.1")
                + get(3, "GET /c HTTP/1.1")
                + get(4, "GET /d HTTP/1.1");
        assertThat(load("a.log", log, "a.log").replay().orElseThrow().note())
                .contains(
                        "3 of 7 lines are no requests (line 3: no [10/Oct/2000:13:55:36 -0700] and \"GET /path HTTP/1.1\""
                                + " behind it); 1 of 7 lines is not sent, because the body was not recorded (the first is line 6)");
        String har = HAR.replace("\"2026-01-31T11:00:00.000Z\"", "\"yesterday\"");
        assertThat(load("b.har", har, "b.har").replay().orElseThrow().note().orElseThrow())
                .startsWith("1 of 3 entries is no request (entry 2: no startedDateTime such as");
    }

    @Test
    void eachBadFileIsToldBeforeTheRun() throws IOException {
        assertThat(wrong(URL + "replay: none.log"))
                .isEqualTo(
                        "4: replay: found 'none.log', which is no file that can be read, expected a HAR file, or an access"
                                + " log in the common or combined format");
        assertThat(wrongFile("a.log", "")).startsWith("4: replay: found no request in 'a.log', expected a HAR file");
        assertThat(wrongFile("b.log", "#Fields: date time\n2026-01-31 12:00:00 GET /\n"))
                .startsWith("4: replay: found 'b.log', where 2 of 2 lines are no requests (line 1: no [10/Oct/2000");
        assertThat(wrongFile("c.log", get(1, "GET /a HTTP/1.1")))
                .isEqualTo(
                        "4: replay: found one request alone in 'c.log', expected two or more with time between them");
        assertThat(wrongFile("d.log", get(1, "POST /a HTTP/1.1") + get(2, "PUT /a HTTP/1.1")))
                .isEqualTo("4: replay: found only requests in 'd.log' whose bodies were not recorded,"
                        + " expected a HAR file with them");
        assertThat(wrongFile("e.har", "{\"time\": 1}\n{\"time\": 2}\n"))
                .startsWith("4: replay: found JSON without log.entries in 'e.har'");
        assertThat(wrongFile("f.har", HAR.substring(0, HAR.length() / 2)))
                .startsWith("4: replay: found no JSON on line ")
                .doesNotContain("Source: ");
        assertThat(wrongFile("g.har", "{\"log\": {\"entries\": []}}"))
                .startsWith("4: replay: found no request in 'g.har'");
        assertThat(wrongFile(
                        "h.log", get(1, "GET /a HTTP/1.1").replace("Oct", "Okt").repeat(2)))
                .contains("2 of 2 lines are no requests (line 1: no time like [10/Oct/2000:13:55:36 -0700])");
        try (RandomAccessFile large = new RandomAccessFile(dir.resolve("i.log").toFile(), "rw")) {
            large.setLength((64L << 20) + 1_048_576);
        }
        assertThat(wrong(URL + "replay: i.log"))
                .isEqualTo("4: replay: found 'i.log' with 65.0 MB, expected at most 64 MB");
    }

    @Test
    void whatARecordingSaysIsNotSaidBesideIt() throws IOException {
        Files.writeString(dir.resolve("a.log"), LOG);
        assertThat(wrong(URL + "replay: a.log\nrate: 5"))
                .isEqualTo(
                        "5: rate: found it beside replay, expected no rate: the recording has the times, and 'replay:"
                                + " {speed: 2}' sends twice as fast");
        assertThat(wrong(URL + "replay: a.log\nfeed: a.csv"))
                .startsWith("5: feed: found it beside replay, expected one of the two");
        assertThat(wrong(URL + "replay: a.log\narrivals: poisson"))
                .startsWith("5: arrivals: found it beside replay, expected none");
        assertThat(wrong(URL + "replay: a.log\nheaders: {A: b}"))
                .startsWith("5: headers: found it beside replay, expected 'replay: {headers: ...}'");
        assertThat(wrong("calls: [{url: 'http://localhost:1/'}]\nreplay: a.log"))
                .startsWith("3: calls: found it beside replay, expected a url: the recording has the requests");
        assertThat(wrong(URL + "replay: {speed: 2}")).startsWith("4: replay: found no file, expected a HAR file");
        assertThat(wrong(URL + "replay: {file: a.log, speed: 0}"))
                .startsWith("4: speed: found '0', expected a number above zero");
        assertThat(wrong(URL + "replay: {file: a.log, headers: {A: '${id}'}}"))
                .startsWith("4: headers A: unknown placeholder '${id}'");
    }

    @Test
    void onlyAPlainLoadOfKilnsOwnDriverReplays() throws IOException {
        LoadTemplate load = load("a.log", LOG, "a.log");
        Engines.of(load).check(load, FlagExperiment.protocol("load=2s,pause=1s,load=1s"));
        assertThatThrownBy(() -> Engines.of(load).check(load, FlagExperiment.protocol("ramp=0-100%/10s,load=1s")))
                .isInstanceOf(KilnException.class)
                .hasMessageMatching("phase \\S+ changes the load, and a recording has its own times");
        for (LoadEngine engine : List.of(new LoadEngine("wrk"), new LoadEngine("h2load"))) {
            LoadTemplate other = load.with(engine);
            assertThatThrownBy(() -> Engines.of(other).check(other, FlagExperiment.protocol("load=2s")))
                    .isInstanceOf(KilnException.class)
                    .hasMessage("load: " + engine.id() + " cannot send recorded traffic (replay)");
        }
    }

    private Experiment flags(Optional<String> rate, Optional<String> feed, String replay) {
        return new FlagExperiment(dir, List.of("java", "Main", "${port}"))
                .with(ServiceFlag.URL, "http://localhost:${port}")
                .with(ServiceFlag.RATE, rate)
                .with(ServiceFlag.FEED, feed)
                .with(ServiceFlag.REPLAY, replay)
                .toExperiment();
    }

    @Test
    void flagsSayTheSame() throws IOException {
        Files.writeString(dir.resolve("a.log"), LOG);
        Optional<String> none = Optional.empty();
        LoadTemplate load = flags(none, none, "a.log").load();
        assertThat(load.replay().orElseThrow().requests()).isEqualTo(4);
        assertThat(load.rate().orElseThrow()).isCloseTo(1.5, within(1e-6));
        assertThatThrownBy(() -> flags(none, none, "b.log")).hasMessageStartingWith("--replay: found 'b.log'");
        assertThatThrownBy(() -> flags(Optional.of("5"), none, "a.log"))
                .hasMessage("--rate beside --replay: the recording has the times");
        assertThatThrownBy(() -> flags(none, Optional.of("u.csv"), "a.log"))
                .hasMessage("--feed beside --replay: the values of a recording are its own");
    }

    @Test
    void thePlanSaysWhatIsReplayed() throws IOException {
        Files.writeString(dir.resolve("a.log"), LOG);
        Experiment experiment = experiment(URL + "replay: {file: a.log, speed: 2}");
        assertThat(PlanText.render(experiment, Schedule.of(experiment)))
                .contains(
                        "requests to http://localhost:${port}/up",
                        "replayed from a.log: 4 requests in 2 s 667 ms, at 2 times the speed",
                        "open loop at about 3.00 requests/s");
    }
}
