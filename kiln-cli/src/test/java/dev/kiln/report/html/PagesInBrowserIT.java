package dev.kiln.report.html;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kiln.evidence.StudyFile;
import dev.kiln.serve.Served;
import dev.kiln.startup.StartupSamples;
import dev.kiln.testing.FullRun;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** The pages of {@code kiln serve} as a browser has them. */
@TestInstance(Lifecycle.PER_CLASS)
@Order(1)
final class PagesInBrowserIT {
    /** Not loaded by the pages: the browser is told to run it in them. */
    private static final String AXE = "/axe.min.js";

    /** In CSS pixels, without margins of a centimetre and a half. */
    private static final int A4_WIDTH = 680;

    private static final String TWO = "/compare?v=one%2F%2Fplatform&v=two%2F%2Fvirtual&from=launch";

    private Path results = Path.of("");
    private Path starts = Path.of("");
    private Path search = Path.of("");
    private Path compiling = Path.of("");
    private Optional<Chromium> browser = Optional.empty();

    @BeforeAll
    void launch(@TempDir Path folder, @TempDir Path other, @TempDir Path tune, @TempDir Path compiles)
            throws IOException {
        results = folder;
        starts = other;
        search = tune;
        compiling = compiles;
        Optional<Path> program = Chromium.find();
        assumeTrue(program.isPresent(), Chromium.ABSENT);
        browser = Optional.of(Chromium.launch(program.get()));
        Served.judged(results.resolve("one"), "platform", "virtual");
        Served.judged(results.resolve("two"), "platform", "virtual");
        StudyFile.STARTUP.write(Files.createDirectory(starts.resolve("starts")), StartupSamples.evidence());
        Served.search(search);
        compiles();
    }

    /** Runs whose C2 runs for 30 % of each second and waits for 50 %. */
    private void compiles() throws IOException {
        Path variant = Served.judged(compiling.resolve("c2"), "platform").resolve("platform");
        StringBuilder threads =
                new StringBuilder("time_ns,tid,name,role,cpu_ns,wait_ns,slices,voluntary,involuntary\n");
        for (long second = 0; second <= 90; second++) {
            threads.append(second * 1_000_000_000L + 1)
                    .append(",7,C2 CompilerThre,C2,%d,%d,1,1,1\n"
                            .formatted(second * 300_000_000L, second * 500_000_000L));
        }
        for (String run : List.of("1", "2", "3")) {
            Files.writeString(variant.resolve(run).resolve("threads.csv"), threads.toString());
        }
    }

    @AfterAll
    void close() {
        browser.ifPresent(Chromium::close);
    }

    private BrowserPage open(Served served, String path) {
        return browser.orElseThrow().page(1200, 900).open(served.url(path));
    }

    private static int shown(BrowserPage page, String selector) {
        return page.eval("[...document.querySelectorAll(`" + selector + "`)].filter(e => e.checkVisibility()).length")
                .asInt();
    }

