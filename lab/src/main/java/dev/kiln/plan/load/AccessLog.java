package dev.kiln.plan.load;

import dev.kiln.plan.load.RecordedTraffic.RecordedRequest;
import dev.kiln.plan.load.RecordedTraffic.RecordedRequest.RecordedHeader;
import dev.kiln.plan.text.Problems.BadValue;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.OffsetDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * AccessLog reads access logs in the common and combined formats, which nginx, Apache, Tomcat and Undertow write:
 * {@code host ident user [10/Oct/2000:13:55:36 -0700] "GET /x HTTP/1.1" 200 2326 "referer" "user agent"}.
 */
final class AccessLog {
    private static final String TIME = "10/Oct/2000:13:55:36 -0700";
    private static final DateTimeFormatter CLF = DateTimeFormatter.ofPattern("dd/MMM/yyyy:HH:mm:ss Z", Locale.ENGLISH);
    private static final Pattern REFERER_AND_AGENT = Pattern.compile(" \\S+ \\S+ \"([^\"\\\\]*+)\" \"([^\"\\\\]*+)\"");
    private static final Pattern ESCAPE = Pattern.compile("\\\\(?:x([0-9A-Fa-f]{2})|(.))");

    private AccessLog() {}

    static RecordedTraffic read(String name, byte[] bytes) {
        RecordedTraffic traffic = new RecordedTraffic(name, "line", "lines");
        int number = 0;
        // Each character is a byte: what is no ASCII is sent as it came, whatever it meant.
        for (String line : (Iterable<String>) new String(bytes, StandardCharsets.ISO_8859_1).lines()::iterator) {
            int place = ++number;
            if (!line.isBlank()) {
                traffic.add(place, () -> request(line));
            }
        }
        return traffic;
    }

    private static Optional<RecordedRequest> request(String line) {
        int open = line.indexOf('[');
        while (open >= 0 && !line.startsWith("] \"", open + 1 + TIME.length())) {
            open = line.indexOf('[', open + 1);
        }
        if (open < 0) {
            throw new BadValue("no [" + TIME + "] and \"GET /path HTTP/1.1\" behind it");
        }
        int begin = open + 1 + TIME.length() + 3;
        int end = endOfQuoted(line, begin);
        String said = unescaped(line.substring(begin, end));
        int space = said.indexOf(' ');
        int version = said.lastIndexOf(" HTTP/");
        if (space < 0 || version <= space) {
            throw new BadValue("no \"GET /path HTTP/1.1\" behind the time");
        }
        String target = said.substring(space + 1, version);
        if (target.startsWith("http://") || target.startsWith("https://")) {
            target = RecordedTraffic.pathOf(target);
        }
        if (!target.startsWith("/")) {
            throw new BadValue("a target that is no path");
        }
        RecordedRequest request = new RecordedRequest(
                time(line.substring(open + 1, open + 1 + TIME.length())),
                RecordedTraffic.method(said.substring(0, space)),
                RecordedTraffic.target(target),
                headers(line, end + 1),
                "");
        return request.shouldHaveBody() ? Optional.empty() : Optional.of(request);
    }

    private static int endOfQuoted(String line, int begin) {
        for (int i = begin; i < line.length(); i++) {
            if (line.charAt(i) == '\\') {
                i++;
            } else if (line.charAt(i) == '"') {
                return i;
            }
        }
        throw new BadValue("no quote at the end of the request");
    }

    /** Decodes the escapes with which nginx and Apache write quotes and what cannot be printed. */
    private static String unescaped(String text) {
        return text.indexOf('\\') < 0
                ? text
                : ESCAPE.matcher(text)
                        .replaceAll(found -> Matcher.quoteReplacement(
                                found.group(1) == null
                                        ? found.group(2)
                                        : String.valueOf((char) Integer.parseInt(found.group(1), 16))));
    }

    private static long time(String text) {
        try {
            return Math.multiplyExact(OffsetDateTime.parse(text, CLF).toEpochSecond(), 1_000_000_000L);
        } catch (DateTimeException | ArithmeticException e) {
            throw new BadValue("no time like [" + TIME + "]");
        }
    }

    /** Returns the two headers that a line of the combined format has from here; none for the common format. */
    private static List<RecordedHeader> headers(String line, int from) {
        List<RecordedHeader> headers = new ArrayList<>();
        Matcher matcher = REFERER_AND_AGENT.matcher(line).region(from, line.length());
        if (matcher.lookingAt()) {
            add(headers, "Referer", matcher.group(1));
            add(headers, "User-Agent", matcher.group(2));
        }
        return headers;
    }

    private static void add(List<RecordedHeader> headers, String name, String value) {
        if (!value.isBlank() && !value.equals("-") && value.chars().allMatch(c -> c >= ' ' && c < 0x7f)) {
            headers.add(new RecordedHeader(name, value.strip()));
        }
    }
}
