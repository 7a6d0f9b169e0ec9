package dev.kiln.report.html;

import dev.kiln.explain.Curves;
import dev.kiln.explain.RunResult;
import dev.kiln.explain.VariantResult;
import dev.kiln.explain.study.ExperimentResult;
import dev.kiln.explain.study.Headline;
import dev.kiln.report.Markdown;
import dev.kiln.report.html.HtmlReport.View;
import dev.kiln.stats.Descriptive;
import dev.kiln.stats.series.TimeToPeak;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Pictures of a result that stand alone, to be pasted: all variants over each other, for a slide and for a pull request. */
public final class SvgCharts {
    /** The file that is no picture. */
    public static final String SUMMARY = "summary.md";

    private static final Pattern VARIABLE = Pattern.compile("var\\(--([a-z0-9]+)\\)");
    private static final Pattern COLOUR = Pattern.compile("--([a-z0-9]+): (#[0-9a-f]{6,8})");
    private static final int HEAD = 44;
    private static final int LEGEND_LINE = 17;
    private static final int LEGEND_GAP = 14;

    /** Width of one, in the fonts that are likely. */
    private static final double LETTER = 7.6;

    private static final int MEDIAN_RUNS = 3;

    /** Seconds further apart than this are no neighbours: no line is drawn across a pause. */
    private static final double HOLE = 2.5;

    /** Width in pixels; the height follows. */
    private enum Size {
        SLIDE(1600),
        PR(800);

        private final int width;

        Size(int width) {
            this.width = width;
        }
    }

    private enum Scheme {
        LIGHT,
        DARK
    }

    private record Point(double second, double value) {}

    private record SvgChart(
            String id, String title, String unit, boolean log, Function<RunResult, Stream<Point>> points) {}

    private static final List<SvgChart> CHARTS = List.of(
            new SvgChart(
                    "throughput",
                    "Throughput",
                    "requests per second",
                    false,
                    run -> run.curves().load().stream()
                            .map(point -> new Point(point.second(), point.requestsPerSecond()))),
            new SvgChart(
                    "p99",
                    "Latency, 99th percentile",
                    "ms, logarithmic",
                    true,
                    run -> run.curves().load().stream()
                            .map(point -> new Point(point.second(), point.p99Millis()))
                            .filter(point -> point.value() > 0)),
            new SvgChart(
                    "c2-wait",
                    "C2 waiting for a CPU",
                    "% of one CPU",
                    false,
                    run -> run.curves().jit().stream().map(SvgCharts::wait).filter(point -> point.second() >= 0)));

    private static Point wait(Curves.JitPoint point) {
        return new Point(point.second(), 100 * point.c2Wait());
    }

    private final ExperimentResult result;

    private SvgCharts(ExperimentResult result) {
        this.result = result;
    }

    /** All pictures and a summary in Markdown that shows one, by file name. */
    public static Map<String, String> files(ExperimentResult result) {
        SvgCharts charts = new SvgCharts(result);
        Map<String, String> files = new LinkedHashMap<>();
        for (SvgChart chart : CHARTS) {
            Optional<String> drawn = charts.drawn(chart);
            for (Scheme scheme : Scheme.values()) {
                for (Size size : Size.values()) {
                    drawn.ifPresent(inner ->
                            files.put(file(chart.id(), scheme, size), charts.whole(chart, inner, scheme, size)));
                }
            }
        }
        files.put(SUMMARY, charts.summary(files.containsKey(file("throughput", Scheme.LIGHT, Size.PR))));
        return files;
    }

    private static String file(String chart, Scheme scheme, Size size) {
        return String.join("-", chart, name(scheme), name(size)) + ".svg";
    }

    private static String name(Enum<?> one) {
        return one.name().toLowerCase(Locale.ROOT);
    }

