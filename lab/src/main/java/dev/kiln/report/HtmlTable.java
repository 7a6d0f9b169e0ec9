package dev.kiln.report;

import java.util.List;

/** A table whose cells are HTML already: columns of text, then right-aligned columns of figures. */
final class HtmlTable {
    private final List<String> heads;
    private final StringBuilder body = new StringBuilder();
    private final int textColumns;

    HtmlTable(int textColumns, List<String> heads) {
        this.textColumns = textColumns;
        this.heads = heads;
    }

    /** The first cell names the row. */
    void row(List<String> cells) {
        body.append("<tr>");
        for (int i = 0; i < cells.size(); i++) {
            String kind = i < textColumns ? " class=\"text\"" : "";
            body.append(i == 0 ? "<th scope=\"row\"" : "<td")
                    .append(kind)
                    .append('>')
                    .append(cells.get(i))
                    .append(i == 0 ? "</th>" : "</td>");
        }
        body.append("</tr>\n");
    }

    /** A head over the rows that follow. */
    void group(String html) {
        body.append("<tr class=\"group\"><th scope=\"rowgroup\" colspan=\"")
                .append(heads.size())
                .append("\">")
                .append(html)
                .append("</th></tr>\n");
    }

    boolean isEmpty() {
        return body.isEmpty();
    }

    String html(String label) {
        StringBuilder head = new StringBuilder();
        for (int i = 0; i < heads.size(); i++) {
            head.append(i < textColumns ? "<th scope=\"col\" class=\"text\">" : "<th scope=\"col\">")
                    .append(heads.get(i))
                    .append("</th>");
        }
        return "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"" + Html.escape(label)
                + "\"><table><thead><tr>" + head + "</tr></thead>\n<tbody>\n" + body + "</tbody></table></div>\n";
    }
}
