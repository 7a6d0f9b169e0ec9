package dev.kiln.importer.program;

import dev.kiln.importer.format.CsvMapping;
import dev.kiln.importer.format.CsvMapping.Column;
import dev.kiln.importer.format.Format;
import dev.kiln.importer.format.Lines;
import dev.kiln.importer.format.LoadRow;
import dev.kiln.importer.format.LoadSink;
import dev.kiln.importer.format.LoadSource;
import dev.kiln.importer.format.Span;
import dev.kiln.importer.format.Stamps;
import dev.kiln.model.KilnException;
import dev.kiln.model.load.LoadBin;
import dev.kiln.model.run.Provenance;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** A series in a CSV of anybody's, with the columns that the user named. A row goes to the next row's time, or is as long as said. */
public record MappedCsv(CsvMapping mapping, long usualNanos) {
    /** Not recognised by how a file begins: the user names its columns. */
    public static final Format FORMAT = new Format(
            "any CSV, with --map",
            head -> false,
            new Format.Loads((file, options) -> options.mapping().stream()
                    .flatMap(mapping -> of(file, mapping).stream())
                    .toList()));

    /** The year 2000: earlier times count from a beginning of their own. */
    private static final long EPOCH = 946_684_800_000_000_000L;

    private static final Map<String, Integer> POWERS = Map.of("s", 9, "ms", 6, "us", 3, "ns", 0);

    /** One row; {@code requests} is a rate or a count as the mapping says. */
    record Row(String phase, long timeNanos, double requests, long errors, long p50, long p99, long max, long line) {}

    /** So many times as long as usual is a hole between two rows. */
    private static final int HOLE = 3;

    /** Rows from which Kiln derives the usual length of a row. */
    private static final int LOOK = 10_000;

    public static Optional<LoadSource> of(Path file, CsvMapping mapping) {
        List<Long> steps = new ArrayList<>();
        long[] span = {Long.MIN_VALUE, Long.MIN_VALUE};
        parse(
                Lines.of(file),
                mapping,
                row -> {
                    if (span[0] == Long.MIN_VALUE) {
                        span[0] = row.timeNanos();
                    } else if (steps.size() < LOOK) {
                        steps.add(row.timeNanos() - span[1]);
                    }
                    span[1] = row.timeNanos();
                },
                gap -> {});
        if (span[0] == Long.MIN_VALUE) {
            return Optional.empty();
        }
        steps.sort(Comparator.naturalOrder());
        long usual = mapping.binNanos().orElse(steps.isEmpty() ? 0 : steps.get(steps.size() / 2));
        if (usual <= 0) {
            throw KilnException.usage(
                    file + ": found one row, so its length is unknown", "give the length of a row: --map with bin=1s");
        }
        MappedCsv csv = new MappedCsv(mapping, usual);
        return Optional.of(new LoadSource(
                "a CSV with named columns",
                new Span(span[0], span[1] + usual),
                span[0] >= EPOCH,
                new Provenance.Bins(usual, false, Provenance.Kind.TIME),
                mapping.column("p50").isPresent(),
                false,
                sink -> csv.read(file, sink)));
    }

    public static void parse(Lines lines, CsvMapping mapping, Consumer<Row> rows, Consumer<String> gaps) {
        try (lines) {
            List<String> header = lines.next() ? stripped(lines.cells()) : List.of();
            long last = Long.MIN_VALUE;
            long index = 0;
            while (lines.nextRow(gaps)) {
                List<String> cells = stripped(lines.cells());
                if (cells.size() != header.size()) {
                    throw lines.malformed(cells.size() + " columns", Integer.toString(header.size()));
                }
                Row row = row(lines, mapping, header, cells, index++);
                if (row.timeNanos() <= last) {
                    throw lines.malformed("a time that is not after that of the row above", "times that grow");
                }
                last = row.timeNanos();
                rows.accept(row);
            }
        }
    }

    private static List<String> stripped(List<String> cells) {
        return cells.stream().map(String::strip).toList();
    }

    private static Row row(Lines lines, CsvMapping mapping, List<String> header, List<String> cells, long index) {
        Column requests = mapping.column("requests").orElseThrow();
        return new Row(
                mapping.column("phase")
                        .map(c -> cells.get(header.indexOf(c.name())))
                        .orElse("load"),
                mapping.column("time")
                        .map(time -> time(lines, time, cells.get(header.indexOf(time.name()))))
                        .orElse(index * mapping.binNanos().orElse(0)),
                count(lines, cells.get(header.indexOf(requests.name()))),
                mapping.column("errors")
                        .map(c -> (long) count(lines, cells.get(header.indexOf(c.name()))))
                        .orElse(0L),
                latency(lines, mapping.column("p50"), header, cells),
                latency(lines, mapping.column("p99"), header, cells),
                latency(lines, mapping.column("max"), header, cells),
                lines.number());
    }

    private static long time(Lines lines, Column time, String stamp) {
        return time.unit().equals("iso")
                ? Stamps.iso(lines, stamp)
                : Stamps.nanos(lines, stamp, POWERS.getOrDefault(time.unit(), 9));
    }

    private static double count(Lines lines, String text) {
        if (!text.strip().matches("\\d{1,15}(\\.\\d{1,15})?")) {
            throw lines.malformed("'" + text.strip() + "'", "a number that is not negative");
        }
        return Double.parseDouble(text.strip());
    }

    private static long latency(Lines lines, Optional<Column> column, List<String> header, List<String> cells) {
        return column.map(
                        c -> Stamps.nanos(lines, cells.get(header.indexOf(c.name())), POWERS.getOrDefault(c.unit(), 9)))
                .orElse(-1L);
    }

    private void read(Path file, LoadSink sink) {
        Teller teller = new Teller(sink);
        parse(Lines.of(file), mapping, teller::add, sink::gap);
        teller.end();
    }

    /** Tells a row once the next one is known: it ends where that begins. */
    private final class Teller {
        private final LoadSink sink;
        private final boolean rate =
                mapping.column("requests").orElseThrow().unit().equals("rate");
        private Optional<Row> held = Optional.empty();
        private String phase = "";

        Teller(LoadSink sink) {
            this.sink = sink;
        }

        void add(Row row) {
            held.ifPresent(last -> tell(last, next(last, row), row));
            if (held.isEmpty() || !row.phase().equals(phase)) {
                phase = row.phase();
                sink.phase(phase, row.timeNanos());
            }
            held = Optional.of(row);
        }

        void end() {
            held.ifPresent(last -> {
                tell(last, last.timeNanos() + usualNanos, last);
                sink.end(last.timeNanos() + usualNanos);
            });
        }

        /** Where the row's bin ends: a row does not stand for a hole behind it, nor for the next phase. */
        private long next(Row row, Row following) {
            long usual = row.timeNanos() + usualNanos;
            boolean cut = mapping.binNanos().isPresent()
                    || !row.phase().equals(following.phase())
                    || following.timeNanos() - row.timeNanos() > HOLE * usualNanos;
            return cut ? Math.min(usual, following.timeNanos()) : following.timeNanos();
        }

        private void tell(Row row, long end, Row following) {
            long completed = Math.round(rate ? row.requests() * (end - row.timeNanos()) / 1e9 : row.requests());
            sink.row(new LoadRow(
                    row.timeNanos(),
                    end,
                    completed + row.errors(),
                    completed,
                    new LoadBin.Errors(0, 0, 0, row.errors(), 0),
                    row.p50(),
                    row.p99(),
                    row.max()));
            if (!following.phase().equals(row.phase())) {
                sink.end(end);
            }
        }
    }
}
