package dev.kiln.report.html;

import dev.kiln.explain.VariantResult;
import dev.kiln.explain.study.ExperimentResult;
import dev.kiln.explain.study.Headline;
import dev.kiln.report.Markdown;
import dev.kiln.report.VerdictWords;
import dev.kiln.report.html.HtmlReport.View;
import dev.kiln.report.html.SvgCurves.SvgChart;
import dev.kiln.text.Show;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** SvgCharts are pictures of a result to be pasted: all variants over each other, for a slide and a pull request. */
public record SvgCharts(ExperimentResult result, Optional<String> link) {
    /** The file that is no picture. */
    public static final String SUMMARY = "summary.md";

    private static final Pattern VARIABLE = Pattern.compile("var\\(--([a-z0-9]+)\\)");
    private static final Pattern COLOUR = Pattern.compile("--([a-z0-9]+): (#[0-9a-f]{6,8})");
    private static final int HEAD = 58;

    /** A title of more letters does not fit: the name of the experiment is cut. */
    private static final int MOST_LETTERS = 62;

    /** Height of the line that has the link. */
    private static final int FOOT = 24;

    /** A Size is the width in pixels; the height follows. */
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

    /**
     * Returns all pictures and a summary in Markdown that shows one, by file name.
     *
     * @param link where the report can be read; stands under each picture
     */
    public static Map<String, String> files(ExperimentResult result, Optional<String> link) {
        SvgCharts charts = new SvgCharts(result, link);
        Map<String, String> files = new LinkedHashMap<>();
        for (SvgChart chart : SvgChart.ALL) {
            Optional<String> drawn = new SvgCurves(result.variants(), chart).svg();
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

    /** Writes two sentences and the picture, as a pull request has room for them. */
    private String summary(boolean picture) {
        Headline headline = Headline.of(result);
        String text = "**" + Markdown.escape(headline.answer()) + "**\n\n"
                + Markdown.escape(String.join(" ", headline.sure())) + "\n";
        String where = link.map(url -> "\n[The report](<" + url + ">)\n").orElse("");
        return !picture
                ? text + where
                : text + "\n<picture><source media=\"(prefers-color-scheme: dark)\" srcset=\""
                        + file("throughput", Scheme.DARK, Size.PR) + "\"><img alt=\"Throughput over time\" src=\""
                        + file("throughput", Scheme.LIGHT, Size.PR) + "\"></picture>\n" + where;
    }

    private String whole(SvgChart chart, String inner, Scheme scheme, Size size) {
        SvgLegend legend = new SvgLegend(result.variants());
        List<String> lines = chart.equals(SvgChart.THROUGHPUT) ? legend.told() : legend.names();
        int head = HEAD + SvgLegend.LINE * (lines.size() - 1);
        int height = head + SvgAxes.HEIGHT + (link.isPresent() ? FOOT : 0);
        String text = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + size.width + "\" height=\""
                + size.width * height / SvgAxes.WIDTH + "\" viewBox=\"0 0 " + SvgAxes.WIDTH + " " + height
                // The height is whole pixels, which leaves part of one.
                + "\" preserveAspectRatio=\"none\" font-family=\"system-ui, 'Noto Sans', 'Liberation Sans', Arial, sans-serif\">"
                + "<style>text{fill:var(--muted);font-size:12.5px}.grid{stroke:var(--grid)}.axis{stroke:var(--muted)}"
                // A background of its own, and an edge: a chat may be light or dark.
                + "</style><rect width=\"100%\" height=\"100%\" style=\"fill:var(--bg);stroke:var(--rule)\"/>"
                + "<text x=\"14\" y=\"20\" style=\"fill:var(--fg);font-size:14px;font-weight:600\">"
                + Html.escape(
                        Show.brief(result.name(), MOST_LETTERS - chart.title().length()) + ": " + chart.title())
                + "</text>" + SvgLegend.svg(lines)
                + "<text x=\"14\" y=\"" + (head - 2) + "\" style=\"font-size:12px\">"
                + Html.escape(chart.unit()
                        + (inner.contains(SvgAxes.PALE) ? "; pale: the interval of each peak and T90" : ""))
                + "</text>"
                + inner.replaceFirst(
                        "<svg ",
                        "<svg y=\"" + head + "\" width=\"" + SvgAxes.WIDTH + "\" height=\"" + SvgAxes.HEIGHT + "\" ")
                + link.map(url -> foot(url, height)).orElse("")
                + "</svg>\n";
        Map<String, String> colours = colours(scheme);
        return VARIABLE.matcher(text).replaceAll(found -> colours.getOrDefault(found.group(1), "#888888"));
    }

    private static String foot(String url, int height) {
        return "<a href=\"" + Html.escape(url) + "\"><text x=\"14\" y=\"" + (height - 8)
                + "\" style=\"fill:var(--link)\">" + Html.escape(url) + "</text></a>";
    }

    /** Returns the report's colours, the light ones first: programs that draw SVG do not know variables. */
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

    /**
     * An SvgLegend is the names of the variants in their colours over a picture, in as many lines as they need. Where
     * there are few, each has a line of its own, with where it came to and what held it back.
     */
    record SvgLegend(List<VariantResult> variants) {
        static final int LINE = 17;

        private static final int LEFT = 14;
        private static final int FIRST = 38;

        private static final int GAP = 14;

        /** Width of one, in the fonts that are likely. */
        private static final double LETTER = 7.6;

        /** The same of a text that is not bold. */
        private static final double THIN_LETTER = 6.8;

        /** More variants have no line each. */
        private static final int MOST_TOLD = 4;

        /** Returns the lines as one picture has them. */
        static String svg(List<String> lines) {
            StringBuilder svg = new StringBuilder();
            for (int line = 0; line < lines.size(); line++) {
                svg.append("<text x=\"")
                        .append(LEFT)
                        .append("\" y=\"")
                        .append(FIRST + LINE * line)
                        .append("\" style=\"font-weight:600\">")
                        .append(lines.get(line))
                        .append("</text>");
            }
            return svg.toString();
        }

        /** Returns the lines of a legend that says of each variant where it came to, if there are few. */
        List<String> told() {
            if (variants.size() > MOST_TOLD) {
                return names();
            }
            List<String> lines = new ArrayList<>();
            for (int v = 0; v < variants.size(); v++) {
                String name = variants.get(v).name();
                String words = words(variants.get(v));
                String told = span("fill:var(--fg);font-weight:400", GAP, words);
                boolean fits = LETTER * name.length() + GAP + THIN_LETTER * words.length() <= SvgAxes.WIDTH - 2 * LEFT;
                lines.add(name(v, 0) + (fits ? told : ""));
                if (!fits) {
                    lines.add(told);
                }
            }
            return lines;
        }

        /** Returns {@code 43 % of its peak at the end · C2 starved of CPU}; the verdict where the interval tells no share. */
        private static String words(VariantResult variant) {
            return Stream.concat(
                            Stream.of(Headline.brief(variant).orElseGet(() -> VerdictWords.of(variant))),
                            Headline.cause(variant).stream())
                    .collect(Collectors.joining(" \u00b7 "));
        }

        /** Returns the lines of a legend that has the names alone. */
        List<String> names() {
            List<String> lines = new ArrayList<>();
            StringBuilder line = new StringBuilder();
            double width = 0;
            for (int v = 0; v < variants.size(); v++) {
                double own = GAP + LETTER * shown(v).length();
                if (width > 0 && width + own > SvgAxes.WIDTH - 2 * LEFT) {
                    lines.add(line.toString());
                    line.setLength(0);
                    width = 0;
                }
                line.append(name(v, width == 0 ? 0 : GAP));
                width += own;
            }
            lines.add(line.toString());
            return lines;
        }

        /** Returns the name of a variant; where the colours come again, lines are dashed. */
        private String shown(int v) {
            return (v < View.COLOURS ? "" : "- - ") + variants.get(v).name();
        }

        private String name(int v, int gap) {
            return span("fill:var(--v" + v % View.COLOURS + ")", gap, shown(v));
        }

        private static String span(String style, int gap, String text) {
            return "<tspan style=\"" + style + "\" dx=\"" + gap + "\">" + Html.escape(text) + "</tspan>";
        }
    }
}
