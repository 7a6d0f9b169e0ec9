package dev.kiln.importer;

import dev.kiln.importer.Request.Outcome;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Optional;
import java.util.function.Consumer;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** k6's {@code --out json}: a line of JSON for each point of each metric, stamped when the request ended. */
final class K6Json {
    private static final long BIN = 100_000_000;

    private K6Json() {}

    static Optional<RequestLoad> of(Path file) {
        return RequestLoad.of("k6", file, true, BIN, (f, requests, gaps) -> parse(Lines.of(f), requests, gaps));
    }

    static void parse(Lines lines, Consumer<Request> requests, Consumer<String> gaps) {
        try (lines) {
            while (lines.next()) {
                if (!lines.whole()) {
                    gaps.accept(lines.file() + ":" + lines.number() + ": the last line is cut short and left out");
                } else if (!lines.isBlank()) {
                    request(lines).ifPresent(requests);
                }
            }
        }
    }

    private static Optional<Request> request(Lines lines) {
        String text = lines.text();
        if (!text.contains("\"http_req_duration\"")) {
            if (!text.startsWith("{")) {
                throw lines.malformed("no JSON object", "a line of k6's JSON");
            }
            return Optional.empty();
        }
        JsonNode point;
        try {
            point = Json.MAPPER.readTree(text);
        } catch (JacksonException e) {
            throw lines.malformed("broken JSON", "a line of k6's JSON");
        }
        if (!point.path("type").asString("").equals("Point")) {
            return Optional.empty();
        }
        JsonNode data = point.path("data");
        JsonNode tags = data.path("tags");
        if (!data.path("value").isNumber() || data.path("value").asDouble() < 0) {
            throw lines.malformed("no value", "milliseconds");
        }
        long latency = Math.round(data.path("value").asDouble() * 1e6);
        long end = time(lines, data.path("time").asString(""));
        return Optional.of(new Request(
                end - latency,
                latency,
                outcome(
                        tags.path("status").asString(""),
                        tags.path("expected_response").asString("")),
                lines.file() + ":" + lines.number()));
    }

    static long time(Lines lines, String stamp) {
        try {
            Instant time = OffsetDateTime.parse(stamp).toInstant();
            return Math.addExact(Math.multiplyExact(time.getEpochSecond(), 1_000_000_000L), time.getNano());
        } catch (DateTimeException | ArithmeticException e) {
            throw lines.malformed("'" + stamp + "' for the time", "a time such as 2026-01-02T03:04:05.678Z");
        }
    }

    /** Status 0 is a request without an answer. */
    static Outcome outcome(String status, String expected) {
        if (status.isEmpty() || status.equals("0")) {
            return Outcome.LOST;
        }
        if (!status.startsWith("2")) {
            return Outcome.STATUS;
        }
        return expected.equals("false") ? Outcome.BODY : Outcome.OK;
    }
}
