package dev.kiln.report;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The summary table and the footnotes it points to. */
record HtmlSummary(Summary summary) {

    String table() {
        List<String> heads = Stream.concat(
                        Stream.of("variant"),
                        SummaryRow.HEADS.stream()
                                .map(head -> "<span title=\"" + Html.escape(head.meaning()) + "\">" + head.top()
                                        + "<br>" + head.bottom() + "</span>"))
                .toList();
        HtmlTable table = new HtmlTable(1, heads);
        for (int i = 0; i < summary.rows().size(); i++) {
            SummaryRow row = summary.rows().get(i);
            List<String> cells = new ArrayList<>();
            cells.add(Html.variant(i, row.variant()));
            row.cells().forEach(cell -> cells.add(cell(cell)));
            table.row(cells);
        }
        return table.html("Summary");
    }

    private String cell(Cell cell) {
        String text = cell.note()
                .map(note -> "<span title=\"" + Html.escape(note) + "\">" + Html.escape(cell.text()) + "</span>")
                .orElseGet(() -> Html.escape(cell.text()));
        String mark = summary.number(cell)
                .map(n -> "<sup><a href=\"#note-" + n + "\" aria-label=\"footnote " + n + "\">" + n + "</a></sup>")
                .orElse("");
        String range = cell.range()
                .map(r -> "<span class=\"range\">" + Html.escape(r) + "</span>")
                .orElse("");
        return text + mark + range;
    }

    String footnotes() {
        StringBuilder out = new StringBuilder("<ol class=\"notes\">\n");
        for (int i = 0; i < summary.footnotes().size(); i++) {
            out.append("<li id=\"note-")
                    .append(i + 1)
                    .append("\">")
                    .append(Html.escape(summary.footnotes().get(i)))
                    .append("</li>\n");
        }
        return summary.footnotes().isEmpty() ? "" : out.append("</ol>\n").toString();
    }
}
