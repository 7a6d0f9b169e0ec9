package dev.kiln.report.html;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.StreamSupport;
import tools.jackson.databind.JsonNode;

/** How fast a report opens and follows the pointer, beside another page with the same data. For {@code bench/report}. */
public final class ReportSpeed {
    private static final String FRAMES = """
            (async act => {
              const took = [];
              await new Promise(requestAnimationFrame);
              let last = performance.now();
              for (let i = 0; i < 60; i++) {
                act(i);
                await new Promise(requestAnimationFrame);
                const now = performance.now();
                took.push(now - last);
                last = now;
              }
              return took;
            })""";

    private static final String KEY =
            "(i => ruler.dispatchEvent(new KeyboardEvent('keydown', {key: %s, bubbles: true, cancelable: true})))";

    private static final class Page {
        private final Path file;
        private final String move;
        private final String zoom;
        private final List<Double> drawn = new ArrayList<>();
        private final List<Double> painted = new ArrayList<>();
        private final List<Double> moves = new ArrayList<>();
        private final List<Double> zooms = new ArrayList<>();

        Page(String file, String move, String zoom) {
            this.file = Path.of(file).toAbsolutePath();
            this.move = move;
            this.zoom = zoom;
        }
    }

    private ReportSpeed() {}

    /** KILN-PAGE UPLOT-PAGE ROUNDS; the first round warms the browser up and is not counted. */
    public static void main(String[] args) throws IOException {
        Page kiln = new Page(
                args[0],
                String.format(Locale.ROOT, KEY, "'ArrowRight'"),
                String.format(Locale.ROOT, KEY, "i % 8 < 4 ? '+' : '-'"));
        Page peer = new Page(
                args[1], "(i => moveTo(i))", "(i => zoomTo(i % 8 < 4 ? 10 * (i % 8) : 10 * (8 - i % 8), 180))");
        try (Chromium browser = Chromium.launch(Chromium.find().orElseThrow())) {
            for (int round = 0; round <= Integer.parseInt(args[2]); round++) {
                measure(browser, kiln, round > 0);
                measure(browser, peer, round > 0);
            }
        }
        row("", List.of("Kiln", "uPlot", "ratio"));
        row("---", List.of("---", "---", "---"));
        compare("navigation to drawn, ms", kiln.drawn, peer.drawn, 0.5);
        compare("navigation to painted, ms", kiln.painted, peer.painted, 0.5);
        compare("frame while the cursor moves, median ms", kiln.moves, peer.moves, 0.5);
        compare("the same, 95 of 100 within", kiln.moves, peer.moves, 0.95);
        compare("frame while zooming, median ms", kiln.zooms, peer.zooms, 0.5);
        compare("the same, 95 of 100 within", kiln.zooms, peer.zooms, 0.95);
    }

    private static void measure(Chromium browser, Page page, boolean counted) {
        BrowserPage opened = browser.page(1500, 1000).open(page.file);
        double drawn = opened.eval("performance.getEntriesByName('drawn')[0].startTime")
                .asDouble();
        double painted = opened.eval("performance.getEntriesByName('first-contentful-paint')[0].startTime")
                .asDouble();
        opened.eval("document.querySelector('#chart-rate, .uplot').scrollIntoView({behavior: 'instant'})");
        opened.settled();
        List<Double> moves = numbers(opened.eval(FRAMES + page.move));
        List<Double> zooms = numbers(opened.eval(FRAMES + page.zoom));
        if (!opened.problems().isEmpty()) {
            throw new IllegalStateException(page.file + ": " + opened.problems());
        }
        opened.close();
        if (counted) {
            page.drawn.add(drawn);
            page.painted.add(Math.max(drawn, painted));
            page.moves.addAll(moves);
            page.zooms.addAll(zooms);
        }
    }

    private static List<Double> numbers(JsonNode array) {
        return StreamSupport.stream(array.spliterator(), false)
                .map(JsonNode::asDouble)
                .toList();
    }

    private static void compare(String what, List<Double> kiln, List<Double> peer, double quantile) {
        double a = quantile(kiln, quantile);
        double b = quantile(peer, quantile);
        row(what, List.of(number(a), number(b), String.format(Locale.ROOT, "%.2f", a / b)));
    }

    private static double quantile(List<Double> values, double quantile) {
        double[] sorted =
                values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        return sorted[(int) Math.min(sorted.length - 1L, Math.round(quantile * (sorted.length - 1)))];
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.1f", value);
    }

    private static void row(String first, List<String> cells) {
        System.out.println("| " + first + " | " + String.join(" | ", cells) + " |");
    }
}
