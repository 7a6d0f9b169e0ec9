package dev.kiln.report;

import dev.kiln.explain.Curves;
import dev.kiln.explain.ExperimentResult;
import dev.kiln.explain.VariantResult;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** One HTML file that needs nothing else: text and tables without scripts, charts with the scripts it carries. */
public final class HtmlReport {
    private static final String ECHARTS = "/META-INF/resources/_static/echarts/6.0.0/dist/echarts.min.js";
    private static final Pattern SLOT = Pattern.compile("\\{\\{(\\w+)}}");

    private final ExperimentResult result;
    private final Summary summary;
    private final Captions captions;

    private HtmlReport(ExperimentResult result) {
        this.result = result;
        this.summary = Summary.of(result);
        this.captions = new Captions(result);
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
                Map.entry("curves", curves()),
                Map.entry("tables", tables()),
                Map.entry("notes", Html.section("notes", "Notes", table.footnotes())),
                Map.entry("css", resource("report.css")),
                Map.entry("echarts", resource(ECHARTS)),
                Map.entry("labels", resource("labels.js")),
                Map.entry("charts", resource("charts.js")),
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

    private String curves() {
        String jit = any(c -> !c.jit().isEmpty())
                ? chart("wait", "C2 waiting for a CPU", "% of one CPU", captions.c2Wait())
                        + chart("cpu", "C2 running", "% of one CPU", captions.c2Cpu())
                : Html.caption("The JIT compilers were not recorded, so there is no chart of C2.");
        return any(c -> !c.load().isEmpty())
                ? "<div class=\"toolbar\"><div class=\"variants\" role=\"group\" aria-label=\"Variants shown\">"
                        + buttons() + "</div><output id=\"at\"></output>"
                        + "<button type=\"button\" id=\"reset\" hidden>whole run</button></div>\n"
                        + chart("rate", "Throughput", "requests per second", captions.throughput())
                        + jit
                        + chart("p99", "Latency, 99th percentile", "ms, logarithmic", captions.latency())
                : Html.caption("No request was completed, so there are no curves.");
    }

    private String buttons() {
        return IntStream.range(0, result.variants().size())
                .mapToObj(i -> "<button type=\"button\" aria-pressed=\"true\" data-variant=\"" + i + "\">"
                        + Html.variant(i, result.variants().get(i).name()) + "</button>")
                .collect(Collectors.joining());
    }

    private static String chart(String id, String title, String unit, List<Captions.Sentence> captions) {
        String caption = captions.stream()
                .map(c -> "<b>" + Html.escape(c.variant()) + "</b>" + Html.escape(Text.tied(c.rest())))
                .collect(Collectors.joining("<br>"));
        return "<figure id=\"figure-" + id + "\"><h3>" + Html.escape(title) + " <small>" + Html.escape(unit)
                + "</small><span class=\"readout\" data-chart=\"" + id
                + "\"></span></h3>\n<div class=\"chart\" id=\"chart-"
                + id + "\" tabindex=\"0\" role=\"img\" aria-label=\""
                + Html.escape(title + ". "
                        + captions.stream().map(Captions.Sentence::text).collect(Collectors.joining(" ")))
                + "\"></div>\n<figcaption>" + caption + "</figcaption></figure>\n";
    }

    private String tables() {
        HtmlRuns runs = new HtmlRuns(result);
        HtmlLab lab = new HtmlLab(result);
        String rss = any(c -> !c.memory().isEmpty()) ? chart("rss", "Resident set", "MiB", List.of()) : "";
        return Html.section("claims", "Claims", HtmlClaims.html(result.claims()))
                + Html.section("threads", "Threads", new HtmlThreads(result).html())
                + Html.section("start-up", "Start-up", runs.startUp())
                + Html.section("memory", "Memory", rss + lab.memory())
                + Html.section("cost", "What each part of the lab used", lab.parts())
                + Html.section("runs", "Every run", runs.everyRun())
                + Html.section("how", "How it was measured", HtmlHow.html(result));
    }

    private boolean any(Predicate<Curves> has) {
        List<VariantResult> variants = result.variants();
        return variants.stream().flatMap(v -> v.runs().stream()).anyMatch(run -> has.test(run.curves()));
    }

    private static String resource(String name) {
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
