package dev.kiln.importer.program;

import dev.kiln.importer.format.Format;
import dev.kiln.importer.format.Json;
import dev.kiln.importer.format.Lines;
import dev.kiln.importer.format.LoadSource;
import dev.kiln.importer.format.TimeText;
import dev.kiln.importer.program.Request.RequestOutcome;
import dev.kiln.model.load.Latency.Quantiles;
import dev.kiln.model.load.LoadBin;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** K6 reads the three forms of k6's results. */
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

    /** {@code --summary-export} writes totals, as the data of its {@code handleSummary} has them. */
    public static final Format SUMMARY = Format.loads(
            "k6's --summary-export",
            head -> head.json("\"metrics\":{", "\"http_req"),
            file -> Optional.of(ofSummary(file)));

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
        long latency = Math.round(data.path("value").asDouble() * 1e6);
        long end = TimeText.iso(lines, data.path("time").asString(""));
        return Optional.of(new Request(
                end - latency,
                latency,
                outcome(
                        tags.path("status").asString(""),
                        tags.path("expected_response").asString("")),
                lines.place()));
    }

    /** Status 0 is a request without an answer. k6 expects redirects, and what the test says. */
    private static RequestOutcome outcome(String status, String expected) {
        if (status.isEmpty() || status.equals("0")) {
            return RequestOutcome.LOST;
        }
        if (expected.equals("true")) {
            return RequestOutcome.OK;
        }
        if (!status.startsWith("2")) {
            return RequestOutcome.STATUS;
        }
        return expected.equals("false") ? RequestOutcome.BODY : RequestOutcome.OK;
    }

    public static LoadSource ofSummary(Path file) {
        JsonNode root = Json.read(file);
        JsonNode metrics = root.path("metrics");
        JsonNode requests = values(metrics.path("http_reqs"));
        JsonNode duration = values(metrics.path("http_req_duration"));
        JsonNode failed = values(metrics.path("http_req_failed"));
        long count = Json.count(file, requests, "count");
        double rate = Json.number(file, requests, "rate");
        double told = root.path("state").path("testRunDurationMs").asDouble(0);
        long nanos = Math.round(rate > 0 ? count / rate * 1e9 : told * 1e6);
        // A rate's "passes" are the requests for which it was true: those that failed.
        long bad = failed.path("passes").isNumber() ? Math.min(count, Json.count(file, failed, "passes")) : 0;
        return LoadSource.total(
                "k6",
                LoadSource.stem(String.valueOf(file.getFileName())),
                Math.max(1, nanos),
                count - bad,
                new LoadBin.Errors(0, 0, 0, bad, 0),
                // k6 tells p(99) only where summaryTrendStats asks for it.
                count > 0
                                && duration.path("med").isNumber()
                                && duration.path("max").isNumber()
                        ? Optional.of(new Quantiles(
                                count,
                                nanos(file, duration, "med"),
                                duration.path("p(99)").isNumber() ? nanos(file, duration, "p(99)") : 0,
                                nanos(file, duration, "max")))
                        : Optional.empty());
    }

    private static JsonNode values(JsonNode metric) {
        return metric.has("values") ? metric.path("values") : metric;
    }

    private static long nanos(Path file, JsonNode duration, String name) {
        return Math.round(Json.number(file, duration, name) * 1e6);
    }
}
