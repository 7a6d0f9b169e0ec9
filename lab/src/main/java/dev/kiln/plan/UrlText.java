package dev.kiln.plan;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.regex.Pattern;

/** Checks a URL that may still have placeholders in it. */
final class UrlText {
    private static final Pattern PLACEHOLDER = Pattern.compile("\\$\\{[^{}]*}");

    private UrlText() {}

    static String check(String text) {
        Names.checkPlaceholders(text);
        try {
            // Any value will do in a placeholder's place, as long as it fits a port.
            URI uri = new URI(PLACEHOLDER.matcher(text).replaceAll("1"));
            if ("https".equals(uri.getScheme())) {
                throw BadValue.of("'" + text + "'", "http:// (Kiln measures the service itself, without TLS)");
            }
            if (!"http".equals(uri.getScheme()) || uri.getHost() == null) {
                throw BadValue.of("'" + text + "'", "a URL such as http://localhost:8080/path");
            }
            return text;
        } catch (URISyntaxException e) {
            throw BadValue.of("'" + text + "'", "a URL (" + e.getReason() + ")");
        }
    }
}
