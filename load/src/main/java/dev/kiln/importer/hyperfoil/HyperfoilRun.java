package dev.kiln.importer.hyperfoil;

import dev.kiln.importer.format.Format;
import dev.kiln.importer.format.Lines;
import dev.kiln.importer.format.LoadSource;
import dev.kiln.importer.format.LoadSource.LoadSink;
import dev.kiln.importer.format.LoadSource.LoadSink.LoadRow;
import dev.kiln.importer.format.LoadSource.Span;
import dev.kiln.importer.hyperfoil.HyperfoilTotals.HyperfoilTotal;
import dev.kiln.model.run.Provenance;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A HyperfoilRun adds up a run's series by metric, and by agent where the sum over all is missing. */
public final class HyperfoilRun {
    public static final Format FORMAT = new Format(
            "Hyperfoil's *.series.csv",
            head -> head.first(line -> {
                SeriesColumns columns = new SeriesColumns(line);
                return columns.isSeries()
                        && columns.has(SeriesColumns.SeriesRole.RESPONSES)
                        && !columns.has(SeriesColumns.SeriesRole.PHASE);
            }),
            Format.PartOfRun.HYPERFOIL_SERIES);

    /** The interval is fixed in Hyperfoil. */
    private static final Provenance.SourceBins BINS =
            new Provenance.SourceBins(1_000_000_000L, true, Provenance.SourceKind.TIME);

    private record PhaseFiles(String phase, List<Path> files, Span span) {}

    private final List<HyperfoilTotal> totals;
    private final List<PhaseFiles> phases;

    private HyperfoilRun(List<HyperfoilTotal> totals, List<PhaseFiles> phases) {
        this.totals = totals;
        this.phases = phases;
    }

    /** Makes the source of one run from series without a phase column; empty where they have no row. */
    public static Optional<LoadSource> of(List<Path> series, List<HyperfoilTotal> totals) {
        HyperfoilRun run = new HyperfoilRun(totals, phases(series, totals));
        return run.phases.stream()
                .map(PhaseFiles::span)
                .reduce(Span::join)
                .map(span -> source("Hyperfoil series", span, run::read));
    }

    /** Makes the source of a load as Hyperfoil recorded it, in any of its forms. */
    static LoadSource source(String what, Span span, Consumer<LoadSink> reader) {
        return new LoadSource(what, span, true, BINS, true, true, reader);
    }

    private static List<PhaseFiles> phases(List<Path> series, List<HyperfoilTotal> totals) {
        List<String> known =
                totals.stream().map(HyperfoilTotal::phase).distinct().toList();
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

    /** Returns the phase as its total tells it, if that holds all rows: phases begin before intervals. */
    private static Span whole(String phase, Span rows, List<HyperfoilTotal> totals) {
        return totals.stream()
                .filter(total -> total.phase().equals(phase))
                .map(HyperfoilTotal::span)
                .reduce(Span::join)
                .filter(total -> total.fromNanos() <= rows.fromNanos() && total.toNanos() >= rows.toNanos())
                .orElse(rows);
    }

    private static Optional<Span> span(List<Path> files) {
        return files.stream().map(SeriesReader::span).flatMap(Optional::stream).reduce(Span::join);
    }

    private void read(LoadSink sink) {
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
        List<HyperfoilTotal> told = totals.stream()
                .filter(total -> total.phase().equals(phase.phase()))
                .toList();
        long promised = told.stream().mapToLong(HyperfoilTotal::requests).sum();
        if (!told.isEmpty() && promised != requests) {
            sink.gap("phase " + phase.phase() + ": the series has " + requests + " of the " + promised
                    + " requests in total.csv");
        }
        sink.end(Math.max(end, phase.span().toNanos()));
        if (told.size() == 1) {
            sink.total(told.getFirst().quantiles());
        }
    }

    /**
     * A HyperfoilName is the name of a series file: {@code <phase>.<metric>.<n>[.agent.<name>].series.csv}, in which slashes of
     * phase and metric are underscores.
     *
     * @param agent empty for the sum over all agents
     */
    public record HyperfoilName(String phase, String metric, Optional<String> agent) {
        private static final Pattern FORM =
                Pattern.compile("(.+?)\\.(\\d+)(?:\\.agent\\.(.+?))?\\.series\\.csv.*", Pattern.DOTALL);

        /** @param phases as {@code total.csv} names them; without it a phase goes to the first dot */
        public static HyperfoilName of(String file, Collection<String> phases) {
            Matcher form = FORM.matcher(file);
            boolean known = form.matches();
            String stem = known ? form.group(1) : file.replaceFirst("(\\.series)?\\.csv.*$", "");
            Optional<String> agent = known ? Optional.ofNullable(form.group(3)) : Optional.empty();
            Optional<String> told = phases.stream()
                    .filter(phase -> stem.startsWith(phase.replace('/', '_') + "."))
                    .max(Comparator.comparingInt(String::length));
            if (told.isPresent()) {
                return new HyperfoilName(told.get(), stem.substring(told.get().length() + 1), agent);
            }
            int dot = stem.indexOf('.');
            return dot < 1
                    ? new HyperfoilName(stem, "", agent)
                    : new HyperfoilName(stem.substring(0, dot), stem.substring(dot + 1), agent);
        }
    }

    /** A SeriesMerge reads the rows of several series of one phase, and adds up those of the same second. */
    private static final class SeriesMerge implements AutoCloseable {
        private final List<SeriesReader> readers = new ArrayList<>();
        private final List<Optional<LoadRow>> heads = new ArrayList<>();

        SeriesMerge(List<Path> files, String phase) {
            for (Path file : files) {
                readers.add(new SeriesReader(Lines.of(file), phase));
            }
            readers.forEach(reader -> heads.add(reader.next()));
        }

        Optional<LoadRow> next() {
            if (heads.size() == 1) {
                return advance(0);
            }
            Optional<LoadRow> earliest = Optional.empty();
            for (Optional<LoadRow> head : heads) {
                if (head.isPresent()
                        && (earliest.isEmpty()
                                || head.get().startNanos() < earliest.get().startNanos())) {
                    earliest = head;
                }
            }
            if (earliest.isEmpty()) {
                return earliest;
            }
            Optional<LoadRow> sum = Optional.empty();
            for (int i = 0; i < heads.size(); i++) {
                if (heads.get(i).isPresent()
                        && heads.get(i).get().startNanos() < earliest.get().endNanos()) {
                    aligned(i, earliest.get());
                    LoadRow row = advance(i).orElseThrow();
                    sum = Optional.of(sum.isEmpty() ? row : sum.get().plus(row));
                }
            }
            return sum;
        }

        /** Intervals of one phase begin together in every metric; others could not be added up. */
        private void aligned(int i, LoadRow with) {
            LoadRow row = heads.get(i).orElseThrow();
            if (row.startNanos() != with.startNanos()) {
                throw readers.get(i).outOfStep();
            }
        }

        private Optional<LoadRow> advance(int i) {
            Optional<LoadRow> row = heads.get(i);
            if (row.isPresent()) {
                heads.set(i, readers.get(i).next());
            }
            return row;
        }

        List<String> cutShort() {
            return readers.stream()
                    .map(SeriesReader::cutShort)
                    .flatMap(Optional::stream)
                    .toList();
        }

        @Override
        public void close() {
            readers.forEach(SeriesReader::close);
        }
    }
}
