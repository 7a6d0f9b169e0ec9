package dev.kiln.importer.hyperfoil;

import dev.kiln.importer.format.Format;
import dev.kiln.importer.format.Json;
import dev.kiln.importer.format.LoadSource;
import dev.kiln.importer.format.LoadSource.LoadSink;
import dev.kiln.importer.format.LoadSource.LoadSink.LoadRow;
import dev.kiln.importer.format.LoadSource.LoadSink.RowLatencies;
import dev.kiln.importer.format.LoadSource.Span;
import dev.kiln.importer.hyperfoil.SeriesColumns.SeriesCounts;
import dev.kiln.importer.hyperfoil.SeriesColumns.SeriesRole;
import dev.kiln.model.KilnException;
import dev.kiln.model.load.Latency.Quantiles;
import dev.kiln.model.run.Provenance;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;

/** A HyperfoilJson is Hyperfoil's {@code all.json} (run-schema v3.0): the same as its series and totals in one document. */
public record HyperfoilJson(String what, List<PhaseRows> phases) {
    public static final Format FORMAT = new Format(
            "Hyperfoil's all.json", head -> head.json("hyperfoil.io/run-schema"), Format.PartOfRun.HYPERFOIL_DOCUMENT);

    private static final long MILLI = 1_000_000;

    /** This is half of its interval: rows that begin closer to one another are of the same second. */
    static final long APART = 500 * MILLI;

    private static final SeriesCounts COUNTS = new SeriesCounts(true, true);

    public HyperfoilJson {
        phases = List.copyOf(phases);
    }

    /** PhaseRows are a phase, its metrics added up; it has quantiles only where there is one metric. */
    record PhaseRows(String name, List<LoadRow> rows, Span span, Optional<Quantiles> quantiles) {}

    public static LoadSource of(Path file) {
        return parse(file, Json.read(file)).source();
    }

    /** Reads a document; empty for a run without a request. */
    public static Optional<LoadSource> maybe(Path file) {
        JsonNode root = Json.read(file);
        boolean requests = false;
        for (JsonNode stats : root.path("stats")) {
            requests |= !stats.path("series").isEmpty()
                    || stats.path("total").path("summary").path("requestCount").asLong(0) > 0;
        }
        return requests ? Optional.of(parse(file, root).source()) : Optional.empty();
    }

    private static HyperfoilJson parse(Path file, JsonNode root) {
        Map<String, List<JsonNode>> metrics = new LinkedHashMap<>();
        for (JsonNode stats : root.path("stats")) {
            metrics.computeIfAbsent(stats.path("name").asString("load"), name -> new ArrayList<>())
                    .add(stats);
        }
        List<PhaseRows> phases = new ArrayList<>();
        metrics.forEach((name, of) -> phase(file, name, of).ifPresent(phases::add));
        if (phases.isEmpty()) {
            throw wrong(file, "no phase with a request");
        }
        phases.sort(Comparator.comparingLong((PhaseRows p) -> p.span().fromNanos()));
        String version = root.path("version").asString("");
        return new HyperfoilJson(version.isEmpty() ? "Hyperfoil" : "Hyperfoil " + version, phases);
    }

    private static Optional<PhaseRows> phase(Path file, String name, List<JsonNode> metrics) {
        TreeMap<Long, LoadRow> rows = new TreeMap<>();
        Optional<Span> span = Optional.empty();
        for (JsonNode metric : metrics) {
            for (JsonNode second : metric.path("series")) {
                LoadRow row = row(file, second);
                rows.merge(row.startNanos(), row, LoadRow::plus);
            }
            JsonNode total = metric.path("total");
            Span own = new Span(Json.count(file, total, "start") * MILLI, Json.count(file, total, "end") * MILLI);
            span = Optional.of(span.map(own::join).orElse(own));
        }
        if (rows.isEmpty()) {
            return totals(file, name, metrics);
        }
        List<LoadRow> inStep = inStep(rows.values());
        Span rowsSpan =
                new Span(inStep.getFirst().startNanos(), inStep.getLast().endNanos());
        Optional<Quantiles> quantiles = metrics.size() == 1
                ? Optional.of(quantiles(file, metrics.getFirst().path("total").path("summary")))
                : Optional.empty();
        // A phase begins some ms before its first interval does.
        Span total = span.orElse(rowsSpan);
        Span whole =
                total.fromNanos() <= rowsSpan.fromNanos() && total.toNanos() >= rowsSpan.toNanos() ? total : rowsSpan;
        return Optional.of(new PhaseRows(name, inStep, whole, quantiles));
    }

