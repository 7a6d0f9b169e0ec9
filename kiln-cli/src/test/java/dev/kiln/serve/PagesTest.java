package dev.kiln.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.cli.Kiln;
import dev.kiln.cli.RecordedRuns;
import dev.kiln.evidence.StudyFile;
import dev.kiln.model.run.RunInfo.Outcome;
import dev.kiln.model.run.SearchStudy;
import dev.kiln.serve.WebServer.Site;
import dev.kiln.soak.SoakPlan;
import dev.kiln.startup.StartupSamples;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.RandomAccessFile;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class PagesTest {
    @TempDir
    private Path results;

    private static JsonNode list(Served served) {
        return JsonMapper.shared().readTree(served.get("/api/experiments").body());
    }

    private static JsonNode named(JsonNode list, String folder) {
        return list.valueStream()
                .filter(one -> one.path("folder").asString().equals(folder))
                .findFirst()
                .orElseThrow();
    }

    /** Without the library that draws, which is all of a page's length. */
    private static String brief(HttpResponse<String> answer) {
        return Stream.of(answer.body().split("(?=<script)|(?<=</script>)", -1))
                .filter(part -> part.length() < 200_000)
                .collect(Collectors.joining())
                .replace('\u00a0', ' ');
    }

    private static String chosen(String... variants) {
        List<String> query = new ArrayList<>();
        for (String variant : variants) {
            query.add("v=" + URLEncoder.encode(variant, StandardCharsets.UTF_8));
        }
        return "/compare?" + String.join("&", query);
    }

    /** As a killed Kiln leaves it, some time ago. */
    private static void longAgo(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.toList()) {
                Files.setLastModifiedTime(file, FileTime.from(Instant.now().minusSeconds(3600)));
            }
        }
    }

    @Test
    void everyExperimentIsListedWithWhatItCameTo() {
        Served.judged(results.resolve("demo-1"), "platform", "virtual");
        try (Served served = new Served(results)) {
            JsonNode demo = list(served).get(0);

            assertThat(demo.path("name").asString()).isEqualTo("recorded");
            assertThat(demo.path("started").asString()).startsWith("1970-01-01T00:16:4");
            assertThat(demo.path("state").asString()).isEqualTo("finished");
            assertThat(demo.at("/variants/1/name").asString()).isEqualTo("virtual");
            assertThat(demo.at("/variants/1/peak").asDouble()).isBetween(1150.0, 1250.0);
            assertThat(demo.at("/variants/1/t90").asString()).matches("2\\d(\\.\\d)? s.*");
            assertThat(demo.at("/verdicts/0").asString()).isEqualTo("peaked");
            assertThat(served.get("/").body())
                    .contains("1 experiment<", "/experiment/demo-1", "value=\"demo-1//virtual\"", "/service/recorded");
        }
    }

    @Test
    void aStartupComparisonIsListedAsOneAndHasAPage() throws IOException {
        Path folder = results.resolve("night/startup-1");
        StudyFile.STARTUP.write(folder, StartupSamples.evidence());
        Files.createDirectories(results.resolve("broken"));
        Files.writeString(results.resolve("broken/startup.json"), "{");
        try (Served served = new Served(results)) {
            JsonNode one = named(list(served), "night/startup-1");

            assertThat(list(served)).hasSize(2);
            assertThat(one.path("kind").asString()).isEqualTo("start-up comparison");
            assertThat(one.path("state").asString()).isEqualTo("finished");
            assertThat(one.at("/variants/1/name").asString()).isEqualTo("B");
            assertThat(one.at("/variants/1/runs").asInt())
                    .as("without those that do not count")
                    .isEqualTo(10);
            assertThat(served.get("/experiment/night/startup-1").body())
                    .contains(
                            "all experiments</a>",
                            "Ratio B/A 0.92",
                            "B is 1.08 times faster than A",
                            "555 \u00b1 8",
                            "Geomean",
                            "<circle",
                            "All starts as numbers");
            assertThat(named(list(served), "broken").path("problem").asString())
                    .contains("startup.json cannot be read");
            assertThat(served.get("/").body())
                    .contains(">start-up comparison<", "<button>Compare</button>")
                    .doesNotContain("night/startup-1//A");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "0 1,             0 1",
        "1,               1",
        "1 1 0,           1 2 0",
        "9 1,             1 0",
        "0 0 0,           0 1 2",
        "0 1 2 3 4 5 6 7 0, ''"
    })
    void variantsLaidOverEachOtherKeepTheirColoursAsFarAsTheyDiffer(String own, String given) {
        List<Integer> numbers =
                Stream.of(own.split(" ", -1)).map(Integer::valueOf).toList();

        assertThat(Overlay.colours(numbers).stream().map(String::valueOf).collect(Collectors.joining(" ")))
                .isEqualTo(given);
    }

    @Test
    void aSoakIsListedAsOne() throws IOException {
        Path soak = results.resolve("soak-1");
        new RecordedRuns(soak).variant(List.of("a"), "a", 1, 20, 1000);
        SoakPlan.FILE.write(soak, new SoakPlan(SoakPlan.SCHEMA_VERSION, List.of("x.yaml"), "/", 60, 1, 0.01));
        longAgo(soak);
        try (Served served = new Served(results)) {
            assertThat(named(list(served), "soak-1").path("kind").asString()).isEqualTo("soak");
            assertThat(named(list(served), "soak-1").path("state").asString()).isEqualTo("not judged");
            assertThat(served.get("/experiment/soak-1").body())
                    .contains("a soak without a report", "kiln soak <span class=\"flag\">--resume</span>");
            Files.writeString(soak.resolve("report.html"), "<p class=\"eyebrow\">Kiln</p>");
            assertThat(named(list(served), "soak-1").path("state").asString()).isEqualTo("finished");
            assertThat(served.get("/experiment/soak-1").body())
                    .isEqualTo("<p class=\"eyebrow\"><a href=\"/\">all experiments</a> \u00b7 Kiln</p>");
        }
    }

    /** The cells of a row as text, by the name of its first cell. */
    private static List<String> row(String page, String name) {
        String cells = Stream.of(page.split("<tr>", -1))
                .filter(row -> row.contains("class=\"text\">" + name + "</th>"))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no row " + name + " in " + page));
        return Stream.of(cells.split("</t[hd]>", -1))
                .limit(6)
                .map(cell -> cell.replaceAll("<span class=\"range\">", " / ").replaceAll("<[^>]*>", ""))
                .toList();
    }

    @Test
    void aSearchIsATableOfItsCandidates() {
        Served.search(results.resolve("demo-tune"));
        try (Served served = new Served(results)) {
            String page = brief(served.get("/experiment/demo-tune"));

            assertThat(page)
                    .contains("3-round-2 runs now: compiler-priority, xbatch against platform")
                    .contains("budget: 12 min of 60 min spent, 48 min left", "goal: warm-up cost", ">gain, s</th>")
                    .contains("<a href=\"/experiment/demo-tune/3-round-1\">3-round-1</a>", "data-goes-on");
            assertThat(row(page, "platform"))
                    .containsExactly(
                            "platform",
                            "the baseline",
                            "",
                            "1-baseline, 2-screen, 3-round-1, 3-round-2",
                            "6",
                            "\u2013");
            assertThat(row(page, "compiler-priority"))
                    .containsExactly(
                            "compiler-priority",
                            "favoured &lt;compilers&gt;",
                            "running",
                            "2-screen, 3-round-1, 3-round-2",
                            "4",
                            "+11.0 / +10.4 to +12.1");
            assertThat(row(page, "xbatch"))
                    .as("the run that goes on is none yet")
                    .containsExactly("xbatch", "JVM flags -Xbatch", "running", "3-round-1, 3-round-2", "1", "+9.5");
            assertThat(row(page, "virtual-threads"))
                    .containsExactly(
                            "virtual-threads",
                            "virtual threads",
                            "out: others gained more",
                            "3-round-1",
                            "1",
                            "\u22120.3");
            assertThat(row(page, "c1-only").get(2)).isEqualTo("out: its peak is 0.80 of the baseline&#39;s");
            assertThat(row(page, "aot-traffic")).containsSequence("waiting", "", "0", "\u2013");
        }
    }

    @Test
    void anEndedSearchSaysWhatItCameTo() throws IOException {
        Path search = Served.search(results.resolve("demo-tune"));
        Served.endSearch(search);
        longAgo(search);
        try (Served served = new Served(results)) {
            String page = brief(served.get("/experiment/demo-tune"));

            assertThat(page)
                    .contains(
                            "<p class=\"conclusion\">Improved: with compiler-priority the warm-up cost is 10 s instead")
                    .doesNotContain("data-goes-on", "<script");
            assertThat(row(page, "compiler-priority").get(2)).isEqualTo("proven");
            assertThat(row(page, "aot-traffic").get(2)).isEqualTo("not tried: the budget ended before");
            JsonNode one = named(list(served), "demo-tune");
            assertThat(one.path("kind").asString()).isEqualTo("search");
            assertThat(one.path("state").asString()).isEqualTo("finished");
            assertThat(one.path("conclusion").asString()).startsWith("Improved: with compiler-priority");
            assertThat(list(served)).hasSize(5);
            assertThat(list(served).get(0)).as("above its stages").isEqualTo(one);
        }
    }

    @Test
    void theFolderOfASearchIsShownAsOneAndItsStagesAsAList() throws IOException {
        Path search = Served.search(results.resolve("demo-tune"));
        Files.createDirectory(search.resolve("tuned"));
        try (Served served = new Served(search)) {
            assertThat(brief(served.get("/")))
                    .contains(
                            "3-round-2 runs now",
                            "<a href=\"/experiment/1-baseline\">",
                            "<a href=\"/?page=1\">all experiments");
            // So a browser asks for the page of the root.
            assertThat(brief(raw(served, "/experiment/"))).contains("3-round-2 runs now");
            assertThat(brief(served.get("/?page=1")))
                    .contains("/experiment/3-round-1\"", ">search</span>")
                    .doesNotContain("tuned", "there is no run");
        }
    }

    /** Earlier versions of Kiln wrote two figures and nothing to show. */
    @Test
    void aSearchOfAnEarlierKilnHasItsStages() throws IOException {
        Path search = Served.search(results.resolve("demo-tune"));
        Files.writeString(
                search.resolve("tune.json"), "{\"schemaVersion\": 1, \"question\": \"q\", \"spentSeconds\": 1.5}");
        longAgo(search);
        try (Served served = new Served(results)) {
            assertThat(brief(served.get("/experiment/demo-tune")))
                    .contains("An earlier Kiln searched here", ">2-screen</a>", "compiler-priority");
            assertThat(named(list(served), "demo-tune").path("state").asString())
                    .isEqualTo("not judged");
            Files.writeString(search.resolve("tune.json"), "{");
            assertThat(named(list(served), "demo-tune").path("problem").asString())
                    .contains("tune.json cannot be read");
            assertThat(served.get("/experiment/demo-tune").statusCode()).isEqualTo(404);
            assertThat(served.log()).isEmpty();
        }
    }

    @Test
    void aSearchThatWasKilledSaysHowToGoOn() throws IOException {
        Path search = Served.search(results.resolve("demo-tune"));
        longAgo(search);
        SearchStudy study = StudyFile.SEARCH.read(search);
        StudyFile.SEARCH.write(
                search, new SearchStudy(1, 720, study.table().map(table -> table.with(table.candidates(), 1_000_000))));
        try (Served served = new Served(results)) {
            assertThat(brief(served.get("/experiment/demo-tune")))
                    .contains("Broken off in 3-round-2", "kiln tune with <span class=\"flag\">--results</span> " + search + " goes on")
                    .contains("budget: 12 min of 60 min spent, 48 min left");
        }
    }

    @Test
    void whatIsNotThereIsAPageWithAWayBack() {
        Served.judged(results.resolve("good"), "a");
        try (Served served = new Served(results)) {
            for (String path : List.of("/nothing", "/experiment/none", "/service/none", "/compare", "/watch/none")) {
                HttpResponse<String> page = served.get(path);
                assertThat(page.statusCode()).as(path).isEqualTo(404);
                assertThat(page.headers().firstValue("Content-Type")).contains("text/html; charset=utf-8");
                assertThat(page.body())
                        .as(path)
                        .contains(
                                "<h1>Not found</h1>",
                                "<a href=\"/\">all experiments</a>",
                                "Back to all experiments</a>");
            }
            assertThat(served.get("/experiment/none").body()).contains("there is no experiment none here");
            for (String path : List.of("/api/none", "/live/none")) {
                assertThat(served.get(path).headers().firstValue("Content-Type"))
                        .as("programs read lines")
                        .contains("text/plain; charset=utf-8");
            }
        }
    }

    @Test
    void aServiceWithOneRunHasItsPoint() {
        new RecordedRuns(results.resolve("night")).variant(List.of("a"), "a", 1, 20, 1000);
        assertThat(Kiln.run("report", results.resolve("night").toString()).err())
                .isEmpty();
        try (Served served = new Served(results)) {
            assertThat(served.get("/service/recorded").body())
                    .contains("1 experiment, 1 run", "Peak <small>req/s</small>", "<circle");
        }
    }

    @Test
    void whatIsWrongWithAnExperimentIsSaidAndTheOthersWork() throws IOException {
        Served.judged(results.resolve("good"), "a", "b");
        Path broken = results.resolve("broken");
        Files.createDirectories(broken.resolve("a/1"));
        Files.writeString(broken.resolve("a/1/run.json"), "{\"schemaVersion\": 1, ");
        Files.createDirectories(results.resolve("foreign/data"));
        Files.writeString(results.resolve("foreign/data/x.csv"), "a,b\n1,2\n");
        new RecordedRuns(results.resolve("killed"), 60, 100, "EPYC", Outcome.RUNNING)
                .variant(List.of("a"), "a", 2, 20, 1000);
        longAgo(results.resolve("killed"));
        new RecordedRuns(results.resolve("unjudged")).variant(List.of("a"), "a", 5, 20, 1000);
        Path late = Served.judged(results.resolve("late"), "a");
        new RecordedRuns(late).variant(List.of("a", "b"), "b", 3, 20, 1000);
        Path odd = Served.judged(results.resolve("odd"), "a");
        Files.writeString(odd.resolve("summary.json"), "[]");

        try (Served served = new Served(results)) {
            JsonNode all = list(served);

            assertThat(all).hasSize(7);
            assertThat(named(all, "good").path("problem").isNull()).isTrue();
            assertThat(named(all, "broken").path("state").asString()).isEqualTo("cannot be read");
            assertThat(named(all, "broken").path("problem").asString()).contains("run.json");
            assertThat(named(all, "foreign").path("problem").asString()).startsWith("there is no run of Kiln in it");
            assertThat(named(all, "killed").path("state").asString()).isEqualTo("broken off");
            assertThat(named(all, "unjudged").path("state").asString()).isEqualTo("not judged");
            assertThat(named(all, "late").path("problem").asString())
                    .isEqualTo("3 runs came after its report; kiln report late judges it again");
            assertThat(named(all, "odd").path("problem").asString()).contains("summary.json has format 0");
            assertThat(brief(served.get("/experiment/good"))).contains("<title>recorded");
            assertThat(brief(served.get("/experiment/unjudged")))
                    .as("judged for the page alone")
                    .contains("<title>recorded");
            assertThat(results.resolve("unjudged/report.html")).doesNotExist();
            assertThat(served.get("/experiment/broken").statusCode()).isEqualTo(404);
            assertThat(served.log()).isEmpty();
        }
    }

    @Test
    void variantsOfSeveralExperimentsLieOverEachOtherWithTheirRatios() {
        Served.judged(results.resolve("one"), "platform", "virtual");
        Served.judged(results.resolve("two"), "platform", "virtual");
        try (Served served = new Served(results)) {
            String page = brief(served.get(chosen("one//platform", "two//virtual")));

            assertThat(page)
                    .contains("platform \u00b7 one", "virtual \u00b7 two", "<h2>Compared</h2>")
                    .contains("From the first request to the peak")
                    .contains(
                            "Peak: no conclusion, because virtual \u00b7 two and platform \u00b7 one are of two sessions, and how much"
                                    + " sessions differ is not known (95 % interval of these two +1");
            assertThat(page).as("held against the highest of what is looked at").contains("that of virtual \u00b7 two");
            assertThat(brief(served.get(chosen("one//platform", "two//platform"))))
                    .as("and not against another of its experiment")
                    .doesNotContain("that of virtual");
            String aligned = served.get(chosen("one//platform", "one//virtual") + "&from=launch")
                    .body();
            assertThat(aligned)
                    .contains("From the launch to the peak", "\"fromLaunch\":true", "\"zero\":0")
                    .contains("2 variants", ">virtual<")
                    .doesNotContain("virtual \u00b7 one");
            assertThat(served.get("/compare").body()).contains("no variant was chosen");
            HttpResponse<String> none = served.get(chosen("one//nothing"));
            assertThat(none.statusCode()).isEqualTo(404);
            assertThat(none.body()).contains("one has no variant &#39;nothing&#39;");
        }
    }

    @Test
    void aServiceOverTimeLeadsToTheRunsBehindEachPoint() {
        for (int week = 1; week <= 4; week++) {
            Served.judged(results.resolve("night " + week), "a");
        }
        try (Served served = new Served(results)) {
            HttpResponse<String> page = served.get("/service/recorded");

            assertThat(page.body())
                    .contains("4 experiments, 12 runs", "recorded, a</h2>", "href=\"/experiment/night%202\"")
                    .contains("Peak <small>req/s</small>", "<details><summary>Runs</summary>");
            assertThat(served.get("/service/unknown").statusCode()).isEqualTo(404);
        }
    }

    @Test
    void hostileNamesAreOnlyText() {
        String hostile = "<img src=x onerror=alert(1)>\u202egnp";
        Path folder = results.resolve("<script>alert(2)<!--");
        new RecordedRuns(folder).variant(List.of(hostile), hostile, 2, 20, 1000);
        try (Served served = new Served(results)) {
            String page = served.get("/").body();

            assertThat(page).doesNotContain("<img", "<script>alert", "\u202e").contains("&lt;img src=x onerror");
            assertThat(page.split("<script>", -1)).hasSize(2);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/experiment/../../etc/passwd",
                "/experiment/%2e%2e/%2e%2e/etc/passwd",
                "/experiment/..%2f..%2fetc%2fpasswd",
                "/experiment/",
                "/experiment/link",
                "/live/..",
                "/watch/%00",
                "/etc/passwd",
                "/api/",
                "/api/../api/experiments2"
            })
    void nothingOutsideTheFolderIsServed(String path) throws IOException {
        Served.judged(results.resolve("in/good"), "a");
        Path outside = Served.judged(results.resolve("out"), "secret");
        Files.createSymbolicLink(results.resolve("in/link"), outside);
        try (Served served = new Served(results.resolve("in"))) {
            HttpResponse<String> answer = raw(served, path);

            assertThat(answer.statusCode()).isEqualTo(404);
            assertThat(answer.body()).doesNotContain("root:x", "secret");
            assertThat(list(served)).hasSize(1);
        }
    }

    /** Java's client tidies paths up. */
    private static HttpResponse<String> raw(Served served, String path) {
        return served.send(
                HttpRequest.newBuilder(URI.create(served.url("") + path)).build());
    }

    @Test
    void aReportThatIsALinkIsNotFollowed() throws IOException {
        Path good = Served.judged(results.resolve("good"), "a");
        Path secret = results.resolve("secret.txt");
        Files.writeString(secret, "a secret");
        Files.delete(good.resolve("report.html"));
        Files.createSymbolicLink(good.resolve("report.html"), secret);
        try (Served served = new Served(results)) {
            assertThat(brief(served.get("/experiment/good")))
                    .contains("<title>recorded")
                    .doesNotContain("a secret");
        }
    }

    @Test
    void onlyReadsAndOnlyForThisMachine() throws IOException {
        Served.judged(results.resolve("good"), "a");
        try (Served served = new Served(results)) {
            HttpResponse<String> posted = served.send(HttpRequest.newBuilder(URI.create(served.url("/")))
                    .POST(HttpRequest.BodyPublishers.ofString("x"))
                    .build());
            assertThat(posted.statusCode()).isEqualTo(405);
            assertThat(posted.headers().firstValue("Allow")).contains("GET, HEAD");
            assertThat(withHost(served, "evil.example")).startsWith("HTTP/1.1 421");
            assertThat(withHost(served, "localhost:" + served.port())).startsWith("HTTP/1.1 200");
            assertThat(served.get("/")
                            .headers()
                            .firstValue("Content-Security-Policy")
                            .orElse(""))
                    .contains("default-src 'none'", "frame-ancestors 'none'");
            assertThat(served.get("/experiment/good")
                            .headers()
                            .firstValue("Content-Security-Policy")
                            .orElse(""))
                    .as("its scripts cannot read the other pages")
                    .startsWith("sandbox allow-scripts allow-downloads;");
        }
    }

    private static String withHost(Served served, String host) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), served.port())) {
            OutputStream out = socket.getOutputStream();
            out.write(("GET / HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n")
                    .getBytes(StandardCharsets.UTF_8));
            out.flush();
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void whereOthersCanReachItEachRequestNeedsTheToken() {
        Served.judged(results.resolve("good"), "a");
        try (Served served = new Served(results, Optional.of("0123abc"))) {
            assertThat(served.get("/").statusCode()).isEqualTo(401);
            assertThat(served.get("/live/good").statusCode()).isEqualTo(401);
            assertThat(served.get("/?token=0123abd").statusCode()).isEqualTo(401);
            HttpResponse<String> login = served.get("/experiment/good?token=0123abc");
            assertThat(login.statusCode()).isEqualTo(303);
            assertThat(login.headers().firstValue("Location"))
                    .as("the token leaves the address")
                    .contains("/experiment/good");
            assertThat(served.get("//elsewhere.example/?token=0123abc")
                            .headers()
                            .firstValue("Location")
                            .orElse("//"))
                    .as("no other server")
                    .doesNotStartWith("//");
            String cookie = login.headers().firstValue("Set-Cookie").orElse("");
            assertThat(cookie).contains("HttpOnly", "SameSite=Lax");
            assertThat(served.get("/", "Cookie", "a=b; " + cookie.replaceAll(";.*", ""))
                            .statusCode())
                    .isEqualTo(200);
            assertThat(served.get("/", "Authorization", "Bearer 0123abc").statusCode())
                    .isEqualTo(200);
        }
    }

    @Test
    void aHundredClientsThatSendNothingHoldNobodyUp() throws IOException {
        Served.judged(results.resolve("good"), "a");
        List<Socket> idle = new ArrayList<>();
        try (Served served = new Served(results)) {
            for (int i = 0; i < 100; i++) {
                Socket socket = new Socket(InetAddress.getLoopbackAddress(), served.port());
                idle.add(socket);
                if (i % 2 == 0) {
                    // Asks for a large page, and reads nothing of it.
                    socket.setReceiveBufferSize(1024);
                    socket.getOutputStream()
                            .write("GET /experiment/good HTTP/1.1\r\nHost: localhost\r\n\r\n"
                                    .getBytes(StandardCharsets.UTF_8));
                }
            }
            assertThat(served.get("/").statusCode()).isEqualTo(200);
        } finally {
            for (Socket socket : idle) {
                socket.close();
            }
        }
    }

    /** A pipe, or gigabytes of nothing, in one folder of somebody else. */
    @ParameterizedTest
    @CsvSource({
        "summary.json,false",
        "platform/1/run.json,false",
        "report.html,false",
        "startup.json,false",
        "labels.properties,false",
        "tune.json,false",
        "platform/1/load.csv,false",
        "summary.json,true",
        "platform/1/run.json,true",
        "report.html,true",
        "startup.json,true",
        "tune.json,true"
    })
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void oneBadFolderCostsNoOther(String name, boolean huge) throws Exception {
        Served.judged(results.resolve("good"), "platform");
        Path bad = results.resolve("bad");
        new RecordedRuns(bad).variant(List.of("platform"), "platform", 1, 20, 1000);
        Path file = bad.resolve(name);
        Files.deleteIfExists(file);
        if (huge) {
            try (RandomAccessFile made = new RandomAccessFile(file.toFile(), "rw")) {
                made.setLength(3L << 30);
            }
        } else {
            new ProcessBuilder("mkfifo", file.toString()).start().waitFor();
        }
        try (Served served = new Served(results)) {
            assertThat(served.get("/").statusCode()).isEqualTo(200);
            assertThat(list(served)).hasSize(2);
            assertThat(served.get("/experiment/good").statusCode()).isEqualTo(200);
            assertThat(served.get("/service/test").statusCode()).isIn(200, 404);
            assertThat(served.get("/experiment/bad").statusCode()).isIn(200, 303, 404, 500);
            assertThat(served.get("/experiment/good").body()).contains("platform");
            assertThat(served.log()).isEmpty();
        }
    }

    @Test
    void anErrorCostsOnePage() {
        Site broken = request -> {
            if (request.path().equals("/deep")) {
                throw new StackOverflowError();
            }
            return WebServer.text(200, "fine");
        };
        StringWriter log = new StringWriter();
        try (WebServer server = WebServer.start(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                Optional.empty(),
                broken,
                new PrintWriter(log))) {
            assertThat(status(server, "/deep")).isEqualTo(500);
            assertThat(status(server, "/other")).isEqualTo(200);
            assertThat(log.toString()).contains("/deep: a bug in Kiln");
        }
    }

    private static int status(WebServer server, String path) {
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(
                            HttpRequest.newBuilder(URI.create("http://localhost:" + server.port() + path))
                                    .build(),
                            HttpResponse.BodyHandlers.ofString())
                    .statusCode();
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void manyFoldersAreSeveralPages() throws Exception {
        for (int i = 0; i < Library.PAGE + 20; i++) {
            Files.createDirectory(results.resolve("empty" + i));
        }
        Served.judged(results.resolve("newest"), "platform");
        Files.setLastModifiedTime(
                results.resolve("newest"), FileTime.from(Instant.now().plusSeconds(60)));
        try (Served served = new Served(results)) {
            assertThat(list(served)).hasSize(Library.PAGE);
            assertThat(named(list(served), "newest").path("state").asString()).isEqualTo("finished");
            JsonNode second = JsonMapper.shared()
                    .readTree(served.get("/api/experiments?page=2").body());
            assertThat(second).hasSize(21);
            assertThat(served.get("/api/experiments?page=3").body().strip()).isEqualTo("[ ]");
            assertThat(brief(served.get("/")))
                    .contains("Page 1 of 2")
                    .contains("/?page=2")
                    .doesNotContain("newer");
            assertThat(brief(served.get("/?page=2"))).contains("/?page=1").doesNotContain("older");
            assertThat(served.get("/experiment/newest").statusCode()).isEqualTo(200);
        }
    }

    /** The time in a name is when it was begun; a copy, or a report, changes a folder later. */
    @Test
    void theLastBegunComeFirst() throws Exception {
        for (int i = 0; i < Library.PAGE; i++) {
            Files.createDirectory(results.resolve("shop-20260102-%06d".formatted(i)));
        }
        Path old = Files.createDirectory(results.resolve("shop-20250101-000000"));
        Files.setLastModifiedTime(old, FileTime.from(Instant.now().plusSeconds(60)));
        Files.createDirectory(results.resolve("shop-20260102-235959-2"));
        Path notes = Files.writeString(results.resolve("notes-20260103-000000"), "no folder");
        assertThat(TopFolders.of(results)).hasSize(Library.PAGE + 2).doesNotContain(notes);
        try (Served served = new Served(results)) {
            assertThat(named(list(served), "shop-20260102-235959-2")
                            .path("state")
                            .asString())
                    .isEqualTo("cannot be read");
            JsonNode second = JsonMapper.shared()
                    .readTree(served.get("/api/experiments?page=2").body());
            assertThat(named(second, "shop-20250101-000000").path("state").asString())
                    .isEqualTo("cannot be read");
        }
    }

    /** Its folders are variants. */
    @Test
    void anExperimentWithManyVariantsIsOne() throws Exception {
        new RecordedRuns(results).variant(List.of("v0"), "v0", 1, 20, 1000);
        for (int i = 1; i <= Library.PAGE; i++) {
            Path run = Files.createDirectories(results.resolve("v" + i + "/1"));
            Files.copy(results.resolve("v0/1/run.json"), run.resolve("run.json"));
        }
        try (Served served = new Served(results)) {
            assertThat(list(served)).hasSize(1);
        }
    }
}
