package dev.kiln.plan.load;

import dev.kiln.plan.load.RecordedTraffic.RecordedRequest;
import dev.kiln.plan.load.RecordedTraffic.RecordedRequest.RecordedHeader;
import dev.kiln.plan.text.Problems.BadValue;
import dev.kiln.text.Source;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** HarFile reads an HTTP Archive 1.2, as browsers and proxies write it, one entry at a time. */
final class HarFile {
    private static final JsonMapper MAPPER = JsonMapper.shared();

    private HarFile() {}

    static RecordedTraffic read(String name, byte[] bytes) {
        RecordedTraffic traffic = new RecordedTraffic(name, "entry", "entries");
        try (JsonParser in = MAPPER.createParser(bytes)) {
            in.nextToken();
            if (!enter(in, "log") || !enter(in, "entries") || in.currentToken() != JsonToken.START_ARRAY) {
                throw BadValue.of("JSON without log.entries in '" + name + "'", RecordedTraffic.EXPECTED);
            }
            for (int place = 1; in.nextToken() != JsonToken.END_ARRAY; place++) {
                JsonNode entry = in.readValueAsTree();
                traffic.add(place, () -> request(entry, traffic));
            }
            return traffic;
        } catch (JacksonException e) {
            int line = Math.max(1, e.getLocation().getLineNr());
            throw BadValue.of(
                    "no JSON on line " + line + " of '" + name + "' (" + Source.reason(e) + ")", "a whole HAR file");
        }
    }

    /** Moves from the beginning of an object to the value of a key; returns false if there is none. */
    private static boolean enter(JsonParser in, String key) {
        if (in.currentToken() != JsonToken.START_OBJECT) {
            return false;
        }
        while (in.nextToken() == JsonToken.PROPERTY_NAME) {
            boolean found = in.currentName().equals(key);
            in.nextToken();
            if (found) {
                return true;
            }
            in.skipChildren();
        }
        return false;
    }

    /** Returns the request of an entry; empty if its body was not recorded. */
    private static Optional<RecordedRequest> request(JsonNode entry, RecordedTraffic traffic) {
        JsonNode said = entry.path("request");
        String url = said.path("url").asString("");
        if (!url.startsWith("http://") && !url.startsWith("https://")) {
            throw new BadValue("no request.url with http:// or https://");
        }
        String method = RecordedTraffic.method(said.path("method").asString(""));
        long at = time(entry.path("startedDateTime").asString(""));
        String target =
                new String(RecordedTraffic.pathOf(url).getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
        List<RecordedHeader> headers = new ArrayList<>();
        for (JsonNode header : said.path("headers")) {
            headers.add(header(
                    header.path("name").asString(""), header.path("value").asString("")));
        }
        JsonNode data = said.path("postData");
        String body = data.path("text").asString("");
        boolean elsewhere = body.isEmpty()
                && (said.path("bodySize").asLong(0) > 0 || !data.path("params").isEmpty());
        if (elsewhere || data.path("encoding").asString("").equals("base64")) {
            return Optional.empty();
        }
        traffic.host(url.replaceFirst("^https?://(?:[^/?#@]*@)?([^/?#]*).*", "$1"));
        return Optional.of(new RecordedRequest(at, method, RecordedTraffic.target(target), headers, body));
    }

    private static RecordedHeader header(String name, String value) {
        if (!name.startsWith(":") && !CallTexts.isHeader(name, value)) {
            // Without the value, which may be a secret.
            throw new BadValue("a header that is not on one line");
        }
        return new RecordedHeader(name, value);
    }

    private static long time(String text) {
        try {
            Instant at = OffsetDateTime.parse(text).toInstant();
            return Math.addExact(Math.multiplyExact(at.getEpochSecond(), 1_000_000_000L), at.getNano());
        } catch (DateTimeException | ArithmeticException e) {
            throw new BadValue("no startedDateTime such as 2026-01-31T12:00:00.000Z");
        }
    }
}
