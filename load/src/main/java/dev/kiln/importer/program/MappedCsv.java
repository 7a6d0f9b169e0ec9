package dev.kiln.importer.program;

import dev.kiln.importer.format.CsvMapping;
import dev.kiln.importer.format.CsvMapping.MappedColumn;
import dev.kiln.importer.format.Format;
import dev.kiln.importer.format.Format.ImportOptions;
import dev.kiln.importer.format.Lines;
import dev.kiln.importer.format.LoadSource;
import dev.kiln.importer.format.TimeText;
import dev.kiln.importer.program.Request.RequestOutcome;
import dev.kiln.model.KilnException;
import dev.kiln.text.CsvRows;
import java.nio.file.Path;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** A MappedCsv is any CSV, with the columns that the user named: a series, or a row for each request. */
public record MappedCsv(CsvMapping mapping, ZoneId zone) {
    /** The format is not recognised by how a file begins: the user names its columns. */
    public static final Format FORMAT = new Format(
            "any CSV, with --map",
            head -> false,
            new Format.Loads((file, options) -> options.mapping().stream()
                    .flatMap(mapping -> of(file, mapping, options).stream())
                    .toList()));

    private static final CsvMapping LOCUST_COLUMNS = CsvMapping.parse(
            "time=Timestamp:s,requests=Total Request Count:total,errors=Total Failure Count:total where Name=Aggregated");

    /**
     * Locust's {@code --csv} history ({@code _stats_history.csv}) has a row a second for each request and, named
     * Aggregated, for all. Its total counts grow from the beginning of the test and include failures; its rates are
     * means of ten seconds, so Kiln reads the totals, which {@code --reset-stats} begins anew once all users run. Its
     * quantiles are of the last ten seconds too, and are not read.
     */
    public static final Format LOCUST = new Format(
            "Locust's stats history",
            head -> head.first(MappedCsv::isLocusts),
            new Format.Loads(
                    (file, options) -> List.of(SeriesCsv.of(file, "Locust", LOCUST_COLUMNS.ofLocust(), options))));

    /** This is the year 2000: earlier times count from a beginning of their own. */
    private static final long EPOCH = 946_684_800_000_000_000L;

    private static final Set<String> SUCCESS = Set.of("true", "1", "ok", "yes", "pass", "passed", "success");

    private static boolean isLocusts(String line) {
        return line.replace("\"", "").startsWith("Timestamp,User Count,") && LOCUST_COLUMNS.fits(line);
    }

    public static Optional<LoadSource> of(Path file, CsvMapping mapping, ImportOptions options) {
        return mapping.single()
                ? new MappedCsv(mapping, options.zone().orElse(ZoneOffset.UTC)).requests(file)
                : Optional.of(SeriesCsv.of(file, "a CSV with named columns", mapping, options));
    }

    private Optional<LoadSource> requests(Path file) {
        MappedColumn time = mapping.column("time").orElseThrow();
        try (Lines lines = Lines.of(file)) {
            CsvRows rows = new CsvRows(lines, gap -> {});
            Optional<List<String>> first = rows.next();
            if (first.isEmpty()) {
                return Optional.empty();
            }
            String stamp = first.get().get(rows.column(time.name()));
            boolean whole = List.of("s", "iso", TimeText.OF_DAY).contains(time.unit());
            boolean fine = !whole || stamp.matches(".*[.,]\\d+.*");
            boolean dated = time(rows, stamp, time) >= EPOCH;
            return RequestLog.ofLines(
                    "a CSV with named columns", file, dated, fine ? 100_000_000 : 1_000_000_000, this::parse);
        }
    }

    private void parse(Lines lines, Consumer<Request> requests, Consumer<String> gaps) {
        CsvRows rows = new CsvRows(lines, gaps);
        for (Optional<List<String>> row = rows.next(); row.isPresent(); row = rows.next()) {
            List<String> cells = row.get();
            boolean meant = mapping.where().stream()
                    .allMatch(condition ->
                            cells.get(rows.column(condition.column())).strip().equals(condition.value()));
            if (meant) {
                requests.accept(request(rows, cells));
            }
        }
    }

    private Request request(CsvRows rows, List<String> cells) {
        MappedColumn time = mapping.column("time").orElseThrow();
        long begin = time(rows, cells.get(rows.column(time.name())), time);
        long latency = mapping.column("latency")
                .map(took -> time(rows, cells.get(rows.column(took.name())), took))
                .orElse(0L);
        return new Request(begin, latency, outcome(rows, cells), rows.place());
    }

    private RequestOutcome outcome(CsvRows rows, List<String> cells) {
        Optional<String> status = mapping.column("status")
                .map(of -> cells.get(rows.column(of.name())).strip());
        Optional<String> success = mapping.column("success")
                .map(of -> cells.get(rows.column(of.name())).strip());
        if (status.isPresent() && !status.get().matches("[1-5]\\d\\d.*")) {
            return RequestOutcome.LOST;
        }
        if (status.isPresent() && !status.get().startsWith("2")) {
            return RequestOutcome.STATUS;
        }
        boolean good = success.isEmpty() || SUCCESS.contains(success.get().toLowerCase(Locale.ROOT));
        return good ? RequestOutcome.OK : RequestOutcome.BODY;
    }

    private long time(CsvRows rows, String text, MappedColumn column) {
        return TimeText.nanos(text, column.unit(), zone)
                .orElseThrow(() -> KilnException.usage(
                        rows.place() + ": found '" + text + "' for " + column.name() + ", expected "
                                + (TimeText.POWERS.containsKey(column.unit())
                                        ? "a time in " + column.unit()
                                        : TimeText.example(column.unit())),
                        "correct the line, or name another unit with --map"));
    }
}
