package dev.kiln.report.html;

import dev.kiln.compare.Comparison;
import dev.kiln.report.ComparisonText;
import dev.kiln.report.Grid;
import java.util.List;

/** A comparison as a section of a page. */
final class HtmlComparison {
    private HtmlComparison() {}

    static String html(Comparison comparison) {
        ComparisonText text = new ComparisonText(comparison);
        StringBuilder out = new StringBuilder();
        for (Comparison.Against against : comparison.others()) {
            Grid grid = text.grid(against);
            Html.Table table = new Html.Table(1, Html.escape(grid.heads()));
            grid.rows()
                    .forEach(row -> table.row(
                            row.stream().map(cell -> Html.escape(cell.text())).toList()));
            out.append("<h3>").append(Html.escape(text.title(against))).append("</h3>\n");
            out.append(Html.caption(text.conclusion(against)));
            out.append(table.html(text.title(against)));
            out.append(notes(ComparisonText.notes(against)));
        }
        return Html.section("compared", "Compared", out + notes(ComparisonText.general(List.of(comparison))));
    }

    private static String notes(List<String> notes) {
        return notes.isEmpty() ? "" : "<ul class=\"notes\">" + Html.list(notes) + "</ul>\n";
    }
}
