package dev.kiln.report.html;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.serve.Served;
import dev.kiln.testing.FullRun;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Everybody can read the pages of {@code kiln serve}: by keys, on a phone, on paper, without seeing. */
@TestInstance(Lifecycle.PER_CLASS)
@Order(1)
final class ReadablePagesIT extends PagesInBrowser {
    /** Not loaded by the pages: the browser is told to run it in them. */
    private static final String AXE = "/axe.min.js";

    /** In CSS pixels, without margins of a centimetre and a half. */
    private static final int A4_WIDTH = 680;

    private static final String TWO = "/compare?v=one%2F%2Fplatform&v=two%2F%2Fvirtual&from=launch";

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
}
