package dev.kiln.importer.program;

import dev.kiln.importer.format.Format;
import dev.kiln.importer.format.Json;
import dev.kiln.importer.format.LoadSource;
import dev.kiln.importer.format.LoadSource.Span;
import dev.kiln.importer.format.TimeText;
import dev.kiln.model.KilnException;
import dev.kiln.model.load.Latency.Quantiles;
import dev.kiln.model.load.LoadBin;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;

/**
 * A ToolJson reads the document that bombardier, autocannon, fortio or h2load writes of a test: totals by status, failures,
 * quantiles. Several documents in one file are tests, one after the other.
 */
public final class ToolJson {
    public static final Format BOMBARDIER = format(
            "bombardier's --format json", ToolJson::bombardier, "\"result\":{", "\"timeTakenSeconds\":", "\"req2xx\":");
    public static final Format AUTOCANNON =
            format("autocannon's --json", ToolJson::autocannon, "\"2xx\":", "\"non2xx\":", "\"latency\":{");
    public static final Format FORTIO =
            format("fortio's -json", ToolJson::fortio, "\"RunType\":", "\"ActualDuration\":");

    /** nghttp2 has it from 1.69 on. */
    public static final Format H2LOAD = format(
            "h2load's --output-file",
            ToolJson::h2load,
            "\"generator\":\"h2load",
            "\"measurements\":{",
            "\"status_codes\":{");

    private static final double SECONDS = 1e9;
    private static final double MILLIS = 1e6;
    private static final double MICROS = 1e3;

    private final Path file;
    private final JsonNode root;

    private ToolJson(Path file, JsonNode root) {
        this.file = file;
        this.root = root;
    }

    private static Format format(String words, Function<ToolJson, LoadSource> reader, String... parts) {
        return new Format(
                words,
                head -> head.json(parts),
                new Format.Loads((file, options) -> Json.all(file).stream()
                        .map(root -> reader.apply(new ToolJson(file, root)))
                        .toList()));
    }

    private LoadSource bombardier() {
        JsonNode result = root.path("result");
        long failed = 0;
        long refused = 0;
        long late = 0;
        for (JsonNode error : result.path("errors")) {
            long count = Json.count(file, error, "count");
            String why = error.path("description").asString("");
            failed += count;
            refused += why.contains("refused") ? count : 0;
            late += why.contains("timeout") || why.contains("timed out") ? count : 0;
        }
        long good = Json.count(file, result, "req2xx");
        long others = Json.count(file, result, "req1xx")
                + Json.count(file, result, "req3xx")
                + Json.count(file, result, "req4xx")
                + Json.count(file, result, "req5xx");
        // What failed has no status, and is among the others.
        long lost = Math.max(Json.count(file, result, "others"), failed) - refused - late;
        JsonNode latency = result.path("latency");
        JsonNode quantiles = latency.path("percentiles");
        return total(
                "bombardier",
                new Span(0, nanos(Json.number(file, result, "timeTakenSeconds"), SECONDS)),
                good,
                new LoadBin.Errors(refused, lost, late, others, 0),
                new Printed(MICROS, quantiles.path("50"), quantiles.path("99"), latency.path("max"))
                        .of(good + refused + lost + late + others));
    }

    private LoadSource autocannon() {
        long late = Json.count(file, root, "timeouts");
        long bodies = root.has("mismatches") ? Json.count(file, root, "mismatches") : 0;
        // An answer that was not the one expected has a status too; a request that timed out is an error too.
        LoadBin.Errors errors = new LoadBin.Errors(
                0,
                Math.max(0, Json.count(file, root, "errors") - late),
                late,
                Json.count(file, root, "non2xx"),
                bodies);
        JsonNode latency = root.path("latency");
        return total(
                "autocannon",
                span("start", nanos(Json.number(file, root, "duration"), SECONDS)),
                Math.max(0, Json.count(file, root, "2xx") - bodies),
                errors,
                // Only what was answered has a latency.
                new Printed(MILLIS, latency.path("p50"), latency.path("p99"), latency.path("max"))
                        .of(Json.count(file, root, "2xx") + Json.count(file, root, "non2xx")));
    }

