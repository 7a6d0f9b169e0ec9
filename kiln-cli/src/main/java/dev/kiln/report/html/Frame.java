package dev.kiln.report.html;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;

/** A Frame is what all pages but the report share: they load nothing, and ask no other server. */
public final class Frame {
    private static final String RESOURCES = "/dev/kiln/report/";

    private Frame() {}

    /**
     * Returns a whole page.
     *
     * @param title as text
     * @param kind of page, beside the name of the program
     * @param head what stands under the title, as HTML
     * @param script empty for a page that needs none; tables that scroll have a hint by themselves
     */
    public static String page(String title, String kind, String head, String body, String script) {
        String whole = (body.contains("<div class=\"scroll\"") ? resource("wide.js") : "") + script;
        String scripts = whole.isEmpty() ? "" : "; script-src 'unsafe-inline'; connect-src 'self'";
        return "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
                + "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">"
                + "<meta name=\"color-scheme\" content=\"light dark\">"
                + "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'"
                + scripts + "\">"
                + "<title>" + Html.escape(title) + " \u2013 Kiln</title><style>\n"
                + resource("report.css") + "</style></head>\n<body><main><header>"
                + "<p class=\"eyebrow\">Kiln \u00b7 " + kind + "</p><h1>" + Html.escape(title) + "</h1>" + head
                + "</header>\n" + body + "</main>"
                + (whole.isEmpty() ? "" : "\n<script>\n\"use strict\";\n" + whole + "</script>")
                + "</body></html>\n";
    }

    public static String conclusion(String text) {
        return "<p class=\"conclusion\">" + Html.prose(text) + "</p>";
    }

    public static String about(String text) {
        return "<p class=\"about\">" + Html.prose(text) + "</p>";
    }

    /** Returns a paragraph of this kind for each sentence. */
    public static String lines(String kind, List<String> sentences) {
        return sentences.stream()
                .map(sentence -> "<p class=\"" + kind + "\">" + Html.prose(sentence) + "</p>")
                .collect(Collectors.joining());
    }

    /** Returns the text of a file that is part of the program. */
    public static String resource(String name) {
        try (InputStream in = Frame.class.getResourceAsStream(name.startsWith("/") ? name : RESOURCES + name)) {
            if (in == null) {
                throw new IllegalStateException("missing from the program: " + name);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
