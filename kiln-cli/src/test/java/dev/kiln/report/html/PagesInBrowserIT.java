package dev.kiln.report.html;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kiln.evidence.StudyFile;
import dev.kiln.serve.Served;
import dev.kiln.startup.StartupSamples;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** The pages of {@code kiln serve} as a browser has them. */
@TestInstance(Lifecycle.PER_CLASS)
final class PagesInBrowserIT {
    /** Not loaded by the pages: the browser is told to run it in them. */
    private static final String AXE = "/axe.min.js";

    /** In CSS pixels, without margins of a centimetre and a half. */
    private static final int A4_WIDTH = 680;

    private static final String TWO = "/compare?v=one%2F%2Fplatform&v=two%2F%2Fvirtual&from=launch";

    private Path results = Path.of("");
    private Path starts = Path.of("");
    private Optional<Chromium> browser = Optional.empty();

    @BeforeAll
    void launch(@TempDir Path folder, @TempDir Path other) throws IOException {
        results = folder;
        starts = other;
        Optional<Path> program = Chromium.find();
        assumeTrue(program.isPresent(), Chromium.ABSENT);
        browser = Optional.of(Chromium.launch(program.get()));
        Served.judged(results.resolve("one"), "platform", "virtual");
        Served.judged(results.resolve("two"), "platform", "virtual");
        StudyFile.STARTUP.write(Files.createDirectory(starts.resolve("starts")), StartupSamples.evidence());
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
            for (int i = 0; i < 200 && !page.eval("over").asString().equals("finished"); i++) {
                page.settled();
            }
            page.settled();

            assertThat(page.eval("now.textContent").asString()).isEqualTo("6 of 10 runs, finished");
            assertThat(page.eval("document.querySelectorAll('#runs li').length").asInt())
                    .isEqualTo(6);
            assertThat(page.eval("document.getElementById('runs').textContent").asString())
                    .contains("platform, run 1: completed, T90 1", "virtual, run 3: completed, T90 2");
            assertThat(shown(page, "[data-chart=rate] canvas")).isEqualTo(1);
            assertThat(shown(page, "#report")).isEqualTo(1);
        }
    }
}
