package dev.kiln.report.html;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kiln.explain.study.ExperimentResult;
import dev.kiln.report.SampleExplanation;
import dev.kiln.report.Samples;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;

/** A BrowserReport is what tests of the report in a browser share: the browser, the page, and ways to look at it. */
@TestInstance(Lifecycle.PER_CLASS)
abstract class BrowserReport {
    static final ExperimentResult TWO = SampleExplanation.explained(Samples.platformAgainstVirtual(3));

    @TempDir
    Path directory;

    Optional<Chromium> browser = Optional.empty();

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

    Path file(ExperimentResult result) {
        Path file = directory.resolve("report.html");
        HtmlReport.write(result, file);
        return file;
    }

    BrowserPage open(ExperimentResult result, int width, int height) {
        return browser.orElseThrow().page(width, height).open(file(result));
    }

    static void assertQuiet(BrowserPage page) {
        assertThat(page.problems()).isEmpty();
        assertThat(page.requests()).allMatch(url -> url.startsWith("file:") || url.startsWith("data:"));
        assertThat(page.requests().stream().filter(url -> url.startsWith("file:")))
                .hasSize(1);
    }

    static int count(BrowserPage page, String selector) {
        return page.eval("[...document.querySelectorAll(`" + selector + "`)].filter(e => e.checkVisibility()).length")
                .asInt();
    }

    static String text(BrowserPage page, String selector) {
        return page.eval("document.querySelector(`" + selector + "`).innerText").asString();
    }

    /** Pixels that the lines of the throughput cover; those of axes and grid do not count. */
    static int ink(BrowserPage page) {
        return ink(page, "rate");
    }

    static int ink(BrowserPage page, String panel) {
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
    static void see(BrowserPage page, String panel) {
        page.eval("document.querySelector('[data-panel=" + panel
                + "]').scrollIntoView({block: 'center', behavior: 'instant'})");
        page.settled();
    }

    static double moment(BrowserPage page) {
        return page.eval("Number(ruler.getAttribute('aria-valuenow'))").asDouble();
    }

    /** The pixels in one column of the rows, from top to bottom, by the colours that areas have. */
    static String column(BrowserPage page, String panel, double second) {
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
}