    private static String axe() throws IOException {
        try (InputStream in = PagesInBrowserIT.class.getResourceAsStream(AXE)) {
            return new String(in == null ? new byte[0] : in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/service/recorded", "/watch/one", "/experiment/one", TWO})
    void hasNoBarriersAndAsksNoOtherServer(String path) throws IOException {
        assertNoBarriers(results, path);
    }

    @Test
    void aStartUpComparisonHasNone() throws IOException {
        assertNoBarriers(starts, "/experiment/starts");
    }

    private void assertNoBarriers(Path root, String path) throws IOException {
        try (Served served = new Served(root)) {
            for (String scheme : new String[] {"light", "dark"}) {
                BrowserPage page = open(served, path);
                page.scheme(scheme);
                page.eval(axe() + "; 0");
                JsonNode violations = page.eval("axe.run().then(found => found.violations.map(v => v.id + ': '"
                        + " + v.nodes.map(n => n.html.slice(0, 120) + ' ' + n.failureSummary).join(' | ')))");

                assertThat(violations).as(path + " in " + scheme).isEmpty();
                assertThat(page.problems()).isEmpty();
                assertThat(page.requests()).allMatch(url -> url.startsWith(served.url("/")) || url.startsWith("data:"));
                page.close();
            }
        }
    }

    @Test
    void aSearchAndAnAddressWithNothingHaveNone() throws IOException {
        assertNoBarriers(search, "/");
        assertNoBarriers(search, "/?page=1");
        try (Served served = new Served(search)) {
            BrowserPage page = browser.orElseThrow().page(1200, 900).open(served.url("/nothing"));
            page.eval(axe() + "; 0");
            assertThat(page.eval("axe.run().then(found => found.violations.map(v => v.id))"))
                    .isEmpty();
            page.close();
        }
    }

    @Test
    void noTextCoversAnotherOnANarrowScreen() {
        assertNoOverlap(400);
    }

    @ParameterizedTest
    @FullRun
    @ValueSource(ints = {900, 1400})
    void noTextCoversAnother(int width) {
        assertNoOverlap(width);
    }

    private void assertNoOverlap(int width) {
        assertNoOverlap(results, width, "/", "/service/recorded", "/watch/one", "/experiment/one", TWO, "/nothing");
        assertNoOverlap(compiling, width, "/watch/c2");
        assertNoOverlap(search, width, "/", "/?page=1");
        assertNoOverlap(starts, width, "/experiment/starts");
    }

    private void assertNoOverlap(Path root, int width, String... paths) {
        try (Served served = new Served(root)) {
            for (String path : paths) {
                BrowserPage page = browser.orElseThrow().page(width, 900).open(served.url(path));
                if (path.startsWith("/watch")) {
                    untilOver(page);
                }
                assertThat(page.overlaps()).as(path + " at " + width).isEmpty();
                assertThat(page.eval("document.scrollingElement.scrollWidth").asInt())
                        .as(path + " scrolls sideways")
                        .isLessThanOrEqualTo(width);
                page.close();
            }
        }
    }

    @Test
    void aTableThatIsWiderThanAPhoneSaysThatItScrolls() {
        for (Map.Entry<Path, String> at : Map.of(results, "/", search, "/?page=1", starts, "/experiment/starts")
                .entrySet()) {
            try (Served served = new Served(at.getKey())) {
                BrowserPage page = browser.orElseThrow().page(400, 800).open(served.url(at.getValue()));

                assertThat(page.eval(
                                        "getComputedStyle(document.querySelector('main .scroll.wider'), '::before').content")
                                .asString())
                        .as(at.getValue())
                        .contains("scroll sideways");
                page.close();
            }
        }
    }

    private static void untilOver(BrowserPage page) {
        for (int i = 0; i < 200 && !page.eval("over").asString().equals("finished"); i++) {
            page.settled();
        }
        page.settled();
    }

    @Test
    void aSearchFillsWhileItIsWatched(@TempDir Path folder) {
        Served.search(folder);
        try (Served served = new Served(folder)) {
            BrowserPage page = open(served, "/");
            assertThat(page.eval("document.querySelector('.conclusion').textContent")
                            .asString())
                    .startsWith("3-round-2 runs now");
            assertThat(shown(page, ".outcome.running")).isEqualTo(3);
            Served.endSearch(folder);
            for (int i = 0; i < 200 && shown(page, ".outcome.proven") == 0; i++) {
                page.settled();
            }

            assertThat(shown(page, ".outcome.proven")).isEqualTo(1);
            assertThat(page.eval("document.querySelector('.conclusion').textContent")
                            .asString())
                    .startsWith("Improved: with compiler-priority");
            assertThat(page.problems()).isEmpty();
            page.close();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/service/recorded", "/watch/one", TWO})
    void theTabKeyReachesAllThatCanBePressedAndShowsWhereItIs(String path) {
        try (Served served = new Served(results)) {
            BrowserPage page = open(served, path);
            page.eval("window.all = new Set([...document.querySelectorAll('a[href], button, input, select, summary,"
                    + " [tabindex]')].filter(e => e.tabIndex >= 0 && !e.disabled && e.checkVisibility()"
                    + " && (e.type !== 'radio' || e.checked))); 0");
            int all = page.eval("all.size").asInt();
            assertThat(all).isPositive();
            // Areas that scroll are stops too; a group of radio buttons is one, at what is chosen.
            for (int i = 0; i < 2 * all + 10; i++) {
                page.key("Tab", 9);
                page.eval("if (document.activeElement.matches(':focus-visible')"
                        + " && getComputedStyle(document.activeElement).outlineStyle !== 'none')"
                        + " all.delete(document.activeElement)");
            }

            assertThat(page.eval("[...all].map(e => e.outerHTML.slice(0, 120))"))
                    .as("not reached, or without a ring")
                    .isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/service/recorded", "/watch/one", "/experiment/one", TWO})
    void fitsAPageOfPaper(String path) {
        try (Served served = new Served(results)) {
            BrowserPage page = open(served, path);
            page.size(A4_WIDTH, 1000);
            page.paper();

            assertThat(page.eval("[...document.querySelectorAll('main *')].filter(e => e.checkVisibility()"
                            + " && e.getBoundingClientRect().right > " + A4_WIDTH
                            + ").map(e => e.outerHTML.slice(0, 90))"))
                    .as("beyond the edge")
                    .isEmpty();
            assertThat(page.eval(
                                    "[...document.querySelectorAll('input, select')].filter(e => e.checkVisibility()).length")
                            .asInt())
                    .as("nothing to choose")
                    .isZero();
        }
    }

    @Test
    void theListIsSearchedAndFilteredAndLeadsToWhatWasChosen() {
        try (Served served = new Served(results)) {
            BrowserPage page = open(served, "/");

            assertThat(shown(page, "#experiments tbody tr:not(.group)")).isEqualTo(4);
            page.eval("search.value = 'two virtual'; search.dispatchEvent(new Event('input'))");
            assertThat(shown(page, "#experiments tbody tr:not(.group)")).isEqualTo(1);
            assertThat(page.eval("found.textContent").asString()).isEqualTo("1 of 2");
            assertThat(page.eval("document.querySelector('#over button').disabled")
                            .asBoolean())
                    .isTrue();
            page.click("#experiments tbody tr:not([hidden]) input[value=\"two//virtual\"]");
            page.eval("search.value = ''; search.dispatchEvent(new Event('input'))");
            page.click("#experiments input[value=\"one//platform\"]");
            assertThat(page.eval("chosen.textContent").asString()).isEqualTo("2 chosen");
            page.click("#over button");
            page.settled();

            assertThat(page.eval("location.pathname").asString()).isEqualTo("/compare");
            assertThat(page.eval("document.querySelectorAll('.chip').length").asInt())
                    .isEqualTo(2);
            assertThat(page.problems()).isEmpty();
        }
    }

    /** The report is a page without an origin; its way back is none of its scripts. */
    @Test
    void aReportLeadsBackToTheList() {
        try (Served served = new Served(results)) {
            BrowserPage page = open(served, "/experiment/one");
            page.click(".eyebrow a");
            for (int i = 0;
                    i < 100 && !page.eval("location.pathname").asString().equals("/");
                    i++) {
                page.settled();
            }

            assertThat(page.eval("location.pathname").asString()).isEqualTo("/");
            assertThat(shown(page, "#experiments tbody")).isEqualTo(2);
        }
    }

    @Test
    void theLivePageDrawsWhatTheServerTells() {
        try (Served served = new Served(results)) {
            BrowserPage page = open(served, "/watch/one");
            untilOver(page);

            assertThat(page.eval("now.textContent").asString()).isEqualTo("6 of 10 runs, finished");
            assertThat(page.eval("document.querySelectorAll('#runs li').length").asInt())
                    .isEqualTo(6);
            assertThat(page.eval("document.getElementById('runs').textContent").asString())
                    .as("as the report has it")
                    .contains(
                            "platform, run 1: completed, T90 not reached in 60 s, to the peak of virtual",
                            "virtual, run 3: completed, T90 2");
            assertThat(shown(page, "[data-chart=rate] canvas")).isEqualTo(1);
            assertThat(shown(page, "#report")).isEqualTo(1);
            assertThat(page.eval("[moment.textContent, state.textContent]")
                            .valueStream()
                            .map(JsonNode::asString))
                    .as("nothing is now any more")
                    .containsExactly("The last run: virtual, run 3", "");
        }
    }

    @Test
    void c2sWaitLiesUponItsTimeOnTheCpu() {
        try (Served served = new Served(compiling)) {
            BrowserPage page = open(served, "/watch/c2");
            untilOver(page);

            assertThat(page.eval("""
                            (() => {
                              const canvas = root.querySelector("[data-chart=c2] canvas"), pen = canvas.getContext("2d"), kinds = {}, seen = [];
                              for (const name of ["c2", "wait"]) {
                                kinds[[1, 3, 5].map(i => parseInt(colour(name).slice(i, i + 2), 16))] = name;
                              }
                              const { data } = pen.getImageData(canvas.width / 3, 0, 1, canvas.height);
                              for (let y = 0; y < data.length; y += 4) seen.push(kinds[data.slice(y, y + 3)] || "");
                              return ["wait", "c2"].map(name => [seen.indexOf(name), seen.filter(kind => kind === name).length]);
                            })()""")
                            .valueStream()
                            .flatMap(JsonNode::valueStream)
                            .map(JsonNode::asInt)
                            .toList())
                    .satisfies(found -> {
                        assertThat(found.get(0))
                                .as("waiting is above")
                                .isNotNegative()
                                .isLessThan(found.get(2));
                        assertThat((double) found.get(1) / found.get(3)).isBetween(1.4, 2.0);
                    });
        }
    }
}
