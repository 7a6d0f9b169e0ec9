package dev.kiln.serve;

import static dev.kiln.serve.PageTexts.brief;
import static dev.kiln.serve.PageTexts.list;
import static dev.kiln.serve.PageTexts.longAgo;
import static dev.kiln.serve.PageTexts.named;
import static dev.kiln.serve.PageTexts.raw;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.cli.RecordedRuns;
import dev.kiln.evidence.StudyFile;
import dev.kiln.model.run.SearchStudy;
import dev.kiln.soak.SoakPlan;
import dev.kiln.startup.StartupSamples;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** How a search for a cure, a soak and a comparison of starts stand in the list and on their pages. */
class StudyPagesTest {
    @TempDir
    private Path results;

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
                    .doesNotContain("data-goes-on", "async function again()");
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
                    .contains(
                            "Broken off in 3-round-2",
                            "kiln tune with <span class=\"flag\">--results</span> " + search + " goes on")
                    .contains("budget: 12 min of 60 min spent, 48 min left");
        }
    }
}
