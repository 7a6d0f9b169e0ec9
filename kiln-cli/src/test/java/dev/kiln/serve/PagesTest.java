package dev.kiln.serve;

import static dev.kiln.serve.PageTexts.brief;
import static dev.kiln.serve.PageTexts.list;
import static dev.kiln.serve.PageTexts.longAgo;
import static dev.kiln.serve.PageTexts.named;
import static dev.kiln.serve.PageTexts.tomorrow;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.cli.Kiln;
import dev.kiln.cli.RecordedRuns;
import dev.kiln.model.run.Course.Outcome;
import dev.kiln.serve.FoundFolders.TopFolders;
import java.io.IOException;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class PagesTest {
    @TempDir
    private Path results;

    private static String chosen(String... variants) {
        List<String> query = new ArrayList<>();
        for (String variant : variants) {
            query.add("v=" + URLEncoder.encode(variant, StandardCharsets.UTF_8));
        }
        return "/compare?" + String.join("&", query);
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

    /** It would be said to go on until then, and its report could not be seen. */
    @Test
    void whatWasWrittenTomorrowDoesNotGoOn() throws IOException {
        new RecordedRuns(results.resolve("killed"), 60, 100, "EPYC", Outcome.RUNNING)
                .variant(List.of("a"), "a", 2, 20, 1000);
        new RecordedRuns(results.resolve("few")).variant(List.of("a", "b", "c", "d"), "a", 1, 20, 1000);
        tomorrow(results);
        try (Served served = new Served(results)) {
            JsonNode all = list(served);
            assertThat(named(all, "killed").path("state").asString()).isEqualTo("broken off");
            assertThat(named(all, "few").path("state").asString()).isEqualTo("not judged");
            // A clock that was put back goes on from there.
            Files.writeString(results.resolve("killed/a/2/target.log"), "goes on");
            assertThat(named(list(served), "killed").path("state").asString()).isEqualTo("running");
        }
    }

    @Test
    void variantsOfSeveralExperimentsLieOverEachOtherWithTheirRatios() {
        Served.judged(results.resolve("one"), "platform", "virtual");
        Served.judged(results.resolve("two"), "platform", "virtual");
        try (Served served = new Served(results)) {
            String page = brief(served.get(chosen("one//platform", "two//virtual")));

            assertThat(page)
                    .contains(">platform<", ">virtual<", "<h2>Compared</h2>")
                    .contains("From the first request to the peak")
                    .contains(
                            "Peak: no conclusion, because virtual and platform are of two sessions, and how much sessions"
                                    + " differ is not known (95 % interval of these two +1");
            assertThat(page).as("held against the highest of what is looked at").contains("that of virtual");
            assertThat(brief(served.get(chosen("one//platform", "two//platform"))))
                    .as("and not against another of its experiment")
                    .doesNotContain("that of virtual")
                    .contains(">platform (one)<", ">platform (two)<");
            String aligned = served.get(chosen("one//platform", "one//virtual") + "&from=launch")
                    .body();
            assertThat(aligned)
                    .contains("From the launch to the peak", "\"fromLaunch\":true", "\"zero\":0")
                    .contains("2 variants", ">virtual<")
                    .doesNotContain("virtual (one)");
            assertThat(served.get("/compare").body()).contains("no variant was chosen");
            HttpResponse<String> none = served.get(chosen("one//nothing"));
            assertThat(none.statusCode()).isEqualTo(404);
            assertThat(none.body()).contains("one has no variant &#39;nothing&#39;");
        }
    }

    /** Its peak was served to another number of connections: it is no measure for the other's time. */
    @Test
    void whatWasMeasuredOtherwiseIsToldAndHeldAgainstNothing() {
        Served.judged(results.resolve("one"), "platform", "virtual");
        new RecordedRuns(results.resolve("two"), 90, 50, "EPYC", Outcome.COMPLETED)
                .variant(List.of("virtual"), "virtual", 3, 20, 3000);
        try (Served served = new Served(results)) {
            String page = brief(served.get(chosen("one//platform", "two//virtual")));

            assertThat(page)
                    .contains("virtual and platform were not measured alike: the notes under Compared say in what")
                    .contains("NOT A FAIR COMPARISON: different load")
                    .contains("60 s load, 15 s pause, 20 s load: platform; 90 s load, 15 s pause, 20 s load: virtual")
                    .contains("--v0: var(--k0); --v1: var(--k1);")
                    .doesNotContain("that of virtual");
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
