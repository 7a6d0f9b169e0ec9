package dev.kiln.report.html;

import dev.kiln.explain.VariantResult;
import dev.kiln.explain.study.Headline;
import dev.kiln.report.VerdictWords;
import dev.kiln.report.html.HtmlReport.View;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * An SvgLegend is the names of the variants in their colours over a picture, in as many lines as they need. Where there
 * are few, each has a line of its own, with where it came to and what held it back.
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
