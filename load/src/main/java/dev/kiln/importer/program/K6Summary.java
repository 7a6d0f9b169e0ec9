package dev.kiln.importer.program;

import dev.kiln.importer.format.Format;
import dev.kiln.importer.format.Json;
import dev.kiln.importer.format.Lines;
import dev.kiln.importer.format.LoadSource;
import dev.kiln.importer.format.TimeText;
import dev.kiln.model.KilnException;
import dev.kiln.model.load.Latency.Quantiles;
import dev.kiln.model.load.LoadBin;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import tools.jackson.databind.JsonNode;

/** A K6Summary reads k6's totals, as JSON of {@code --summary-export} or {@code handleSummary}, and as the text at a test's end. */
public final class K6Summary {
    /** The metrics are an object, or the list of {@code --new-machine-readable-summary}. */
    public static final Format JSON = Format.loads(
            "k6's --summary-export",
            head -> head.json("\"metrics\":{", "\"http_req") || head.json("\"k6Version\":", "\"metrics\":["),
            file -> Optional.of(ofJson(file)));

    /** k6 may print its progress at length before the summary. */
    public static final Format TEXT = new Format(
            "k6's summary",
            head -> head.line(Integer.MAX_VALUE, K6Summary::isOfTest),
            new Format.Loads((file, options) -> ofText(file)));

    private static final Pattern EXECUTION = Pattern.compile("\\s*execution: (?:local|cloud)\\s*");

    /** A threshold puts a mark before a metric. */
    private static final Pattern METRIC =
            Pattern.compile("\\s*(?:[✓✗] )?(http_reqs|http_req_failed|http_req_duration)\\.*: +(.*)");

    /** In its full mode, k6 tells the same metrics once more of each group and scenario. */
    private static final Pattern TITLE = Pattern.compile("\\s*█ (GROUP:|SCENARIO:|THRESHOLDS|TOTAL RESULTS).*");

    private static final Pattern COUNT = Pattern.compile("(\\d{1,15})\\s+(\\d{1,12}(?:\\.\\d{1,12})?)/s.*");

    /** Those for which "failed" was true stand first, behind a mark until 0.57. */
    private static final Pattern FAILED = Pattern.compile("[\\d.]+%\\s+(?:✓ )?(\\d{1,15}) .*");

    private static final Pattern VALUE = Pattern.compile("(med|max|p\\(99\\))=(\\S+)");

    private static final String FAILURES_UNKNOWN =
            "k6 did not say how many requests failed (http_req_failed): all are counted as good";

    /** A K6Totals is what k6 says of a test; times are in ns. */
    private record K6Totals(
            long requests, long nanos, OptionalLong failed, OptionalLong median, OptionalLong p99, OptionalLong most) {
        LoadSource load(Path file) {
            if (requests > 0 && nanos <= 0) {
                throw KilnException.usage(
                        file + ": this summary of k6 lacks the length of the test",
                        "write it with --summary-export, which has the rate");
            }
            long bad = Math.min(requests, failed.orElse(0));
            LoadSource load = LoadSource.total(
                    "k6",
                    LoadSource.stem(String.valueOf(file.getFileName())),
                    Math.max(1, nanos),
                    requests - bad,
                    new LoadBin.Errors(0, 0, 0, bad, 0),
                    // k6 tells p(99) only where summaryTrendStats asks for it.
                    requests > 0 && median.isPresent() && most.isPresent()
                            ? Optional.of(new Quantiles(requests, median.getAsLong(), p99.orElse(0), most.getAsLong()))
                            : Optional.empty());
            return failed.isPresent() || requests == 0 ? load : load.noting(file + ": " + FAILURES_UNKNOWN);
        }
    }

    private K6Summary() {}

    private static boolean isOfTest(String line) {
        return METRIC.matcher(line).matches() || EXECUTION.matcher(line).matches();
    }

