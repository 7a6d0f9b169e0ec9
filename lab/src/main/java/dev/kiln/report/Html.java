package dev.kiln.report;

import java.util.List;
import java.util.stream.Collectors;

/** Pieces of HTML; every text that comes from outside passes through {@link #escape}. */
final class Html {
    /** Variants beyond these take the same colours again, with dashes. */
    private static final int COLOURS = 8;

    private Html() {}

    static String escape(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;")
                .replace("'", "&#39;");
    }

    /** The coloured mark of the variant at that index, beside its name. */
    static String variant(int index, String name) {
        return "<span class=\"swatch" + (index < COLOURS ? "" : " second") + "\" style=\"--c:var(--v" + index % COLOURS
                + ")\"></span>" + escape(name);
    }

    /** A figure with a bar behind it; {@code share} is cut at 1. */
    static String bar(double share, String text) {
        return "<span class=\"bar\" style=\"--share:" + Text.plain(Math.round(Math.clamp(share, 0, 1) * 1000) / 10.0)
                + "%\">" + escape(text) + "</span>";
    }

    /** A figure with its range, and with a tooltip that says why it is absent or in doubt. */
    static String cell(Cell cell) {
        String text = cell.note()
                .map(why -> "<span class=\"why\" tabindex=\"0\" title=\"" + escape(why) + "\">" + escape(cell.text())
                        + "</span>")
                .orElseGet(() -> escape(cell.text()));
        return text
                + cell.range()
                        .map(range -> "<span class=\"range\">" + escape(range) + "</span>")
                        .orElse("");
    }

    static String section(String id, String title, String body) {
        return body.isEmpty()
                ? ""
                : "<section id=\"" + id + "\"><h2>" + escape(title) + "</h2>\n" + body + "</section>\n";
    }

    static String caption(String text) {
        return text.isEmpty() ? "" : "<p class=\"caption\">" + escape(Text.tied(text)) + "</p>\n";
    }

    static String list(List<String> items) {
        return items.stream().map(i -> "<li>" + escape(i) + "</li>").collect(Collectors.joining("\n"));
    }
}
