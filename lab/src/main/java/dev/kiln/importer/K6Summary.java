package dev.kiln.importer;

import dev.kiln.importer.LoadSink.Quantiles;
import dev.kiln.model.LoadBin;
import java.nio.file.Path;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** k6's {@code --summary-export}, or the data of its {@code handleSummary}: totals. */
final class K6Summary {
    private K6Summary() {}

    static TotalLoad of(Path file) {
        return parse(file, Json.read(file));
    }

    static TotalLoad parse(Path file, JsonNode root) {
        JsonNode metrics = root.path("metrics");
        JsonNode requests = values(metrics.path("http_reqs"));
        JsonNode duration = values(metrics.path("http_req_duration"));
        JsonNode failed = values(metrics.path("http_req_failed"));
        long count = Json.count(file, requests, "count");
        double rate = Json.number(file, requests, "rate");
        long nanos = rate > 0 ? Math.round(count / rate * 1e9) : 1;
        // A rate's "passes" are the requests for which it was true: those that failed.
        long bad = failed.path("passes").isNumber() ? Math.min(count, Json.count(file, failed, "passes")) : 0;
        return new TotalLoad(
                "k6",
                LabFolder.stem(String.valueOf(file.getFileName())),
                new Span(0, Math.max(1, nanos)),
                count - bad,
                new LoadBin.Errors(0, 0, 0, bad, 0),
                duration.path("p(99)").isNumber()
                        ? Optional.of(new Quantiles(
                                count,
                                nanos(file, duration, "med"),
                                nanos(file, duration, "p(99)"),
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
