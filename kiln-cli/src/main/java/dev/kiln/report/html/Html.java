package dev.kiln.report.html;

import dev.kiln.explain.VariantResult;
import dev.kiln.report.Cell;
import dev.kiln.report.html.HtmlReport.View;
import dev.kiln.text.Show;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Html makes pieces of HTML; every text that comes from outside passes through {@link #escape}. */
public final class Html {
    private Html() {}

    /**
     * Characters that turn the direction of what follows would let a name disguise itself. A picture with a control
     * character in it is none: XML has none but tabs and line breaks.
     */
    private static final Pattern NOT_SHOWN = Pattern.compile(
            "[\\u202a-\\u202e\\u2066-\\u2069\\u200e\\u200f\\u061c\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f-\\x9f\\ufffe\\uffff]");

    /** A flag is not broken at its hyphens; a long one is, because it would not fit a phone. */
    private static final Pattern FLAG = Pattern.compile("(?<![\\w-])-{1,2}[A-Za-z][\\w:+.=/-]{0,27}(?![\\w:+.=/-])");

    /** Returns a sentence whose figures stay with their units, and whose flags are in one piece. */
    public static String prose(String text) {
        return FLAG.matcher(escape(Show.tied(text))).replaceAll("<span class=\"flag\">$0</span>");
    }

    /** Returns a command or flags as code: no flag is broken at its hyphens where it fits on a line. */
    public static String code(String words) {
        return "<code>"
                + Stream.of(words.split(" ", -1))
                        .map(word -> word.startsWith("-")
                                ? "<span class=\"word\">" + escape(word) + "</span>"
                                : escape(word))
                        .collect(Collectors.joining(" "))
                + "</code>";
    }

    public static String escape(String text) {
        return NOT_SHOWN
                .matcher(text)
                .replaceAll("\ufffd")
                .replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;")
                .replace("'", "&#39;");
    }

    /** Returns the coloured mark of the variant at that index, beside its name. */
    public static String variant(int index, String name) {
        return "<span class=\"swatch" + (index < View.COLOURS ? "" : " second") + "\" style=\"--c:var(--v"
                + index % View.COLOURS + ")\"></span>" + escape(name);
    }

    /** Returns a figure with a bar behind it; {@code share} is cut at 1. */
    public static String bar(double share, String text) {
        return "<span class=\"bar\" style=\"--share:" + Show.plain(Math.round(Math.clamp(share, 0, 1) * 1000) / 10.0)
                + "%\">" + escape(text) + "</span>";
    }

    /** Returns a figure with its range, and with a tooltip that says why it is absent or in doubt. */
    public static String cell(Cell cell) {
        String text = cell.note()
                .map(why -> "<span class=\"why\" tabindex=\"0\" title=\"" + escape(why) + "\">" + escape(cell.text())
                        + "</span>")
                .orElseGet(() -> escape(cell.text()));
        return text + range(cell);
    }

    public static String range(Cell cell) {
        return cell.range()
                .map(range -> "<span class=\"range\">" + escape(range) + "</span>")
                .orElse("");
    }

    /** Returns an entry of a list of facts; what is said of it is HTML already. */
    static String term(String name, String html) {
        return "<dt>" + escape(name) + "</dt><dd>" + html + "</dd>\n";
    }

    public static String section(String id, String title, String body) {
        return body.isEmpty()
                ? ""
                : "<section id=\"" + id + "\"><h2>" + escape(title) + "</h2>\n" + body + "</section>\n";
    }

    public static String caption(String text) {
        return text.isEmpty() ? "" : "<p class=\"caption\">" + prose(text) + "</p>\n";
    }

    public static List<String> escape(List<String> texts) {
        return texts.stream().map(Html::escape).toList();
    }

    public static String list(List<String> items) {
        return items.stream().map(item -> "<li>" + prose(item) + "</li>").collect(Collectors.joining("\n"));
    }

    public static String notes(List<String> notes) {
        return notes.isEmpty() ? "" : "<ul class=\"notes\">" + list(notes) + "</ul>\n";
    }

    /** Returns a picture under its title. */
    public static String figure(String title, String unit, String body) {
        return "<figure><h3>" + escape(title) + " <small>" + escape(unit) + "</small></h3>\n" + body + "</figure>\n";
    }

    /** An HtmlTable is one whose cells are HTML already: columns of text, then right-aligned columns of figures. */
    public static final class HtmlTable {
        private final List<String> heads;
        private final StringBuilder body = new StringBuilder();
        private final int textColumns;

        public HtmlTable(int textColumns, List<String> heads) {
            this.textColumns = textColumns;
            this.heads = heads;
        }

        /** The first cell names the row. */
        public void row(List<String> cells) {
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

        /** Adds a head over the rows that follow. */
        public void group(String html) {
            body.append("<tr class=\"group\"><th scope=\"rowgroup\" colspan=\"")
                    .append(heads.size())
                    .append("\">")
                    .append(html)
                    .append("</th></tr>\n");
        }

        /** Adds rows for each variant, which is given with its name in its colour. */
        public void each(List<VariantResult> variants, BiConsumer<String, VariantResult> rows) {
            for (int i = 0; i < variants.size(); i++) {
                rows.accept(variant(i, variants.get(i).name()), variants.get(i));
            }
        }

        public boolean isEmpty() {
            return body.isEmpty();
        }

        public String html(String label) {
            StringBuilder head = new StringBuilder();
            for (int i = 0; i < heads.size(); i++) {
                head.append(i < textColumns ? "<th scope=\"col\" class=\"text\">" : "<th scope=\"col\">")
                        .append(heads.get(i))
                        .append("</th>");
            }
            return "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"" + escape(label)
                    + "\"><table><thead><tr>" + head + "</tr></thead>\n<tbody>\n" + body + "</tbody></table></div>\n";
        }
    }
}
