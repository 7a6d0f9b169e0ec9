package dev.kiln.importer.program;

import dev.kiln.importer.format.CsvMapping;
import dev.kiln.importer.format.CsvMapping.MappedColumn;
import dev.kiln.importer.format.Format;
import dev.kiln.importer.format.Format.ImportOptions;
import dev.kiln.importer.format.LoadSource;
import dev.kiln.importer.format.LoadSource.LoadSink.RowLatencies;
import dev.kiln.importer.format.LoadSource.Span;
import dev.kiln.importer.format.TimeText;
import dev.kiln.importer.hyperfoil.SeriesColumns.SeriesCounting;
import dev.kiln.importer.program.SeriesGrid.RowCounts;
import dev.kiln.importer.program.SeriesGrid.SeriesRow;
import dev.kiln.model.KilnException;
import dev.kiln.model.run.Provenance;
import dev.kiln.text.CsvLine;
import dev.kiln.text.CsvTable;
import dev.kiln.text.CsvTable.CsvRow;
import dev.kiln.text.Decimal;
import dev.kiln.text.Source;
import java.nio.file.Path;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * SeriesCsv is the one reader of a load series in CSV, of {@code kiln analyze} and of {@code kiln import}, with columns that
 * are known by their names or that the user names. Time is what the rows say: rows are put into the order of time, a second
 * without a row is one without requests, and a second that is there twice is an error.
 */
public final class SeriesCsv {
    /** A table with a column {@code requests}, or one number a line. */
    public static final Format FORMAT = new Format(
            "a CSV with a column requests, or one number a line",
            SeriesFile::recognises,
            new Format.Loads((file, options) -> List.of(of(file, options))));

    /** A table without phases is one phase of this name. */
    private static final String ONLY_PHASE = "load";

    /** This is the year 2000: earlier times count from a beginning of their own. */
    private static final long EPOCH = 946_684_800_000_000_000L;

    private static final double SECOND = 1e9;

    /** The unit of a rate per minute, as monitoring has it. */
    private static final String A_MINUTE = "rpm";

    private static final String AS_UTC = "times without a zone are read as UTC: --zone names another";

    /** No service serves more in a row, and sums of counts must fit. */
    private static final double MOST = 1e15;

    private final String what;
    private final CsvTable table;
    private final Map<String, MappedColumn> columns;
    private final Optional<CsvMapping> mapping;
    private final ZoneId zone;
    private final boolean semicolons;
    private final Optional<SeriesCounting> counting;
    private final List<String> notes = new ArrayList<>();

    /** The clock reads the times of rows; a table without times has none. */
    private final Optional<RowClock> clock;

    private SeriesCsv(String what, Source source, Optional<CsvMapping> mapping, ZoneId zone) {
        this.what = what;
        table = SeriesCells.plain(CsvTable.parse(source));
        semicolons = CsvLine.separator(source.text()) == ';';
        this.mapping = mapping;
        this.zone = zone;
        counting = mapping.isPresent() ? Optional.empty() : SeriesCounting.of(table.columns());
        columns = mapping.map(CsvMapping::columns)
                .orElseGet(() -> new SeriesNames(table, zone, counting.isPresent(), notes).columns());
        clock = Optional.ofNullable(columns.get("time")).map(column -> new RowClock(column.unit(), zone));
    }