    /** Two sentences and the picture, as a pull request has room for them. */
    private String summary(boolean picture) {
        Headline headline = Headline.of(result);
        String text = "**" + Markdown.escape(headline.answer()) + "**\n\n"
                + Markdown.escape(String.join(" ", headline.sure())) + "\n";
        return !picture
                ? text
                : text + "\n<picture><source media=\"(prefers-color-scheme: dark)\" srcset=\""
                        + file("throughput", Scheme.DARK, Size.PR) + "\"><img alt=\"Throughput over time\" src=\""
                        + file("throughput", Scheme.LIGHT, Size.PR) + "\"></picture>\n";
    }

    /** Empty where nothing was recorded for it. */
    private Optional<String> drawn(SvgChart chart) {
        List<List<List<Point>>> lines =
                result.variants().stream().map(variant -> lines(chart, variant)).toList();
        List<Point> all =
                lines.stream().flatMap(List::stream).flatMap(List::stream).toList();
        if (all.isEmpty()) {
            return Optional.empty();
        }
        double most = all.stream().mapToDouble(Point::value).max().orElseThrow();
        double least = all.stream().mapToDouble(Point::value).min().orElseThrow();
        double seconds = all.stream().mapToDouble(Point::second).max().orElseThrow() + 1;
        SvgAxes axes = chart.log()
                ? SvgAxes.logarithmic(seconds, least, most, "seconds since the first request")
                : SvgAxes.linear(seconds, Math.max(most, 1) * 1.06, "seconds since the first request");
        StringBuilder marks = new StringBuilder();
        for (int v = 0; v < lines.size(); v++) {
            for (List<Point> line : lines.get(v)) {
                for (String part : parts(axes, line)) {
                    marks.append(axes.line(v, part, v < View.COLOURS ? "" : "7 3"));
                }
            }
            if (chart.id().equals("throughput")) {
                marks.append(reached(axes, result.variants().get(v), v));
            }
        }
        return Optional.of(axes.svg(marks.toString(), chart.title() + " over time"));
    }

    /** The median of three valid runs or more, second by second; else each run. */
    private static List<List<Point>> lines(SvgChart chart, VariantResult variant) {
        List<RunResult> runs = variant.valid().isEmpty() ? variant.runs() : variant.valid();
        List<List<Point>> each =
                runs.stream().map(run -> chart.points().apply(run).toList()).toList();
        if (runs.size() < MEDIAN_RUNS) {
            return each;
        }
        TreeMap<Long, List<Double>> seconds = new TreeMap<>();
        each.forEach(run ->
                run.forEach(point -> seconds.computeIfAbsent(Math.round(point.second()), s -> new ArrayList<>())
                        .add(point.value())));
        List<Point> median = new ArrayList<>();
        seconds.forEach((second, values) -> {
            if (2 * values.size() >= runs.size()) {
                median.add(new Point(
                        second,
                        Descriptive.median(values.stream().mapToDouble(Double::doubleValue))
                                .orElseThrow()));
            }
        });
        return List.of(median);
    }

    private static List<String> parts(SvgAxes axes, List<Point> line) {
        List<String> parts = new ArrayList<>();
        StringBuilder part = new StringBuilder();
        double before = Double.NaN;
        for (Point point : line) {
            if (point.second() - before > HOLE) {
                parts.add(part.toString().strip());
                part.setLength(0);
            }
            part.append(axes.at(point.second(), point.value())).append(' ');
            before = point.second();
        }
        parts.add(part.toString().strip());
        return parts.stream().filter(text -> !text.isEmpty()).toList();
    }

    /** A dot where the variant came to 90 % of its peak; none if pauses between loads move it. */
    private static String reached(SvgAxes axes, VariantResult variant, int index) {
        OptionalDouble seconds =
                variant.time(TimeToPeak.HEADLINE).map(TimeToPeak::seconds).orElse(OptionalDouble.empty());
        return seconds.isPresent() && variant.referencePeak().isPresent()
                ? axes.dot(
                        index,
                        seconds.getAsDouble(),
                        TimeToPeak.HEADLINE
                                / 100.0
                                * variant.referencePeak().get().value(),
                        false)
                : "";
    }

