package dev.kiln.importer;

import dev.kiln.importer.HyperfoilTotals.Total;
import dev.kiln.model.Provenance;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The series of a Hyperfoil run, a file or several a phase: one for each metric, and for each agent. Metrics are added up.
 * Files of agents are left aside where the sum over all is there.
 */
final class HyperfoilRun implements LoadSource {
    /** The interval is fixed in Hyperfoil. */
    static final Provenance.Bins BINS = new Provenance.Bins(1_000_000_000L, true, Provenance.Kind.TIME);

    private record PhaseFiles(String phase, List<Path> files, Span span) {}

    private final List<Total> totals;
    private final List<PhaseFiles> phases;

    /**
     * Of one run.
     *
     * @param series files recognised as series without a column for phases
     * @param totals of {@code total.csv}; may be empty
     */
    HyperfoilRun(List<Path> series, List<Total> totals) {
        this.totals = totals;
        this.phases = phases(series, totals);
    }

    private static List<PhaseFiles> phases(List<Path> series, List<Total> totals) {
        List<String> known = totals.stream().map(Total::phase).distinct().toList();
        Map<String, List<Path>> sums = new LinkedHashMap<>();
        Map<String, List<Path>> agents = new LinkedHashMap<>();
        for (Path file : series) {
            HyperfoilName name = HyperfoilName.of(file.getFileName().toString(), known);
            (name.agent().isEmpty() ? sums : agents)
                    .computeIfAbsent(name.phase(), phase -> new ArrayList<>())
                    .add(file);
        }
        agents.forEach(sums::putIfAbsent);
        List<PhaseFiles> phases = new ArrayList<>();
        sums.forEach((phase, files) ->
                span(files).ifPresent(rows -> phases.add(new PhaseFiles(phase, files, whole(phase, rows, totals)))));
        phases.sort(Comparator.comparingLong((PhaseFiles p) -> p.span().fromNanos()));
        return phases;
    }

    /** The phase as its total tells it, where that holds all rows: it begins some ms before its first interval does. */
    private static Span whole(String phase, Span rows, List<Total> totals) {
        return totals.stream()
                .filter(total -> total.phase().equals(phase))
                .map(Total::span)
                .reduce(Span::join)
                .filter(total -> total.fromNanos() <= rows.fromNanos() && total.toNanos() >= rows.toNanos())
                .orElse(rows);
    }

    private static Optional<Span> span(List<Path> files) {
        return files.stream().map(SeriesSpan::of).flatMap(Optional::stream).reduce(Span::join);
    }

    boolean isEmpty() {
        return phases.isEmpty();
    }

    @Override
    public String what() {
        return "Hyperfoil series";
    }

    @Override
    public Span span() {
        return phases.stream().map(PhaseFiles::span).reduce(Span::join).orElseThrow();
    }

    @Override
    public boolean dated() {
        return true;
    }

    @Override
    public Provenance.Bins bins() {
        return BINS;
    }

    @Override
    public boolean quantised() {
        return true;
    }

    @Override
    public boolean errorsFromFirstAnswer() {
        return true;
    }

    @Override
    public void read(LoadSink sink) {
        phases.forEach(phase -> read(phase, sink));
    }

    private void read(PhaseFiles phase, LoadSink sink) {
        sink.phase(phase.phase(), phase.span().fromNanos());
        long requests = 0;
        long end = phase.span().fromNanos();
        try (SeriesMerge rows = new SeriesMerge(phase.files(), phase.phase())) {
            for (Optional<LoadRow> row = rows.next(); row.isPresent(); row = rows.next()) {
                requests += row.get().started();
                end = row.get().endNanos();
                sink.row(row.get());
            }
            rows.cutShort().forEach(sink::gap);
        }
        List<Total> told = totals.stream()
                .filter(total -> total.phase().equals(phase.phase()))
                .toList();
        long promised = told.stream().mapToLong(Total::requests).sum();
        if (!told.isEmpty() && promised != requests) {
            sink.gap("phase " + phase.phase() + ": the series holds " + requests + " requests of the " + promised
                    + " that total.csv tells");
        }
        sink.end(Math.max(end, phase.span().toNanos()));
        if (told.size() == 1) {
            sink.total(told.getFirst().quantiles());
        }
    }
}
