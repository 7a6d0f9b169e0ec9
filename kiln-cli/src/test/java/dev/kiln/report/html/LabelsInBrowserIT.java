package dev.kiln.report.html;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.explain.HandMade;
import dev.kiln.explain.study.ExperimentResult;
import dev.kiln.model.run.Attached;
import dev.kiln.report.SampleExplanation;
import dev.kiln.report.Samples;
import dev.kiln.report.SyntheticExperiment;
import dev.kiln.soak.SoakReportTest;
import dev.kiln.sweep.SweepReportTest;
import dev.kiln.testing.FullRun;
import java.io.IOException;
import java.nio.file.Files;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is written on pages that are files: it stands where it belongs, and covers nothing else. */
final class LabelsInBrowserIT extends BrowserReport {
    private BrowserPage open(String html, int width) throws IOException {
        return browser.orElseThrow().page(width, 900).open(Files.writeString(directory.resolve("page.html"), html));
    }

    private BrowserPage open(ExperimentResult result, int width) throws IOException {
        return open(HtmlReport.render(result), width);
    }

    private static ExperimentResult of(HandMade... runs) {
        return HandMade.assess(runs);
    }

    private static ExperimentResult attached() {
        HandMade run = HandMade.measured("service", 1000, HandMade.seconds(60, 1000));
        run.attached = Optional.of(new Attached("port:8080", 4711, 3_720 * HandMade.SECOND, 900 * HandMade.SECOND));
        return of(run);
    }

    private static Map<String, String> pages() {
        Map<String, String> pages = new LinkedHashMap<>();
        pages.put("two variants", HtmlReport.render(SampleExplanation.explained(Samples.platformAgainstVirtual(3))));
        pages.put("twelve variants", HtmlReport.render(SyntheticExperiment.result(12, 1)));
        pages.put("one variant", HtmlReport.render(of(HandMade.measured("alone", 1000, HandMade.seconds(60, 950)))));
        pages.put("a service that ran before", HtmlReport.render(attached()));
        pages.put("nothing valid", HtmlReport.render(Samples.nothingToSay()));
        pages.put("a sweep", SweepReportTest.page());
        pages.put("a soak", SoakReportTest.page());
        return pages;
    }

    @Test
    void noTextCoversAnotherOnANarrowScreen() throws IOException {
        assertNoOverlap(400);
    }

    @ParameterizedTest
    @FullRun
    @ValueSource(ints = {900, 1400})
    void noTextCoversAnother(int width) throws IOException {
        assertNoOverlap(width);
    }

    private void assertNoOverlap(int width) throws IOException {
        for (Map.Entry<String, String> each : pages().entrySet()) {
            BrowserPage page = open(each.getValue(), width);
            assertThat(page.overlaps()).as(each.getKey() + " at " + width).isEmpty();
            assertThat(page.eval("document.scrollingElement.scrollWidth").asInt())
                    .as(each.getKey() + " scrolls sideways at " + width)
                    .isLessThanOrEqualTo(width);
            page.close();
        }
    }

    /** T90 is to the highest peak of all, here and in the table. */
    @Test
    void aTimeToALowerPeakIsNotCalledT90() throws IOException {
        BrowserPage page = open(
                of(
                        HandMade.measured(
                                "low", 823, HandMade.then(HandMade.seconds(10, 400), HandMade.seconds(50, 786))),
                        HandMade.measured(
                                "high", 1222, HandMade.then(HandMade.seconds(26, 500), HandMade.seconds(34, 1222)))),
                1500);
        page.click("[data-variant='0']");
        assertThat(words(page)).contains("90 % of its own peak 10 s");
        page.click("[data-variant='1']");
        assertThat(words(page)).contains("T90 26 s").doesNotContain("T90 10");
    }

    private static String words(BrowserPage page) {
        return page.eval("document.querySelector('[data-panel=rate] .words').innerText")
                .asString();
    }

    /** How far the label begins behind the dot of the time that it names, in pixels. */
    private static double behindItsDot(BrowserPage page, double t90) {
        return page.eval("""
                        (() => {
                          const ruler = document.getElementById("ruler"), box = ruler.getBoundingClientRect();
                          const from = Number(ruler.getAttribute("aria-valuemin")), to = Number(ruler.getAttribute("aria-valuemax"));
                          const dot = box.left + (T90 - from) / (to - from) * box.width;
                          return document.querySelector("[data-panel=rate] .words .time").getBoundingClientRect().left - dot;
                        })()""".replace("T90", Double.toString(t90))).asDouble();
    }

    /** Noise hides for half a minute whether it is at its peak: a label behind all that would seem to be of what is there. */
    @Test
    void aTimeWithAWideIntervalStandsAtItsDot() throws IOException {
        double[] unsure = HandMade.seconds(60, 1000);
        for (int i = 0; i < unsure.length; i++) {
            unsure[i] = i < 10 ? 300 : i < 35 ? 900 + 60 * (i % 3 - 1) : 1000;
        }
        BrowserPage page = open(of(HandMade.measured("unsure", 1000, unsure)), 1400);

        assertThat(words(page)).contains("T90 10 s (10-40)");
        assertThat(behindItsDot(page, 10)).isBetween(0.0, 30.0);
    }

    /** The first tick was without its second. */
    @Test
    void theRulerSaysWhereItBegins() throws IOException {
        BrowserPage page = open(of(HandMade.measured("alone", 1000, HandMade.seconds(60, 950))), 900);

        assertThat(page.eval("document.querySelector('#ruler .tick').textContent")
                        .asString())
                .isEqualTo("0 s");
    }
}