    private String whole(SvgChart chart, String inner, Scheme scheme, Size size) {
        List<String> legend = legend();
        int head = HEAD + LEGEND_LINE * (legend.size() - 1);
        int height = head + SvgAxes.HEIGHT;
        StringBuilder names = new StringBuilder();
        for (int row = 0; row < legend.size(); row++) {
            names.append("<text x=\"14\" y=\"")
                    .append(38 + LEGEND_LINE * row)
                    .append("\" style=\"font-weight:600\">")
                    .append(legend.get(row))
                    .append("</text>");
        }
        String text = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + size.width + "\" height=\""
                + size.width * height / SvgAxes.WIDTH + "\" viewBox=\"0 0 " + SvgAxes.WIDTH + " " + height
                // The height is whole pixels, which leaves part of one.
                + "\" preserveAspectRatio=\"none\" font-family=\"system-ui, 'Noto Sans', 'Liberation Sans', Arial, sans-serif\">"
                + "<style>text{fill:var(--muted);font-size:12.5px}.grid{stroke:var(--grid)}.axis{stroke:var(--muted)}"
                + "</style><rect width=\"100%\" height=\"100%\" style=\"fill:var(--bg)\"/>"
                + "<text x=\"14\" y=\"20\" style=\"fill:var(--fg);font-size:14px;font-weight:600\">"
                + Html.escape(result.name() + ": " + chart.title())
                + "<tspan dx=\"8\" style=\"font-weight:400;font-size:12px;"
                + "fill:var(--muted)\">" + Html.escape(chart.unit()) + "</tspan></text>"
                + names
                + inner.replaceFirst(
                        "<svg ",
                        "<svg y=\"" + head + "\" width=\"" + SvgAxes.WIDTH + "\" height=\"" + SvgAxes.HEIGHT + "\" ")
                + "</svg>\n";
        Map<String, String> colours = colours(scheme);
        return VARIABLE.matcher(text).replaceAll(found -> colours.getOrDefault(found.group(1), "#888888"));
    }

    /** The names of the variants in their colours, in as many lines as they need. */
    private List<String> legend() {
        List<String> rows = new ArrayList<>();
        StringBuilder row = new StringBuilder();
        double width = 0;
        for (int v = 0; v < result.variants().size(); v++) {
            // Where the colours come again, lines are dashed.
            String name =
                    (v < View.COLOURS ? "" : "- - ") + result.variants().get(v).name();
            double own = LEGEND_GAP + LETTER * name.length();
            if (width > 0 && width + own > SvgAxes.WIDTH - 2 * LEGEND_GAP) {
                rows.add(row.toString());
                row.setLength(0);
                width = 0;
            }
            row.append("<tspan style=\"fill:var(--v")
                    .append(v % View.COLOURS)
                    .append(")\" dx=\"")
                    .append(width == 0 ? 0 : LEGEND_GAP)
                    .append("\">")
                    .append(Html.escape(name))
                    .append("</tspan>");
            width += own;
        }
        rows.add(row.toString());
        return rows;
    }

    /** Those of the report: its style has the light ones first. Programs that draw SVG do not know variables. */
    private static Map<String, String> colours(Scheme scheme) {
        String css = Frame.resource("report.css");
        int dark = css.indexOf("@media screen and (prefers-color-scheme: dark)");
        Matcher found = COLOUR.matcher(scheme == Scheme.LIGHT ? css.substring(0, dark) : css.substring(dark));
        Map<String, String> colours = new LinkedHashMap<>();
        while (found.find()) {
            String name = found.group(1);
            // Pictures to paste are of a report, whose variants have the colours in their order.
            colours.putIfAbsent(name.startsWith("k") ? "v" + name.substring(1) : name, found.group(2));
        }
        return colours;
    }
}
