package dev.kiln.soak;

import dev.kiln.report.html.Frame;
import dev.kiln.report.html.Html;
import dev.kiln.report.html.SvgAxes;
import dev.kiln.soak.SoakResult.SoakMetric;
import dev.kiln.soak.SoakResult.SoakPart;
import dev.kiln.text.Show;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** HtmlSoak shows a soak as a page of its own that needs no script: what was watched over the hours, and the table. */
public final class HtmlSoak {
    private HtmlSoak() {}

    public static String render(SoakResult result) {
        Html.HtmlTable table = new Html.HtmlTable(2, Html.escape(SoakReport.HEADS));
        SoakReport.rows(result).forEach(row -> table.row(Html.escape(row)));
        String pictures = Arrays.stream(SoakMetric.values())
                .map(metric -> picture(result, metric))
                .collect(Collectors.joining());
        return Frame.page(
                result.name(),
                "soak",
                Frame.conclusion(result.answer().conclusion()) + Frame.about(SoakReport.facts(result)),
                table.html("Trends") + "<section><h2>Over time</h2><div class=\"sweep\">" + pictures
                        + "</div></section>\n"
                        + Html.section("notes", "Notes", Html.notes(result.notes())),
                "");
    }

    /** Segments one after the other, each in a colour of its own. */
    private static String picture(SoakResult result, SoakMetric metric) {
        List<double[]> values = result.parts().stream()
                .map(part -> SoakTrends.values(part.segment(), metric))
                .toList();
        double highest = values.stream().flatMapToDouble(Arrays::stream).max().orElse(0);
        if (highest <= 0) {
            return "";
        }
        double hours = result.load().seconds() / 3600;
        boolean brief = hours < 0.5;
        SvgAxes axes = SvgAxes.linear(
                Math.max(1e-3, brief ? hours * 60 : hours),
                highest * 1.06,
                brief ? "minutes of load" : "hours of load");
        StringBuilder lines = new StringBuilder();
        double before = 0;
        for (int i = 0; i < values.size(); i++) {
            SoakPart part = result.parts().get(i);
            StringBuilder points = new StringBuilder();
            for (int w = 0; w < values.get(i).length; w++) {
                double second = before + (w + 0.5) * part.segment().windowSeconds();
                double value = values.get(i)[w];
                if (value > 0 || metric == SoakMetric.THROUGHPUT) {
                    points.append(axes.at(second / (brief ? 60 : 3600), value)).append(' ');
                }
            }
            lines.append(axes.line(i, points.toString().strip(), ""));
            before += part.segment().load().seconds();
        }
        return Html.figure(
                Show.sentence(metric.label()),
                metric.unit(),
                axes.svg(lines.toString(), metric.label() + " over the soak"));
    }
}
