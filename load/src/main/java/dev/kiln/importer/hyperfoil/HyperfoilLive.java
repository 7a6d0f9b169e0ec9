package dev.kiln.importer.hyperfoil;

import dev.kiln.importer.format.Json;
import dev.kiln.importer.format.LoadSource;
import dev.kiln.importer.format.LoadSource.LoadSink.LoadRow;
import dev.kiln.importer.format.LoadSource.LoadSink.RowLatencies;
import dev.kiln.importer.format.LoadSource.Span;
import dev.kiln.model.load.LoadBin;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * A HyperfoilLive collects what a Hyperfoil controller reports during a run: of each metric the last second but one, as the sum
 * of the agents that have reported it by then. Asked more than once a second, it makes up the run's series but for its end.
 */
public final class HyperfoilLive {
    /** Error messages have this in place of a file's name. */
    private static final Path WHERE = Path.of("stats/recent");

    private final Map<String, TreeMap<Long, LoadRow>> metrics = new LinkedHashMap<>();

    /** Begin of the last second that was reported; later answers may add to it. */
    private OptionalLong open = OptionalLong.empty();

    private long told = Long.MIN_VALUE;

    /** A HyperfoilSecond has all metrics of one second, and their greatest p99. */
    public record HyperfoilSecond(double requestsPerSecond, long p99Nanos, long errors) {}

    /** @return the second that an answer of {@code /run/ID/stats/recent} has gone on from, if it has */
    public Optional<HyperfoilSecond> take(String answer) {
        OptionalLong newest = OptionalLong.empty();
        for (JsonNode metric : read(answer).path("statistics")) {
            LoadRow row = HyperfoilJson.row(WHERE, metric.path("summary"));
            String name = metric.path("phase").asString("") + "/" + metric.path("stepId") + "/"
                    + metric.path("metric").asString("");
            TreeMap<Long, LoadRow> rows = metrics.computeIfAbsent(name, any -> new TreeMap<>());
            // A late agent adds to a second that was reported already, and may have begun it earlier.
            near(rows, row.startNanos()).clear();
            rows.put(row.startNanos(), row);
            newest = OptionalLong.of(Math.max(newest.orElse(Long.MIN_VALUE), row.startNanos()));
        }
        if (open.isPresent()
                && newest.isPresent()
                && Math.abs(newest.getAsLong() - open.getAsLong()) < HyperfoilJson.APART) {
            return Optional.empty();
        }
        Optional<HyperfoilSecond> over = open.isPresent() ? second(open.getAsLong()) : Optional.empty();
        // A metric that sends no more stays at its last second.
        open = newest.isPresent() && newest.getAsLong() > told ? newest : OptionalLong.empty();
        return over;
    }

    private Optional<HyperfoilSecond> second(long startNanos) {
        told = Math.max(told, startNanos + HyperfoilJson.APART);
        return metrics.values().stream()
                .flatMap(rows -> near(rows, startNanos).values().stream())
                .reduce(HyperfoilLive::both)
                .map(all -> new HyperfoilSecond(
                        all.completed() * 1e9 / (all.endNanos() - all.startNanos()),
                        all.latencies().p99Nanos(),
                        all.errors().total()));
    }

    /** Returns the rows of the same second. */
    private static SortedMap<Long, LoadRow> near(SortedMap<Long, LoadRow> rows, long startNanos) {
        return rows.subMap(startNanos - HyperfoilJson.APART + 1, startNanos + HyperfoilJson.APART);
    }

    private static LoadRow both(LoadRow a, LoadRow b) {
        LoadBin.Errors errors = a.errors().plus(b.errors());
        return new LoadRow(
                Math.min(a.startNanos(), b.startNanos()),
                Math.max(a.endNanos(), b.endNanos()),
                a.started() + b.started(),
                a.completed() + b.completed(),
                errors,
                new RowLatencies(
                        -1,
                        Math.max(a.latencies().p99Nanos(), b.latencies().p99Nanos()),
                        Math.max(a.latencies().maxNanos(), b.latencies().maxNanos())));
    }

    /** Returns all that was reported; empty before the first second. */
    public Optional<LoadSource> series() {
        TreeMap<Long, LoadRow> rows = new TreeMap<>();
        metrics.values().forEach(metric -> metric.forEach((start, row) -> rows.merge(start, row, LoadRow::plus)));
        if (rows.isEmpty()) {
            return Optional.empty();
        }
        List<LoadRow> inStep = HyperfoilJson.inStep(rows.values());
        Span span = new Span(inStep.getFirst().startNanos(), inStep.getLast().endNanos());
        return Optional.of(new HyperfoilJson(
                        "Hyperfoil", List.of(new HyperfoilJson.PhaseRows("load", inStep, span, Optional.empty())))
                .source());
    }

    private static JsonNode read(String answer) {
        try {
            return Json.MAPPER.readTree(answer);
        } catch (JacksonException e) {
            throw Json.broken(WHERE, e);
        }
    }
}
