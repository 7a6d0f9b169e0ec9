package dev.kiln.importer;

import dev.kiln.importer.LoadSink.Quantiles;
import dev.kiln.model.LoadBin;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** oha's {@code --output-format json}: totals and quantiles, in seconds. */
final class Oha {
    private Oha() {}

    static TotalLoad of(Path file) {
        return parse(file, Json.read(file));
    }

    static TotalLoad parse(Path file, JsonNode root) {
        JsonNode summary = root.path("summary");
        long nanos = nanos(Json.number(file, summary, "total"));
        JsonNode statuses = root.path("statusCodeDistribution");
        long ok = 0;
        long others = 0;
        for (Map.Entry<String, JsonNode> status : statuses.properties()) {
            long count = Json.count(file, statuses, status.getKey());
            ok += status.getKey().startsWith("2") ? count : 0;
            others += status.getKey().startsWith("2") ? 0 : count;
        }
        JsonNode failures = root.path("errorDistribution");
        long lost = 0;
        long late = 0;
        for (Map.Entry<String, JsonNode> failure : failures.properties()) {
            long count = Json.count(file, failures, failure.getKey());
            // Requests under way when the test ended are no failures of the target.
            boolean deadline = failure.getKey().contains("deadline");
            boolean timeout = failure.getKey().contains("timeout");
            late += timeout ? count : 0;
            lost += deadline || timeout ? 0 : count;
        }
        JsonNode p = root.path("latencyPercentiles");
        return new TotalLoad(
                "oha",
                LabFolder.stem(String.valueOf(file.getFileName())),
                new Span(0, Math.max(1, nanos)),
                ok,
                new LoadBin.Errors(0, lost, late, others, 0),
                p.path("p50").isNumber() && p.path("p99").isNumber()
                        ? Optional.of(new Quantiles(
                                ok + others,
                                nanos(Json.number(file, p, "p50")),
                                nanos(Json.number(file, p, "p99")),
                                nanos(Json.number(file, summary, "slowest"))))
                        : Optional.empty());
    }

    private static long nanos(double seconds) {
        return Math.round(seconds * 1e9);
    }
}
