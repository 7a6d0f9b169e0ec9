package dev.kiln.report;

import dev.kiln.explain.study.ExperimentResult;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** One HTML file that needs nothing else: text and tables without scripts, charts with the scripts it carries. */
public final class HtmlReport {
    /** Lines, dots and grids as SVG without the maps, trees and gauges of the whole library: two thirds of its size. */
    private static final String ECHARTS = "/META-INF/resources/_static/echarts/6.0.0/dist/echarts.common.min.js";

    private static final Pattern SLOT = Pattern.compile("\\{\\{(\\w+)}}");

    private final ExperimentResult result;
    private final Summary summary;

    private HtmlReport(ExperimentResult result) {
        this.result = result;
        this.summary = Summary.of(result);
    }

    public static void write(ExperimentResult result, Path file) {
        try {
            Files.writeString(file, render(result));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static String render(ExperimentResult result) {
        Map<String, String> slots = new HtmlReport(result).slots();
        return SLOT.matcher(resource("report.html"))
                .replaceAll(m -> Matcher.quoteReplacement(slots.getOrDefault(m.group(1), "")));
    }

    private Map<String, String> slots() {
        HtmlSummary table = new HtmlSummary(summary);
        return Map.ofEntries(
                Map.entry("title", Html.escape(result.name())),
                Map.entry("conclusion", Html.escape(Text.tied(result.conclusion()))),
                Map.entry("about", Html.escape(Text.tied(about()))),
                Map.entry("summary", table.table()),
                Map.entry(
                        "sweep",
                        result.sweep()
                                .map(sweep -> Html.section("sweep", "By connections", HtmlSweep.html(sweep)))
                                .orElse("")),
                Map.entry("timeline", new HtmlTimeline(result, new Captions(result)).html()),
                Map.entry("tables", tables()),
                Map.entry("notes", Html.section("notes", "Notes", table.footnotes())),
                Map.entry("css", resource("report.css")),
                Map.entry("echarts", resource(ECHARTS)),
                Map.entry("labels", resource("labels.js")),
                Map.entry("charts", resource("charts.js")),
                Map.entry("plots", resource("plots.js")),
                Map.entry("lines", resource("lines.js")),
                Map.entry("time", resource("time.js")),
                Map.entry("page", resource("page.js")),
                Map.entry("data", ChartData.json(result)));
    }

    private String about() {
        int runs = result.variants().stream().mapToInt(v -> v.runs().size()).sum();
        return Text.plural(result.variants().size(), "variant") + ", " + Text.plural(runs, "run") + " \u00b7 "
                + Facts.protocol(result.protocol())
                + result.how()
                        .map(how -> " \u00b7 " + how.host().cpuModel() + ", "
                                + Text.plural(how.host().cpus(), "CPU"))
                        .orElse("");
    }

    private String tables() {
        HtmlRuns runs = new HtmlRuns(result);
        HtmlLab lab = new HtmlLab(result);
        return Html.section("claims", "Claims", HtmlClaims.html(result.claims()))
                + Html.section("threads", "Threads", new HtmlThreads(result).html())
                + Html.section("start-up", "Start-up", runs.startUp())
                + Html.section("memory", "Memory", lab.memory())
                + Html.section("cost", "What each part of the lab used", lab.parts())
                + Html.section("runs", "Every run", runs.everyRun())
                + Html.section("how", "How it was measured", HtmlHow.html(result));
    }

    static String resource(String name) {
        try (InputStream in = HtmlReport.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("missing from the program: " + name);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
