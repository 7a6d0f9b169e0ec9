package dev.kiln.report.html;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.kiln.explain.HandMade;
import dev.kiln.explain.study.ExperimentResult;
import dev.kiln.report.Samples;
import dev.kiln.report.SyntheticExperiment;
import dev.kiln.testing.FullRun;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** The report as a browser has it: opened from a file, on screens and on paper. */
final class ReportInBrowserIT extends BrowserReport {
    @Test
    void eachCallOfAMixHasALine() {
        HandMade made = HandMade.measured("a", 1000, HandMade.seconds(60, 1000));
        for (int i = 1; i <= 10; i++) {
            made.call("warmup", 10, "call " + i, i, HandMade.seconds(60, 50 + 10 * i))
                    .call("measure", 85, "call " + i, i, HandMade.seconds(20, 50 + 10 * i));
        }
        for (int width : new int[] {1200, 400}) {
            BrowserPage page = open(HandMade.assess(made), width, 900);
            for (String panel : List.of("calls", "calls99")) {
                see(page, panel);
                assertThat(count(page, "[data-panel=" + panel + "] .legend .key"))
                        .isEqualTo(10);
                assertThat(ink(page, panel)).isGreaterThan(1_000);
            }
            assertThat(page.eval("document.documentElement.scrollWidth <= " + width)
                            .asBoolean())
                    .isTrue();
            assertQuiet(page);
        }
    }

    @FullRun
    @Test
    void sixtyRunsOpenWithoutAskingForAnything() throws IOException {
        ExperimentResult result = SyntheticExperiment.result(12, 5);
        BrowserPage page = open(result, 1500, 1000);

        assertQuiet(page);
        assertThat(Files.size(directory.resolve("report.html"))).isLessThan(60L << 20);
        assertThat(Files.size(directory.resolve("report.html")) / 60).isLessThan(60_000);
        assertThat(count(page, "figure.panel"))
                .isEqualTo(Panel.ALL.stream()
                        .filter(panel -> !panel.isOfCalls() && !panel.id().equals("errors"))
                        .count());
        assertThat(ink(page)).isGreaterThan(5_000);
        assertThat(count(page, ".explanation")).isEqualTo(1);
        see(page, "yield");
        // An axis of nothing has no numbers, and the lines drawn by hand beside it go nowhere.
        assertThat(count(page, "#chart-yield .value")).isGreaterThan(1);

        page.eval("document.querySelector('[data-panel=rss]').scrollIntoView({behavior: 'instant'})");
        assertThat(ink(page.settled(), "rss")).isPositive();
        assertQuiet(page);
    }

    @Test
    void eachVariantsC2HasARowOnTheCommonAxes() {
        BrowserPage page = open(TWO, 1500, 1000);
        see(page, "c2all");

        assertThat(column(page, "c2all", -4.5)).as("both start").isEqualTo("pause c2 pause c2");
        assertThat(column(page, "c2all", 40)).as("the second is done").isEqualTo("wait c2");
        assertThat(column(page, "c2all", 68))
                .as("in the pause the first catches up")
                .isEqualTo("c2");
        assertThat(text(page, "[data-panel=c2all] figcaption")).contains("the median of a variant's valid runs");
        JsonNode over = page.box("#chart-c2all + .over");
        page.move(
                over.get("x").asDouble() + over.get("width").asDouble() / 2,
                over.get("y").asDouble() + 20);
        assertThat(text(page, "[data-panel=c2all] .legend"))
                .containsPattern("platform threads\\s+\\d+ / 9\\d %\\s+virtual threads\\s+0 / 0 %");

        see(page, "cpuall");
        assertThat(column(page, "cpuall", -4.5))
                .as("user below, system above")
                .isEqualTo("pause native plain pause native plain");
        assertThat(column(page, "cpuall", 68)).as("the compiler alone").isEqualTo("plain");
        see(page, "c2all");
        int ink = ink(page, "c2all");
        page.click("[data-show='0']");
        assertThat(ink(page, "c2all")).isLessThan(ink);
        assertThat(column(page, "c2all", 40)).isEmpty();
        assertQuiet(page);
    }

    @Test
    void eachVariantsTimeOfARequestHasARowAndAColdStartIsCut() {
        for (int width : new int[] {1500, 390}) {
            BrowserPage page = open(TWO, width, 1000);
            see(page, "budget");

            assertThat(column(page, "budget", 45))
                    .as("the second row is low: its parts are thin")
                    .startsWith("c1c wait native plain");
            assertThat(column(page, "budget", 68)).as("no request").isEmpty();
            assertThat(page.eval("[...document.querySelectorAll('#chart-budget .value')].map(e => e.innerText).join()")
                            .asString())
                    .as("twice the median of the first variant, which is 19 ms")
                    .isEqualTo("10,20,30,40,10,20,30,40");
            assertThat(page.eval("document.scrollingElement.scrollWidth").asInt())
                    .isLessThanOrEqualTo(width);
            page.eval("ruler.focus()");
            for (int i = 0; i < 9; i++) {
                page.key("ArrowRight");
            }
            assertThat(text(page, "[data-panel=budget] .legend"))
                    .as("the response time at the first request")
                    .containsPattern("\\d{2,3}\\.?\\d*\\s+virtual threads\\s+\\d{2,3}");
            assertQuiet(page);
        }
    }

