package dev.kiln.report.html;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kiln.explain.HandMade;
import dev.kiln.explain.study.ExperimentResult;
import dev.kiln.report.SampleExplanation;
import dev.kiln.report.SampleRun;
import dev.kiln.report.Samples;
import dev.kiln.report.SyntheticExperiment;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The report as a browser has it: opened from a file, read by pointer and by keys, on screens and on paper. */
@TestInstance(Lifecycle.PER_CLASS)
final class ReportInBrowserIT {
    private static final ExperimentResult TWO = SampleExplanation.explained(Samples.platformAgainstVirtual(3));

    @TempDir
    private Path directory;

    private Optional<Chromium> browser = Optional.empty();

    @BeforeAll
    void launch() throws IOException {
        Optional<Path> program = Chromium.find();
        assumeTrue(program.isPresent(), Chromium.ABSENT);
        browser = Optional.of(Chromium.launch(program.get()));
    }

    @AfterAll
    void close() {
        browser.ifPresent(Chromium::close);
    }

    private Path file(ExperimentResult result) {
        Path file = directory.resolve("report.html");
        HtmlReport.write(result, file);
        return file;
    }

    private BrowserPage open(ExperimentResult result, int width, int height) {
        return browser.orElseThrow().page(width, height).open(file(result));
    }

    private static void assertQuiet(BrowserPage page) {
        assertThat(page.problems()).isEmpty();
        assertThat(page.requests()).allMatch(url -> url.startsWith("file:") || url.startsWith("data:"));
        assertThat(page.requests().stream().filter(url -> url.startsWith("file:")))
                .hasSize(1);
    }

    private static int count(BrowserPage page, String selector) {
        return page.eval("[...document.querySelectorAll(`" + selector + "`)].filter(e => e.checkVisibility()).length")
                .asInt();
    }

    private static String text(BrowserPage page, String selector) {
        return page.eval("document.querySelector(`" + selector + "`).innerText").asString();
    }

    /** Pixels that the lines of the throughput cover; those of axes and grid do not count. */
    private static int ink(BrowserPage page) {
        return ink(page, "rate");
    }

    private static int ink(BrowserPage page, String panel) {
        return page.eval("""
                        (canvas => {
                          const copy = document.createElement('canvas');
                          copy.width = canvas.width;
                          copy.height = canvas.height;
                          const pen = copy.getContext('2d', { willReadFrequently: true });
                          pen.drawImage(canvas, 0, 0);
                          const { data } = pen.getImageData(0, 0, copy.width, copy.height);
                          const css = getComputedStyle(document.documentElement);
                          const axes = ['grid', 'rule'].map(name => css.getPropertyValue('--' + name).trim())
                            .map(hex => [1, 3, 5].map(i => parseInt(hex.slice(i, i + 2), 16)).join());
                          return data.filter((value, i) => i % 4 === 3 && value > 0
                            && !axes.includes([data[i - 3], data[i - 2], data[i - 1]].join())).length;
                        })(document.querySelector('[data-panel=PANEL] canvas'))""".replace("PANEL", panel)).asInt();
    }

    /** Panels are drawn when they come into sight. */
    private static void see(BrowserPage page, String panel) {
        page.eval("document.querySelector('[data-panel=" + panel
                + "]').scrollIntoView({block: 'center', behavior: 'instant'})");
        page.settled();
    }

    private static double moment(BrowserPage page) {
        return page.eval("Number(ruler.getAttribute('aria-valuenow'))").asDouble();
    }

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
    void oneCursorStandsInAllPanels() {
        BrowserPage page = open(TWO, 1500, 1000);
        see(page, "c2");
        JsonNode over = page.box("#chart-c2 + .over");
        double second = over.get("width").asDouble()
                / page.eval("ruler.getAttribute('aria-valuemax') - ruler.getAttribute('aria-valuemin')")
                        .asDouble();
        double zero = over.get("x").asDouble()
                - second
                        * page.eval("Number(ruler.getAttribute('aria-valuemin'))")
                                .asDouble();
        page.move(zero + 45 * second, over.get("y").asDouble() + 50);

        assertThat(moment(page)).isEqualTo(45);
        assertThat(page.eval("new Set([...document.querySelectorAll('.cursor')].map(c => c.style.left)).size")
                        .asInt())
                .isEqualTo(1);
        assertThat(text(page, "[data-panel=c2] .legend")).containsPattern("waiting\\s+9\\d %");
        assertThat(text(page, "[data-panel=rate] .legend"))
                .contains("platform threads", "virtual threads")
                .containsPattern("5,\\d{3}");
    }

