package dev.kiln.importer;

import dev.kiln.model.LoadBin;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * What a Hyperfoil controller tells of a run that goes on: of each metric the last second but one, which all agents have
 * reported. Asked every second, it makes up the run's series but for its end.
 */
public final class HyperfoilLive {
    /** In place of a file, in complaints. */
    private static final Path WHERE = Path.of("stats/recent");

    private final Map<String, TreeMap<Long, LoadRow>> metrics = new LinkedHashMap<>();
    private long told = Long.MIN_VALUE;

    /**
     * All metrics of one second.
     *
     * @param p99Nanos the greatest of its metrics
     */
    public record Second(double requestsPerSecond, long p99Nanos, long errors) {}

    /** @return the second that is new in an answer of {@code /run/ID/stats/recent}, if one is */
    public Optional<Second> take(String answer) {
        TreeMap<Long, LoadRow> news = new TreeMap<>();
        for (JsonNode metric : read(answer).path("statistics")) {
            LoadRow row = HyperfoilJson.row(WHERE, metric.path("summary"));
            String name = metric.path("phase").asString("") + "/" + metric.path("stepId") + "/"
                    + metric.path("metric").asString("");
            // A late agent adds to a second that was told already.
            metrics.computeIfAbsent(name, any -> new TreeMap<>()).put(row.startNanos(), row);
            if (row.startNanos() > told) {
                news.merge(row.startNanos(), row, HyperfoilLive::both);
            }
        }
        if (news.isEmpty()) {
            return Optional.empty();
        }
        told = news.lastKey();
        LoadRow all = news.values().stream().reduce(HyperfoilLive::both).orElseThrow();
        double seconds = (news.lastEntry().getValue().endNanos() - told) / 1e9;
        return Optional.of(new Second(
                all.completed() / seconds, all.p99Nanos(), all.errors().total()));
    }

    private static LoadRow both(LoadRow a, LoadRow b) {
        LoadBin.Errors errors = a.errors().plus(b.errors());
        return new LoadRow(
                a.startNanos(),
                Math.max(a.endNanos(), b.endNanos()),
                a.started() + b.started(),
                a.completed() + b.completed(),
                errors,
                -1,
                Math.max(a.p99Nanos(), b.p99Nanos()),
                Math.max(a.maxNanos(), b.maxNanos()));
    }

    /** All that was told; empty before the first second. */
    Optional<HyperfoilJson> series() {
        TreeMap<Long, LoadRow> rows = new TreeMap<>();
        metrics.values().forEach(metric -> metric.forEach((start, row) -> rows.merge(start, row, LoadRow::plus)));
        if (rows.isEmpty()) {
            return Optional.empty();
        }
        List<LoadRow> inStep = HyperfoilJson.inStep(rows.values());
        Span span = new Span(inStep.getFirst().startNanos(), inStep.getLast().endNanos());
        return Optional.of(new HyperfoilJson(
                "Hyperfoil", List.of(new HyperfoilJson.PhaseRows("load", inStep, span, Optional.empty()))));
    }

    private static JsonNode read(String answer) {
        try {
            return Json.MAPPER.readTree(answer);
        } catch (JacksonException e) {
            throw Json.broken(WHERE, e);
        }
    }
}
