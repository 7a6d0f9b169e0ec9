package dev.kiln.plan.load;

import dev.kiln.model.load.FeedTable;
import dev.kiln.model.load.LoadSpec.HttpCall;
import dev.kiln.model.load.LoadSpec.Replay;
import dev.kiln.plan.text.Problems;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** WarmRequests makes the requests of {@code kiln warm}. */
public final class WarmRequests {
    /** The methods are safe by RFC 9110, 9.2.1: they change nothing, however often they are sent. */
    private static final Set<String> SAFE = Set.of("GET", "HEAD", "OPTIONS");

    private static final String REFUSED = "|{}^`\\\"<>[]#";
    private static final int MOST_CHARACTERS = 100;

    private WarmRequests() {}

    /** Returns a GET of the value of {@code --url}. */
    public static HttpCall get(String url) {
        return HttpCall.get(url("--url", url));
    }

    /**
     * Returns the requests of a HAR file or an access log, in the order of their times.
     *
     * @param url whose scheme, host and port all requests get
     * @param file value of {@code --requests}
     */
    public static List<HttpCall> recorded(String url, String file) {
        URI base = url("--url", url);
        FeedTable table = Problems.option(
                        "--requests",
                        "kiln warm --help lists the options",
                        () -> RecordingFile.read(Path.of(""), file, 1, Set.of()))
                .table();
        List<HttpCall> calls = new ArrayList<>();
        for (int row = 0; row < table.rows(); row++) {
            String body = table.text(row, table.columns().indexOf(Replay.BODY));
            calls.add(new HttpCall(
                    table.text(row, table.columns().indexOf(Replay.METHOD)),
                    URI.create(base.getScheme() + "://" + base.getRawAuthority()
                            + encoded(table.text(row, table.columns().indexOf(Replay.TARGET)))),
                    headers(table.text(row, table.columns().indexOf(Replay.HEADERS))),
                    body.isEmpty() ? Optional.empty() : Optional.of(body),
                    1,
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty()));
        }
        return calls;
    }

    /** Tells whether sending a call again and again changes nothing. */
    public static boolean isSafe(HttpCall call) {
        return SAFE.contains(call.method());
    }

    private static URI url(String option, String text) {
        return Problems.option(option, "write it as --url http://localhost:8080/path", () -> {
            try {
                URI url = URI.create(text);
                if (url.getHost() != null && Set.of("http", "https").contains(String.valueOf(url.getScheme()))) {
                    return url;
                }
            } catch (IllegalArgumentException e) {
                // Falls through to the one message.
            }
            String shown = text.length() > MOST_CHARACTERS ? text.substring(0, MOST_CHARACTERS) + "..." : text;
            throw Problems.BadValue.of("'" + shown + "'", "a URL such as http://localhost:8080/path");
        });
    }

    /** Encodes what a recorded target may have and a URI of this JVM may not (RFC 3986, 2.2). */
    private static String encoded(String target) {
        StringBuilder encoded = new StringBuilder();
        for (int i = 0; i < target.length(); i++) {
            char c = target.charAt(i);
            boolean escape = c == '%' && !target.substring(i).matches("(?s)%[0-9A-Fa-f]{2}.*");
            encoded.append(
                    escape || REFUSED.indexOf(c) >= 0
                            ? String.format(Locale.ROOT, "%%%02X", (int) c)
                            : Character.toString(c));
        }
        return encoded.toString();
    }

    /** Returns the headers of these lines without the length of the body, which the client writes itself. */
    private static Map<String, String> headers(String lines) {
        Map<String, String> headers = new LinkedHashMap<>();
        lines.lines().map(line -> line.split(": ", 2)).forEach(parts -> {
            if (parts.length == 2 && !parts[0].equalsIgnoreCase("content-length")) {
                headers.merge(
                        parts[0],
                        parts[1],
                        (first, more) -> first + (parts[0].equalsIgnoreCase("cookie") ? "; " : ", ") + more);
            }
        });
        return headers;
    }
}