    /** The pixels in one column of the rows, from top to bottom, by the colours that areas have. */
    private static String column(BrowserPage page, String panel, double second) {
        return page.eval("""
                        (second => {
                          const canvas = document.querySelector('[data-panel=PANEL] canvas'), { width } = canvas.getBoundingClientRect();
                          const plot = document.querySelector('[data-panel=PANEL] .over').getBoundingClientRect();
                          const [from, to] = ['min', 'max'].map(end => Number(ruler.getAttribute('aria-value' + end)));
                          const x = plot.left - canvas.getBoundingClientRect().left + (second - from) / (to - from) * plot.width;
                          const copy = document.createElement('canvas');
                          copy.width = canvas.width;
                          copy.height = canvas.height;
                          const pen = copy.getContext('2d', { willReadFrequently: true });
                          pen.drawImage(canvas, 0, 0);
                          const css = getComputedStyle(document.documentElement), kinds = {};
                          for (const name of ['c1c', 'c2', 'wait', 'pause', 'plain', 'native']) {
                            const hex = css.getPropertyValue('--' + name).trim();
                            kinds[[1, 3, 5].map(i => parseInt(hex.slice(i, i + 2), 16))] = name;
                          }
                          const { data } = pen.getImageData(Math.round(x * canvas.width / width), 0, 1, copy.height), seen = [];
                          for (let y = 0; y < data.length; y += 4) {
                            const kind = kinds[data.slice(y, y + 3)];
                            if (kind && kind !== seen[seen.length - 1]) seen.push(kind);
                          }
                          return seen.join(' ');
                        })(SECOND)""".replace("SECOND", Double.toString(second)).replace("PANEL", panel))
                .asString();
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
    void draggingZoomsAllPanelsAndTheButtonShowsTheWholeRun() {
        BrowserPage page = open(TWO, 1500, 1000);
        see(page, "rate");
        JsonNode over = page.box("#chart-rate + .over");
        double x = over.get("x").asDouble();
        double width = over.get("width").asDouble();
        page.drag(x + 0.3 * width, x + 0.5 * width, over.get("y").asDouble() + 80);

        double from = page.eval("Number(ruler.getAttribute('aria-valuemin'))").asDouble();
        double to = page.eval("Number(ruler.getAttribute('aria-valuemax'))").asDouble();
        assertThat(to - from).isCloseTo(0.2 * 103, within(3.0));
        assertThat(count(page, "#reset")).isEqualTo(1);

        page.click("#reset");
        assertThat(page.eval("Number(ruler.getAttribute('aria-valuemax'))").asDouble())
                .isEqualTo(95);
        assertThat(count(page, "#reset")).isZero();
        assertQuiet(page);
    }

    /** Timers are held, so that the browser is seen between the two however slow it is. */
    @Test
    void whileZoomingPanelsInSightAreDrawnAsTheyAreAfterwards() {
        BrowserPage page = open(TWO, 1500, 1000);
        see(page, "c2");
        JsonNode seen = page.eval("""
                (async () => {
                  const canvas = document.querySelector('[data-panel=c2] canvas'), timer = window.setTimeout;
                  window.setTimeout = () => 0;
                  const whole = canvas.toDataURL();
                  ruler.dispatchEvent(new KeyboardEvent('keydown', { key: '+', bubbles: true, cancelable: true }));
                  await new Promise(requestAnimationFrame);
                  await new Promise(requestAnimationFrame);
                  const zooming = canvas.toDataURL();
                  window.setTimeout = timer;
                  const eye = document.querySelector('[data-show="1"]');
                  eye.click();
                  eye.click();
                  return { whole, zooming, after: canvas.toDataURL() };
                })()""");

        assertThat(seen.get("zooming").asString())
                .isNotEqualTo(seen.get("whole").asString())
                .isEqualTo(seen.get("after").asString());
        assertQuiet(page);
    }

    @Test
    void keysMoveZoomAndGoFromFindingToFinding() {
        BrowserPage page = open(TWO, 1500, 1000);
        page.eval("ruler.focus()");
        double from = page.eval("Number(ruler.getAttribute('aria-valuemin'))").asDouble();
        page.key("ArrowRight").key("ArrowRight").key("ArrowRight").key("ArrowLeft");
        assertThat(moment(page)).isEqualTo(from + 1);
        assertThat(page.eval("ruler.getAttribute('aria-valuetext')").asString()).contains("running");

        page.key("+");
        assertThat(count(page, "#reset")).isEqualTo(1);
        page.key("0");
        assertThat(count(page, "#reset")).isZero();

        page.key("n");
        assertThat(text(page, ".proof[aria-pressed=true]")).contains("waited for one 96.6");
        assertThat(page.eval("document.activeElement.dataset.from").asString()).isEqualTo("30.0");
        assertThat(count(page, ".mark")).isPositive();
        page.key("n");
        assertThat(text(page, ".proof[aria-pressed=true]")).contains("3,380 methods");
        page.key("p");
        assertThat(text(page, ".proof[aria-pressed=true]")).contains("waited for one 96.6");
        page.key("Escape");
        assertThat(count(page, ".mark")).isZero();
        assertThat(count(page, ".proof[aria-pressed=true]")).isZero();
        assertQuiet(page);
    }

    @Test
    void aFindingShowsItsMoment() {
        BrowserPage page = open(TWO, 1500, 1000);
        page.click(".explanation.chosen .finding:nth-of-type(2) .proof");

        assertThat(page.eval("Number(ruler.getAttribute('aria-valuemin'))").asDouble())
                .isEqualTo(50);
        assertThat(page.eval("Number(ruler.getAttribute('aria-valuemax'))").asDouble())
                .isEqualTo(65);
        JsonNode mark = page.box("#chart-queue + .over .mark");
        JsonNode over = page.box("#chart-queue + .over");
        assertThat(mark.get("x").asDouble() - over.get("x").asDouble())
                .isCloseTo(over.get("width").asDouble() / 3, within(2.0));
        assertThat(mark.get("width").asDouble()).isCloseTo(over.get("width").asDouble() / 3, within(2.0));
    }

    @Test
    void aFindingWhosePanelIsMissingShowsItsMomentInThroughput() {
        BrowserPage page = open(SampleExplanation.explained(Samples.withoutInside()), 1500, 1000);
        page.click(".explanation.chosen .finding:nth-of-type(2) .proof");

        assertThat(count(page, "figure[data-panel=queue]")).isZero();
        assertThat(page.box("#chart-rate + .over .mark").get("width").asDouble())
                .isPositive();
        assertQuiet(page);
    }

    @Test
    void theTimeIsExplainedOnDemand() {
        BrowserPage page = open(TWO, 1500, 1000);
        page.click("[data-variant='1']");
        assertThat(text(page, "[data-panel=rate] .words")).contains("T90 21 s").doesNotContain("least here");
        int ink = ink(page);

        page.click("#why");
        assertThat(text(page, "[data-panel=rate] .words")).contains("least here", "0 s");
        assertThat(text(page, "#why-words")).contains("The time is where it is least");
        assertThat(ink(page)).isGreaterThan(ink);

        page.click("#why");
        assertThat(text(page, "[data-panel=rate] .words")).doesNotContain("least here");
        assertQuiet(page);
    }

    @Test
    void choosingAVariantAndARunTurnsFindingsAndPanelsToThem() {
        BrowserPage page = open(TWO, 1500, 1000);
        assertThat(text(page, ".explanation.chosen")).contains("platform threads", "False plateau");
        see(page, "c2");
        String picture = "document.querySelector('[data-panel=c2] canvas').toDataURL()";
        String before = page.eval(picture).asString();

        page.click("[data-variant='1']").click("[data-run='2']");
        assertThat(text(page, ".explanation.chosen")).contains("virtual threads", "run 3", "Peaked");
        assertThat(count(page, ".explanation")).isEqualTo(1);
        see(page, "c2");
        assertThat(page.eval(picture).asString()).isNotEqualTo(before);

        int ink = ink(page);
        page.click("[data-show='0']");
        assertThat(ink(page)).isLessThan(ink);
        assertThat(text(page, "[data-panel=rate] .legend")).doesNotContain("platform");
        assertQuiet(page);
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

    /** Catches what the page would save, and keeps the clipboard closed. */
    private static final String CATCH = """
            window.saved = [];
            if (navigator.clipboard) navigator.clipboard.write = () => Promise.reject(new Error('closed'));
            URL.createObjectURL = blob => { window.saved.push(blob); return 'data:,'; };
            HTMLAnchorElement.prototype.click = function () { window.savedAs = this.download; }; 0""";

    private static List<String> csv(BrowserPage page, String figure) {
        page.click(figure + " .take button");
        assertThat(text(page, figure + " .take button")).isEqualTo("saved");
        return page.eval("saved[saved.length - 1].text()").asString().lines().toList();
    }

    @Test
    void aPanelsPointsCanBeSaved() {
        BrowserPage page = open(TWO, 1500, 1000);
        page.eval(CATCH);

        List<String> rate = csv(page, "[data-panel=rate]");
        assertThat(rate)
                .hasSize(1 + 6 * 80)
                .startsWith("variant,run,seconds since the first request,\"Throughput, req/s\"");
        assertThat(rate.get(1)).matches("platform threads,1,0,\\d+");
        assertThat(rate.getLast()).matches("virtual threads,3,94,5\\d{3}");
        assertThat(page.eval("savedAs").asString())
                .isEqualTo("spring-boot-platform-threads-against-virtual-threads-throughput.csv");

        List<String> times = csv(page, "[data-panel=times]");
        assertThat(times)
                .hasSize(1 + 6 * 80)
                .as("side by side, of one second")
                .allMatch(row -> row.split(",", -1).length >= 7);
        assertThat(csv(page, "[data-panel=c2all]").getFirst())
                .isEqualTo("variant,run,seconds since the first request,\"running, %\",\"waiting, %\"");
        List<String> seconds = csv(page, "[data-figure=seconds]");
        assertThat(seconds).as("the measuring phase without its first second").hasSize(1 + 6 * 19);
        assertThat(seconds.get(1)).startsWith("platform threads,1,76,");
        assertQuiet(page);
    }

    @Test
    void aPanelsPictureHasItsLinesAndItsWords() {
        BrowserPage page = open(TWO, 1500, 1000);
        page.eval(CATCH);
        for (String figure : List.of("[data-panel=rate]", "[data-figure=seconds]")) {
            page.click(figure + " .take button:last-child");
            for (int i = 0;
                    i < 100 && text(page, figure + " .take button:last-child").equals("PNG");
                    i++) {
                page.settled();
            }
            JsonNode colours = page.eval("""
                    (async () => {
                      const blob = saved[saved.length - 1], image = await createImageBitmap(blob), canvas = document.createElement('canvas');
                      canvas.width = image.width;
                      canvas.height = image.height;
                      const pen = canvas.getContext('2d');
                      pen.drawImage(image, 0, 0);
                      const { data } = pen.getImageData(0, 0, image.width, image.height), seen = {};
                      for (let i = 0; i < data.length; i += 4) {
                        const colour = '#' + [0, 1, 2].map(k => data[i + k].toString(16).padStart(2, '0')).join('');
                        seen[colour] = (seen[colour] || 0) + 1;
                      }
                      return { type: blob.type, first: seen['#d55e00'] || 0, second: seen['#0072b2'] || 0, ink: seen['#16191d'] || 0 };
                    })()""");

            assertThat(colours.get("type").asString()).isEqualTo("image/png");
            assertThat(colours.get("first").asInt())
                    .as(figure + ": the first variant")
                    .isGreaterThan(500);
            assertThat(colours.get("second").asInt())
                    .as(figure + ": the second")
                    .isGreaterThan(500);
            assertThat(colours.get("ink").asInt()).as(figure + ": its title").isGreaterThan(100);
        }
        assertQuiet(page);
    }

    @Test
    void aPictureThatCannotBeMadeSaysSo() {
        BrowserPage page = open(TWO, 1500, 1000);
        page.eval("HTMLCanvasElement.prototype.toBlob = () => { throw new Error('not allowed'); }; 0");
        String button = "[data-panel=rate] .take button:last-child";
        page.click(button);
        for (int i = 0; i < 100 && text(page, button).equals("PNG"); i++) {
            page.settled();
        }

        assertThat(text(page, button)).isEqualTo("not possible here");
        assertQuiet(page);
    }

    @Test
    void aCellThatASpreadsheetWouldComputeIsText() {
        ExperimentResult named = new ExperimentResult(
                "x",
                Samples.QUICK,
                List.of(Samples.variant("=1+1, \"a\"", 1, SampleRun.FED)),
                "x",
                List.of(),
                Optional.empty(),
                List.of(),
                Optional.empty(),
                TWO.config());
        BrowserPage page = open(named, 1500, 1000);
        page.eval(CATCH);

        assertThat(csv(page, "[data-panel=rate]").get(1)).startsWith("\"'=1+1, \"\"a\"\"\",1,0,");
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
