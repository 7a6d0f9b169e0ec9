package dev.kiln.importer.program;

import dev.kiln.importer.format.Format;
import dev.kiln.importer.format.Json;
import dev.kiln.importer.format.Lines;
import dev.kiln.importer.format.LoadSource;
import dev.kiln.importer.format.TimeText;
import dev.kiln.importer.program.Request.RequestOutcome;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** K6 reads the two logs of k6, which have each request; its totals are read by {@link K6Summary}. */
public final class K6 {
    /** {@code --out csv} has one metric of a request a line, in seconds or finer by K6_CSV_TIME_FORMAT. */
    public static final Format CSV = Format.loads(
            "k6's --out csv",
            head -> head.first(line -> line.startsWith("metric_name,timestamp,metric_value")),
            K6::ofCsv);

    /** {@code --out json} writes a line of JSON for each point of each metric. */
    public static final Format JSON_LINES = Format.loads(
            "k6's --out json",
            head -> head.dense().startsWith("{\"type\":\"Metric\"")
                    || head.dense().startsWith("{\"metric\":")
                    || head.dense().startsWith("{\"type\":\"Point\""),
            K6::ofJson);

    private static final String METRIC = "http_req_duration,";

    private K6() {}

    public static Optional<LoadSource> ofCsv(Path file) {
        long bin = finer(file) ? 100_000_000 : 1_000_000_000;
        return RequestLog.ofLines("k6", file, true, bin, K6::csv);
    }

    /** Tells whether the stamps are finer than seconds. */
    private static boolean finer(Path file) {
        try (Lines lines = Lines.of(file)) {
            boolean header = lines.next();
            boolean row = header && lines.next();
            if (row && lines.cells().size() < 3) {
                throw lines.malformed("'" + lines.text() + "'", "a row of k6");
            }
            String stamp = row ? lines.cells().get(1) : "";
            return stamp.matches("\\d{11,}|.*:\\d\\d\\.\\d.*");
        }
    }

    private static void csv(Lines lines, Consumer<Request> requests, Consumer<String> gaps) {
        List<String> header = lines.next() ? lines.cells() : List.of();
        int status = header.indexOf("status");
        int expected = header.indexOf("expected_response");
        if (status < 0 || header.indexOf("timestamp") != 1) {
            throw lines.malformed("no header of k6", "metric_name,timestamp,metric_value,...,status,...");
        }
        while (lines.nextRow(gaps)) {
            if (lines.startsWith(METRIC)) {
                requests.accept(row(lines, status, expected < 0 ? OptionalInt.empty() : OptionalInt.of(expected)));
            }
        }
    }

    private static Request row(Lines lines, int status, OptionalInt expected) {
        List<String> cells = lines.cells();
        if (cells.size() <= Math.max(status, expected.orElse(0))) {
            throw lines.malformed(cells.size() + " columns", "those of the header");
        }
        long latency = TimeText.nanos(lines, cells.get(2), 6);
        long end = end(lines, cells.get(1));
        RequestOutcome outcome = outcome(cells.get(status), expected.isPresent() ? cells.get(expected.getAsInt()) : "");
        return new Request(end - latency, latency, outcome, lines.place());
    }

    /** Reads Unix time in the unit that follows from its digits: seconds have 10 of them until the year 2286. */
    private static long end(Lines lines, String stamp) {
        if (!stamp.matches("\\d{10}|\\d{13}|\\d{16}|\\d{19}")) {
            return TimeText.iso(lines, stamp);
        }
        return TimeText.nanos(lines, stamp, 19 - stamp.length());
    }

    public static Optional<LoadSource> ofJson(Path file) {
        return RequestLog.ofLines("k6", file, true, 100_000_000, (lines, requests, gaps) -> {
            while (lines.nextRow(gaps)) {
                point(lines).ifPresent(requests);
            }
        });
    }

    private static Optional<Request> point(Lines lines) {
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
        String status = tags.path("status").asString("");
        String expected = tags.path("expected_response").asString("");
        if (status.isEmpty() && expected.isEmpty()) {
            throw lines.malformed(
                    "a request without a status", "the tag status or expected_response, which --system-tags must keep");
        }
        long latency = Math.round(data.path("value").asDouble() * 1e6);
        long end = TimeText.iso(lines, data.path("time").asString(""));
        return Optional.of(new Request(end - latency, latency, outcome(status, expected), lines.place()));
    }

    /** Status 0 is a request without an answer. k6 expects redirects, and what the test says. */
    private static RequestOutcome outcome(String status, String expected) {
        if (status.equals("0")) {
            return RequestOutcome.LOST;
        }
        if (expected.equals("true")) {
            return RequestOutcome.OK;
        }
        if (status.isEmpty()) {
            // k6 says that it failed, and not how: its summary counts so too.
            return RequestOutcome.STATUS;
        }
        if (!status.startsWith("2")) {
            return RequestOutcome.STATUS;
        }
        return expected.equals("false") ? RequestOutcome.BODY : RequestOutcome.OK;
    }
}
