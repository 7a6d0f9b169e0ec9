package dev.kiln.importer;

import dev.kiln.importer.CsvMapping.Column;
import dev.kiln.model.LoadBin;
import dev.kiln.model.Provenance;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A series in a CSV of anybody's, with the columns that the user named. A row goes to the next row's time, or is as long as said. */
record MappedCsv(Path file, CsvMapping mapping, Span span, long usualNanos, boolean dated) implements LoadSource {
    /** The year 2000: earlier times count from a beginning of their own. */
    private static final long EPOCH = 946_684_800_000_000_000L;

    private static final Map<String, Integer> POWERS = Map.of("s", 9, "ms", 6, "us", 3, "ns", 0);

    /** One row; {@code requests} is a rate or a count as the mapping says. */
    record Row(String phase, long timeNanos, double requests, long errors, long p50, long p99, long max, long line) {}

    static Optional<MappedCsv> of(Path file, CsvMapping mapping) {
        List<Row> rows = parse(Lines.of(file), mapping);
        if (rows.isEmpty()) {
            return Optional.empty();
        }
        long[] steps = new long[rows.size() - 1];
        for (int i = 0; i < steps.length; i++) {
            steps[i] = rows.get(i + 1).timeNanos() - rows.get(i).timeNanos();
        }
        Arrays.sort(steps);
        long usual = mapping.binNanos().orElse(steps.length == 0 ? 0 : steps[steps.length / 2]);
        if (usual <= 0) {
            throw Lines.of(file).malformed("rows whose length cannot be told", "--map with bin=1s");
        }
        long first = rows.getFirst().timeNanos();
        return Optional.of(new MappedCsv(
                file, mapping, new Span(first, rows.getLast().timeNanos() + usual), usual, first >= EPOCH));
    }

    static List<Row> parse(Lines lines, CsvMapping mapping) {
        List<Row> rows = new ArrayList<>();
        try (lines) {
            List<String> header = lines.next()
                    ? Arrays.stream(lines.text().split(",", -1))
                            .map(String::strip)
                            .toList()
                    : List.of();
            while (lines.next()) {
                if (!lines.isBlank() && lines.whole()) {
                    String[] cells = lines.text().split(",", -1);
                    if (cells.length != header.size()) {
                        throw lines.malformed(cells.length + " columns", Integer.toString(header.size()));
                    }
                    Row row = row(lines, mapping, header, cells);
                    if (!rows.isEmpty() && row.timeNanos() <= rows.getLast().timeNanos()) {
                        throw lines.malformed("a time that is not after that of the row above", "times that grow");
                    }
                    rows.add(row);
                }
            }
        }
        return rows;
    }

    private static Row row(Lines lines, CsvMapping mapping, List<String> header, String[] cells) {
        Column time = mapping.column("time").orElseThrow();
        Column requests = mapping.column("requests").orElseThrow();
        String stamp = cells[header.indexOf(time.name())].strip();
        return new Row(
                mapping.column("phase")
                        .map(c -> cells[header.indexOf(c.name())].strip())
                        .orElse("load"),
                time.unit().equals("iso")
                        ? K6Json.time(lines, stamp)
                        : DecimalTime.nanos(lines, stamp, POWERS.getOrDefault(time.unit(), 9)),
                count(lines, cells[header.indexOf(requests.name())]),
                mapping.column("errors")
                        .map(c -> (long) count(lines, cells[header.indexOf(c.name())]))
                        .orElse(0L),
                latency(lines, mapping.column("p50"), header, cells),
                latency(lines, mapping.column("p99"), header, cells),
                latency(lines, mapping.column("max"), header, cells),
                lines.number());
    }

    private static double count(Lines lines, String text) {
        if (!text.strip().matches("\\d{1,15}(\\.\\d{1,15})?")) {
            throw lines.malformed("'" + text.strip() + "'", "a number that is not negative");
        }
        return Double.parseDouble(text.strip());
    }

    private static long latency(Lines lines, Optional<Column> column, List<String> header, String[] cells) {
        return column.map(c ->
                        DecimalTime.nanos(lines, cells[header.indexOf(c.name())], POWERS.getOrDefault(c.unit(), 9)))
                .orElse(-1L);
    }

    @Override
    public String what() {
        return "a CSV with named columns";
    }

    @Override
    public Provenance.Bins bins() {
        return new Provenance.Bins(usualNanos, false, Provenance.Kind.TIME);
    }

    @Override
    public boolean quantised() {
        return mapping.column("p50").isPresent();
    }

    @Override
    public void read(LoadSink sink) {
        List<Row> rows = parse(Lines.of(file), mapping);
        boolean rate = mapping.column("requests").orElseThrow().unit().equals("rate");
        String phase = "";
        long end = 0;
        for (int i = 0; i < rows.size(); i++) {
            Row row = rows.get(i);
            boolean last = i + 1 == rows.size() || !rows.get(i + 1).phase().equals(row.phase());
            if (i == 0 || !row.phase().equals(phase)) {
                if (i > 0) {
                    sink.end(end);
                }
                phase = row.phase();
                sink.phase(phase, row.timeNanos());
            }
            long next = last ? row.timeNanos() + usualNanos : rows.get(i + 1).timeNanos();
            end = mapping.binNanos().isPresent() ? Math.min(next, row.timeNanos() + usualNanos) : next;
            long completed = Math.round(rate ? row.requests() * (end - row.timeNanos()) / 1e9 : row.requests());
            long max = row.max() < 0 ? row.p99() : row.max();
            sink.row(new LoadRow(
                    row.timeNanos(),
                    end,
                    completed + row.errors(),
                    completed,
                    new LoadBin.Errors(0, 0, 0, row.errors(), 0),
                    row.p50(),
                    row.p99(),
                    max));
        }
        sink.end(end);
    }
}
