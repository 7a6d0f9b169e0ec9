package dev.kiln.report;

import dev.kiln.explain.study.SweepResult;
import dev.kiln.explain.study.SweepResult.Density;
import dev.kiln.explain.study.SweepResult.SweepConfiguration;
import java.util.List;

/** A sweep in the report: pictures that need no script, tables, and what the law says. */
final class HtmlSweep {
    private HtmlSweep() {}

    static String html(SweepResult sweep) {
        StringBuilder out = new StringBuilder();
        SweepPicture picture = new SweepPicture(sweep.configurations());
        out.append("<div class=\"sweep\">")
                .append(picture.throughput())
                .append(picture.response())
                .append("</div>\n");
        for (int i = 0; i < sweep.configurations().size(); i++) {
            SweepConfiguration one = sweep.configurations().get(i);
            HtmlTable table =
                    new HtmlTable(1, SweepTable.HEADS.stream().map(Html::escape).toList());
            one.points()
                    .forEach(point -> table.row(
                            SweepTable.row(point).stream().map(Html::escape).toList()));
            out.append("<h3>").append(Html.variant(i, one.name())).append("</h3>\n");
            out.append(table.html(one.name() + " by connections"));
            out.append(Html.caption(SweepWords.fit(one)));
        }
        sweep.density().ifPresent(density -> density(density, out));
        out.append("<ul class=\"notes\">").append(Html.list(sweep.notes())).append("</ul>\n");
        return out.toString();
    }

    private static void density(Density density, StringBuilder out) {
        HtmlTable table = new HtmlTable(
                2, SweepTable.DENSITY_HEADS.stream().map(Html::escape).toList());
        for (Density.Theory row : density.theory()) {
            List<String> cells =
                    SweepTable.densityRow(row).stream().map(Html::escape).toList();
            table.row(cells);
        }
        out.append("<h3>").append(Html.escape(SweepWords.densityHead(density))).append("</h3>\n");
        out.append(table.html(SweepWords.densityHead(density)));
        density.verified().forEach(measured -> out.append(Html.caption(SweepWords.verified(density, measured))));
    }
}