    /** Reads a phase whose seconds were not kept: one row for all of it. */
    private static Optional<PhaseRows> totals(Path file, String name, List<JsonNode> metrics) {
        List<JsonNode> summaries = metrics.stream()
                .map(metric -> metric.path("total").path("summary"))
                .filter(summary -> summary.path("requestCount").asLong(0) > 0)
                .toList();
        return summaries.stream()
                .map(summary -> row(file, summary))
                .reduce((a, b) -> new LoadRow(
                                Math.min(a.startNanos(), b.startNanos()),
                                a.endNanos(),
                                a.started(),
                                a.completed(),
                                a.errors(),
                                a.latencies())
                        .plus(b))
                .map(row -> new PhaseRows(
                        name,
                        List.of(row),
                        new Span(row.startNanos(), row.endNanos()),
                        summaries.size() == 1 ? Optional.of(quantiles(file, summaries.getFirst())) : Optional.empty()));
    }

    /** Ends each row where the next begins: agents' phases, added up, begin and end some ms apart. */
    static List<LoadRow> inStep(Collection<LoadRow> rows) {
        List<LoadRow> inStep = new ArrayList<>();
        for (LoadRow row : rows) {
            if (!inStep.isEmpty() && row.startNanos() - inStep.getLast().startNanos() < APART) {
                inStep.add(inStep.removeLast().plus(row));
                continue;
            }
            if (!inStep.isEmpty() && inStep.getLast().endNanos() > row.startNanos()) {
                inStep.add(inStep.removeLast().until(row.startNanos()));
            }
            inStep.add(row);
        }
        return List.copyOf(inStep);
    }

    private static Quantiles quantiles(Path file, JsonNode summary) {
        JsonNode percentiles = summary.path("percentileResponseTime");
        return new Quantiles(
                Json.count(file, summary, "responseCount"),
                Json.count(file, percentiles, "50.0"),
                Json.count(file, percentiles, "99.0"),
                Json.count(file, summary, "maxResponseTime"));
    }

    /** Reads one interval of a metric, as it is in a series and in a controller's reports during a run. */
    public static LoadRow row(Path file, JsonNode second) {
        long[] cells = new long[SeriesRole.values().length];
        cells[SeriesRole.REQUESTS.place()] = Json.count(file, second, "requestCount");
        cells[SeriesRole.RESPONSES.place()] = Json.count(file, second, "responseCount");
        cells[SeriesRole.CONNECTION.place()] = Json.count(file, second, "connectionErrors");
        cells[SeriesRole.TIMEOUT.place()] = Json.count(file, second, "requestTimeouts");
        cells[SeriesRole.INTERNAL.place()] = Json.count(file, second, "internalErrors");
        cells[SeriesRole.INVALID.place()] = Json.count(file, second, "invalid");
        JsonNode http = second.path("extensions").path("http");
        boolean statuses = http.isObject();
        if (statuses) {
            cells[SeriesRole.OK.place()] = Json.count(file, http, "status_2xx");
            cells[SeriesRole.REDIRECT.place()] = Json.count(file, http, "status_3xx");
            cells[SeriesRole.CLIENT.place()] = Json.count(file, http, "status_4xx");
            cells[SeriesRole.SERVER.place()] = Json.count(file, http, "status_5xx");
            cells[SeriesRole.OTHER.place()] = Json.count(file, http, "status_other");
        }
        long start = Json.count(file, second, "startTime");
        long end = Json.count(file, second, "endTime");
        SeriesCounts counts = statuses ? COUNTS : new SeriesCounts(true, false);
        if (end <= start || end > Long.MAX_VALUE / MILLI || counts.completed(cells) < 0) {
            throw wrong(file, "a second from " + start + " to " + end + " whose counts contradict one another");
        }
        JsonNode percentiles = second.path("percentileResponseTime");
        return new LoadRow(
                start * MILLI,
                end * MILLI,
                cells[SeriesRole.REQUESTS.place()],
                counts.completed(cells),
                counts.errors(cells),
                new RowLatencies(
                        Json.count(file, percentiles, "50.0"),
                        Json.count(file, percentiles, "99.0"),
                        Json.count(file, second, "maxResponseTime")));
    }

    private static KilnException wrong(Path file, String found) {
        return KilnException.usage(
                file + ": found " + found + ", expected a run of Hyperfoil", "restore the file as Hyperfoil wrote it");
    }

    public LoadSource source() {
        Span span = phases.stream().map(PhaseRows::span).reduce(Span::join).orElseThrow();
        boolean curve = phases.stream().anyMatch(phase -> phase.rows().size() > 1);
        return curve
                ? HyperfoilRun.source(what, span, this::read)
                : new LoadSource(
                        what,
                        span,
                        true,
                        new Provenance.SourceBins(phases.getFirst().span().length(), true, Provenance.SourceKind.TOTAL),
                        true,
                        true,
                        this::read);
    }

    private void read(LoadSink sink) {
        for (PhaseRows phase : phases) {
            sink.phase(phase.name(), phase.span().fromNanos());
            phase.rows().forEach(sink::row);
            sink.end(phase.span().toNanos());
            phase.quantiles().ifPresent(sink::total);
        }
    }
}