    @Test
    void rowsOfTwelveVariantsAndOfANarrowScreenHaveTheirNames() {
        ExperimentResult twelve = SyntheticExperiment.result(12, 1);
        for (int width : new int[] {1500, 390}) {
            BrowserPage page = open(twelve, width, 900);
            see(page, "c2all");
            assertThat(page.box("#chart-c2all").get("height").asDouble()).isEqualTo(12 * 56 + 16);
            assertThat(count(page, "[data-panel=c2all] " + (width > 700 ? ".legend" : ".words") + " > span"))
                    .isEqualTo(12);
            assertThat(page.eval("document.scrollingElement.scrollWidth").asInt())
                    .isLessThanOrEqualTo(width);
            assertQuiet(page);
        }
    }

    @Test
    void lightAndDarkAreBothDrawn() throws IOException {
        BrowserPage page = open(TWO, 1200, 900);
        page.scheme("light");
        BufferedImage light = page.picture();
        page.scheme("dark");
        BufferedImage dark = page.picture();

        assertThat(brightness(light)).isGreaterThan(0.85);
        assertThat(brightness(dark)).isLessThan(0.3);
        assertThat(colours(light)).isGreaterThan(50);
        assertThat(colours(dark)).isGreaterThan(50);
    }

    private static double brightness(BufferedImage image) {
        return pixels(image)
                        .map(rgb -> (rgb >> 16 & 255) + (rgb >> 8 & 255) + (rgb & 255))
                        .average()
                        .orElseThrow()
                / 765;
    }

    private static long colours(BufferedImage image) {
        return pixels(image).distinct().count();
    }

    private static IntStream pixels(BufferedImage image) {
        return IntStream.range(0, image.getWidth() * image.getHeight())
                .map(i -> image.getRGB(i % image.getWidth(), i / image.getWidth()));
    }

    @Test
    void paperHasTextAndAllThatScreensFold() {
        BrowserPage page = open(TWO, 1200, 900);
        page.eval("addEventListener('beforeprint', () => window.onPaper = document.querySelector('.explanation.chosen')"
                + ".innerText + document.querySelector('#chart-rss').textContent)");
        String pdf = new String(page.pdf(), StandardCharsets.ISO_8859_1);

        assertThat(pdf).startsWith("%PDF").contains("/Font", "From the first request to the peak");
        assertThat(page.eval("window.onPaper").asString()).contains("spring.threads.virtual.enabled=true", "80 s");
        assertThat(count(page, ".explanation.chosen details[open]"))
                .as("as before")
                .isZero();
        assertQuiet(page);
    }

    @Test
    void aNarrowScreenScrollsInOneDirectionAndHasTheCauseBeforeThePanels() {
        BrowserPage page = open(TWO, 390, 800);

        assertThat(page.eval("document.scrollingElement.scrollWidth").asInt()).isLessThanOrEqualTo(390);
        assertThat(List.of(
                                ".conclusion",
                                "#findings .verdict",
                                "#findings .cure",
                                "[data-panel=rate]",
                                "[data-panel=rss]")
                        .stream()
                        .map(part -> page.box(part).get("y").asDouble()))
                .isSorted();
        assertThat(count(page, "#keys")).as("there are none").isZero();
        assertQuiet(page);
    }

    @Test
    void tablesThatAreWiderThanTheScreenSayThatTheyScroll() {
        BrowserPage page = open(TWO, 390, 800);
        String hint = "getComputedStyle(document.querySelector('header + .scroll'), '::before').content";

        assertThat(page.eval(hint).asString()).contains("scroll sideways");
        page.size(1500, 1000);
        page.settled();
        assertThat(page.eval(hint).asString()).isEqualTo("none");
        assertQuiet(page);
    }

    @Test
    void wideFindingsStandBesideTheTimeline() {
        BrowserPage page = open(TWO, 1500, 1000);

        assertThat(page.box("#findings").get("x").asDouble())
                .isGreaterThan(page.box("#chart-rate").get("right").asDouble());
        assertThat(page.box("#findings").get("y").asDouble())
                .isCloseTo(page.box("#panels").get("y").asDouble(), within(40.0));
    }

    @Test
    void withoutScriptsTheFindingsAreText() {
        BrowserPage page = browser.orElseThrow().page(1200, 900);
        page.withoutScripts();
        page.navigate(file(TWO));

        assertThat(text(page, "#findings"))
                .contains("C2 starved of CPU", "Serve requests on virtual threads", "Peaked");
        assertThat(count(page, ".explanation")).isEqualTo(6);
    }

    @Test
    void whatIsMissingIsSaidAndNothingBreaks() {
        BrowserPage page = open(Samples.nothingToSay(), 1200, 900);

        assertThat(text(page, "#timeline")).contains("No request was completed", "Invalid");
        assertQuiet(page);
    }
}