    public static LoadSource ofJson(Path file) {
        JsonNode root = Json.read(file);
        JsonNode list = root.path("results").path("metrics");
        Map<String, JsonNode> metrics = list.isArray()
                ? StreamSupport.stream(list.spliterator(), false)
                        .collect(Collectors.toMap(
                                metric -> metric.path("name").asString(""), metric -> metric, (one, other) -> one))
                : root.path("metrics").properties().stream()
                        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
        if (!metrics.containsKey("http_reqs")) {
            throw KilnException.usage(
                    file + ": this summary of k6 has no http_reqs", "import a test that sends requests of HTTP");
        }
        return ofJson(file, root, metrics).load(file);
    }

    private static K6Totals ofJson(Path file, JsonNode root, Map<String, JsonNode> metrics) {
        JsonNode requests = values(metrics, "http_reqs");
        JsonNode duration = values(metrics, "http_req_duration");
        JsonNode failed = values(metrics, "http_req_failed");
        long count = Json.count(file, requests, "count");
        double rate = requests.has("rate") ? Json.number(file, requests, "rate") : 0;
        double ran = root.path("state").path("testRunDurationMs").asDouble(0) / 1e3;
        double seconds = ran > 0 ? ran : root.path("config").path("duration").asDouble(0);
        // A rate's "passes" or "matches" are the requests for which it was true: those that failed.
        String told = failed.has("matches") ? "matches" : "passes";
        return new K6Totals(
                count,
                Math.round((rate > 0 ? count / rate : seconds) * 1e9),
                failed.has(told) ? OptionalLong.of(Json.count(file, failed, told)) : OptionalLong.empty(),
                nanos(file, duration, "med"),
                nanos(file, duration, "p(99)"),
                nanos(file, duration, "max"));
    }

    private static JsonNode values(Map<String, JsonNode> metrics, String name) {
        JsonNode metric = metrics.getOrDefault(name, Json.MAPPER.createObjectNode());
        return metric.has("values") ? metric.path("values") : metric;
    }

    private static OptionalLong nanos(Path file, JsonNode duration, String name) {
        return duration.path(name).isNumber()
                ? OptionalLong.of(Math.round(Json.number(file, duration, name) * 1e6))
                : OptionalLong.empty();
    }

    /** Reads the summaries of tests, one after the other. Of each, the number of requests stands behind the other metrics. */
    private static List<LoadSource> ofText(Path file) {
        List<LoadSource> tests = new ArrayList<>();
        Map<String, String> told = new TreeMap<>();
        boolean part = false;
        try (Lines lines = Lines.of(file)) {
            while (lines.next()) {
                String line = lines.text();
                Matcher title = TITLE.matcher(line);
                Matcher metric = METRIC.matcher(line);
                if (title.matches()) {
                    part = title.group(1).endsWith(":");
                } else if (EXECUTION.matcher(line).matches()) {
                    part = false;
                } else if (metric.matches() && !part) {
                    told.put(metric.group(1), metric.group(2).strip());
                    if (metric.group(1).equals("http_reqs")) {
                        tests.add(ofText(lines, told).load(file));
                        told.clear();
                    }
                }
            }
        }
        return tests;
    }

    private static K6Totals ofText(Lines lines, Map<String, String> told) {
        Matcher count = COUNT.matcher(told.getOrDefault("http_reqs", ""));
        if (!count.matches() || Double.parseDouble(count.group(2)) == 0) {
            throw lines.malformed("'" + lines.text().strip() + "'", "http_reqs with a count and a rate");
        }
        long requests = Long.parseLong(count.group(1));
        Matcher failed = FAILED.matcher(told.getOrDefault("http_req_failed", ""));
        Map<String, OptionalLong> values = VALUE.matcher(told.getOrDefault("http_req_duration", ""))
                .results()
                .collect(Collectors.toMap(
                        value -> value.group(1), value -> TimeText.goLength(value.group(2)), (one, other) -> one));
        return new K6Totals(
                requests,
                Math.round(requests / Double.parseDouble(count.group(2)) * 1e9),
                failed.matches() ? OptionalLong.of(Long.parseLong(failed.group(1))) : OptionalLong.empty(),
                values.getOrDefault("med", OptionalLong.empty()),
                values.getOrDefault("p(99)", OptionalLong.empty()),
                values.getOrDefault("max", OptionalLong.empty()));
    }
}