    private LoadSource fortio() {
        String kind = root.path("RunType").asString("");
        if (!kind.equals("HTTP")) {
            throw KilnException.usage(
                    file + ": found a test of fortio of the type '" + kind + "'", "Kiln reads those of the type HTTP");
        }
        JsonNode codes = root.path("RetCodes");
        long good = 0;
        long lost = 0;
        long others = 0;
        for (Map.Entry<String, JsonNode> code : codes.properties()) {
            long count = Json.count(file, codes, code.getKey());
            boolean answered = code.getKey().matches("\\d{3}");
            boolean success = answered && code.getKey().startsWith("2");
            good += success ? count : 0;
            others += answered && !success ? count : 0;
            lost += answered ? 0 : count;
        }
        JsonNode times = root.path("DurationHistogram");
        return total(
                "fortio",
                span("StartTime", Json.count(file, root, "ActualDuration")),
                good,
                new LoadBin.Errors(0, lost, 0, others, 0),
                new Printed(SECONDS, percentile(times, 50), percentile(times, 99), times.path("Max"))
                        .of(good + lost + others));
    }

    private LoadSource h2load() {
        JsonNode measured = root.path("measurements");
        JsonNode requests = measured.path("requests");
        JsonNode codes = measured.path("status_codes");
        JsonNode times = measured.path("performance").path("request");
        // Requests that timed out are errored too.
        long late = Json.count(file, requests, "timeout");
        long good = Json.count(file, codes, "2xx");
        long others = Json.count(file, codes, "3xx") + Json.count(file, codes, "4xx") + Json.count(file, codes, "5xx");
        return total(
                "h2load",
                new Span(0, nanos(Json.number(file, measured, "duration"), SECONDS)),
                good,
                new LoadBin.Errors(0, Math.max(0, Json.count(file, requests, "errored") - late), late, others, 0),
                new Printed(SECONDS, times.path("median"), times.path("p99"), times.path("max")).of(good + others));
    }

    private static JsonNode percentile(JsonNode histogram, int percent) {
        for (JsonNode one : histogram.path("Percentiles")) {
            if (one.path("Percentile").asDouble(0) == percent) {
                return one.path("Value");
            }
        }
        return histogram.path("");
    }

    /** Printed are the quantiles of a document, in a unit of so many ns. */
    private record Printed(double unit, JsonNode median, JsonNode p99, JsonNode most) {
        /** Returns the quantiles of so many requests; empty where one is missing, or is 0, as of a time under a whole unit. */
        Optional<Quantiles> of(long requests) {
            boolean known = known(median) && known(p99) && known(most);
            return known
                    ? Optional.of(new Quantiles(
                            requests,
                            nanos(median.asDouble(0), unit),
                            nanos(p99.asDouble(0), unit),
                            nanos(most.asDouble(0), unit)))
                    : Optional.empty();
        }

        private static boolean known(JsonNode value) {
            return value.isNumber() && value.asDouble(0) > 0;
        }
    }

    private LoadSource total(String what, Span span, long good, LoadBin.Errors errors, Optional<Quantiles> quantiles) {
        if (span.length() <= 0) {
            throw KilnException.usage(
                    file + ": this test of " + what + " has no length", "restore the file as its program wrote it");
        }
        String phase = LoadSource.stem(String.valueOf(file.getFileName()));
        return LoadSource.total(what, phase, span, good, errors, quantiles);
    }

    /** Returns the span of so many ns from the time in a member on; from 0 on where there is no such time. */
    private Span span(String member, long nanos) {
        long from = TimeText.nanos(root.path(member).asString(""), "iso", ZoneOffset.UTC)
                .orElse(0);
        return new Span(from, from + nanos);
    }

    private static long nanos(double figure, double unit) {
        return Math.round(figure * unit);
    }
}
