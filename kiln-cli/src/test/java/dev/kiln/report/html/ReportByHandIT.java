package dev.kiln.report.html;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.kiln.explain.study.ExperimentResult;
import dev.kiln.report.SampleExplanation;
import dev.kiln.report.SampleRun;
import dev.kiln.report.Samples;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** The report in the hands of a reader: by pointer and by keys. */
final class ReportByHandIT extends BrowserReport {
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
        ExperimentResult named = Samples.result(
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
}
