package dev.kiln.report.html;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.serve.Served;
import java.nio.file.Path;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The pages of {@code kiln serve} do in a browser what they are for. */
@TestInstance(Lifecycle.PER_CLASS)
@Order(1)
final class PagesInBrowserIT extends PagesInBrowser {
    private static int shown(BrowserPage page, String selector) {
        return page.eval("[...document.querySelectorAll(`" + selector + "`)].filter(e => e.checkVisibility()).length")
                .asInt();
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