    /** Says why a file that only its numbers make look like a series is none; empty where it is one. */
    public static Optional<String> doubt(Path file) {
        try {
            if (SeriesFile.isNumber(Format.Head.of(file).first())) {
                read(Source.read(file.toString()), OptionalDouble.empty());
            }
            return Optional.empty();
        } catch (KilnException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    /** Tells whether a column has a name by which a series knows its time. */
    public static boolean isTime(String column) {
        return SeriesNames.isTime(column);
    }

    /** Reads a table whose columns are known by their names. */
    static LoadSource of(Path file, ImportOptions options) {
        return read(
                Optional.empty(),
                Source.read(file.toString()),
                OptionalDouble.empty(),
                Optional.empty(),
                options.zone());
    }

    /** @param what wrote it, in words */
    static LoadSource of(Path file, String what, CsvMapping mapping, ImportOptions options) {
        Source source = Source.read(file.toString());
        return read(Optional.of(what), source, OptionalDouble.empty(), Optional.of(mapping), options.zone());
    }

    /** Reads a table with columns of known names; rows without a length are as long as times say. */
    public static LoadSource read(Source source, OptionalDouble rowSeconds) {
        return read(Optional.empty(), source, rowSeconds, Optional.empty(), Optional.empty());
    }

    private static LoadSource read(
            Optional<String> what,
            Source source,
            OptionalDouble rowSeconds,
            Optional<CsvMapping> mapping,
            Optional<ZoneId> zone) {
        return new SeriesCsv(what.orElse(source.name()), source, mapping, zone.orElse(ZoneOffset.UTC))
                .source(rowSeconds, zone.isPresent());
    }

    private static String cell(CsvRow row, int at) {
        return row.cells().get(at);
    }

    private LoadSource source(OptionalDouble rowSeconds, boolean zoned) {
        List<SeriesRow> rows = new ArrayList<>();
        List<CsvRow> meant = table.rows().stream().filter(this::isMeant).toList();
        if (semicolons && columns.containsKey("requests")) {
            SeriesCells.refuseThousands(table.file(), meant, row -> cell(row, "requests"));
        }
        for (CsvRow row : clock.map(of -> of.oldestFirst(meant, each -> cell(each, "time")))
                .orElse(meant)) {
            rows.add(row(row, zoned));
        }
        if (rows.isEmpty()) {
            throw Source.wrong(table.file(), 1, "no row is as --map asks for", "correct the condition behind where");
        }
        boolean locust = mapping.filter(CsvMapping::locust).isPresent();
        SeriesRows inOrder = SeriesRows.sorted(table.file(), rows);
        SeriesRows sorted = locust ? inOrder.lastOfEachTime() : inOrder;
        if (!isUnit("requests", "total") && sorted.grow()) {
            notes.add("requests grow in every row: if they are all since the test began, import them with --map"
                    + " requests=NAME:total");
        }
        SeriesRows all =
                isUnit("requests", "total") ? sorted.differences(isUnit("errors", "total"), locust, notes) : sorted;
        SeriesRows counted = locust ? all.withoutFailures() : all;
        Map<String, List<SeriesRow>> phases = counted.phases(notes);
        SeriesGrid.SeriesForm form = form(rowSeconds, phases);
        List<SeriesGrid> grids = new ArrayList<>();
        for (List<SeriesRow> phase : phases.values()) {
            SeriesGrid grid = SeriesGrid.of(
                    form,
                    phase,
                    grids.isEmpty() ? first(phase) : grids.getLast().end());
            notes.addAll(grid.notes());
            grids.add(grid);
        }
        OptionalDouble offered =
                SeriesRows.offered(List.copyOf(phases.values()), form.rate() ? 1 : form.lengthNanos() / SECOND, notes);
        return source(form, grids, offered);
    }

    private LoadSource source(SeriesGrid.SeriesForm form, List<SeriesGrid> grids, OptionalDouble offered) {
        Span span = new Span(grids.getFirst().start(), grids.getLast().end());
        return new LoadSource(
                what,
                span,
                span.fromNanos() >= EPOCH,
                new Provenance.SourceBins(form.lengthNanos(), false, Provenance.SourceKind.TIME),
                columns.containsKey("p50"),
                false,
                sink -> {
                    grids.forEach(grid -> grid.tell(sink));
                    offered.ifPresent(sink::offered);
                    if (!columns.containsKey("errors") && counting.isEmpty()) {
                        sink.uncounted();
                    }
                    notes.forEach(sink::gap);
                });
    }

    private static long first(List<SeriesRow> rows) {
        return rows.getFirst().timeNanos().orElse(0);
    }

    private boolean isMeant(CsvRow row) {
        return mapping.stream()
                .flatMap(named -> named.where().stream())
                .allMatch(
                        condition -> cell(row, table.column(condition.column())).equals(condition.value()));
    }

    private SeriesRow row(CsvRow row, boolean zoned) {
        String phase = columns.containsKey("phase") ? cell(row, "phase") : ONLY_PHASE;
        if (phase.isEmpty()) {
            throw Source.wrong(table.file(), row.line(), "phase: found nothing, expected a name", "");
        }
        double told = table.columns().isEmpty() ? count(row, "requests", cell(row, 0)) : count(row, "requests");
        double requests = isUnit("requests", A_MINUTE) ? told / 60 : told;
        double errors = columns.containsKey("errors") ? count(row, "errors") : 0;
        errors = isUnit("errors", A_MINUTE) ? errors / 60 : errors;
        if (counting.isPresent()) {
            SeriesCounting.Counts counts = counting.get().counts(table.file(), row);
            requests = counts.completed();
            errors = counts.failed();
        }
        OptionalLong time = next(row, time(row, "time"));
        if (time.isPresent() && !zoned && TimeText.isLocal(cell(row, "time")) && !notes.contains(AS_UTC)) {
            notes.add(AS_UTC);
        }
        return new SeriesRow(
                row.line(),
                phase,
                time,
                time(row, "end"),
                new RowCounts(requests, errors),
                new RowLatencies(nanos(row, "p50"), nanos(row, "p99"), nanos(row, "max")),
                rate(row));
    }

    private String cell(CsvRow row, String what) {
        return cell(row, table.column(column(what).name()));
    }

    private MappedColumn column(String what) {
        return Optional.ofNullable(columns.get(what)).orElseThrow();
    }

    private double count(CsvRow row, String what) {
        return count(row, what, cell(row, what));
    }

    private double count(CsvRow row, String what, String cell) {
        double count = Decimal.notNegative(table.file(), row.line(), what, cell);
        if (count > MOST) {
            throw Source.wrong(
                    table.file(), row.line(), what + ": found " + cell + ", expected a count up to 1e15", "");
        }
        return count;
    }

    private OptionalLong time(CsvRow row, String what) {
        if (!columns.containsKey(what)) {
            return OptionalLong.empty();
        }
        OptionalLong nanos = TimeText.nanos(cell(row, what), column(what).unit(), zone);
        if (nanos.isEmpty()) {
            throw Source.wrong(
                    table.file(),
                    row.line(),
                    "found '" + cell(row, what) + "' for " + column(what).name() + ", expected "
                            + TimeText.example(column(what).unit()),
                    "");
        }
        return nanos;
    }

    private OptionalLong next(CsvRow row, OptionalLong time) {
        return time.isEmpty() ? time : OptionalLong.of(clock.orElseThrow().next(cell(row, "time"), time.getAsLong()));
    }

    /** Returns a cell in ns; -1 where the table does not have it. */
    private long nanos(CsvRow row, String what) {
        MappedColumn column = columns.get(what);
        if (column == null || cell(row, what).isEmpty()) {
            return -1;
        }
        double value = Decimal.notNegative(table.file(), row.line(), column.name(), cell(row, what));
        return Math.round(value * Math.pow(10, TimeText.POWERS.getOrDefault(column.unit(), 0)));
    }

    /** Returns the offered requests per second; empty where the cell is, as where a load without a rate follows one with it. */
    private OptionalDouble rate(CsvRow row) {
        return !columns.containsKey("rate") || cell(row, "rate").isEmpty()
                ? OptionalDouble.empty()
                : OptionalDouble.of(count(row, "rate"));
    }

    private boolean isUnit(String what, String unit) {
        return columns.containsKey(what) && column(what).unit().equals(unit);
    }

    private SeriesGrid.SeriesForm form(OptionalDouble rowSeconds, Map<String, List<SeriesRow>> phases) {
        OptionalLong told = rowSeconds.isPresent()
                ? OptionalLong.of(Math.round(rowSeconds.getAsDouble() * SECOND))
                : mapping.map(CsvMapping::binNanos).orElse(OptionalLong.empty());
        OptionalLong own = SeriesRows.usual(phases, true);
        OptionalLong steps = SeriesRows.usual(phases, false);
        boolean timed = phases.values().iterator().next().getFirst().timeNanos().isPresent();
        if (told.isEmpty() && own.isEmpty() && steps.isEmpty() && timed) {
            throw Source.wrong(
                    table.file(),
                    phases.values().iterator().next().getFirst().line(),
                    "found one row, so its length is unknown",
                    mapping.isPresent()
                            ? "give the length of a row: --map with bin=1s"
                            : "name its columns with --map, with the length of a row: bin=1s");
        }
        long length = told.orElse(own.orElse(steps.orElse((long) SECOND)));
        return new SeriesGrid.SeriesForm(
                table.file(),
                length,
                told.isPresent() || own.isPresent(),
                isUnit("requests", "rate") || isUnit("requests", A_MINUTE),
                isUnit("errors", "rate") || isUnit("errors", A_MINUTE));
    }
}
