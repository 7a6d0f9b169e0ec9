package dev.kiln.importer.hyperfoil;

import dev.kiln.importer.format.Cursor;
import dev.kiln.importer.format.Lines;
import dev.kiln.importer.format.LoadSource.LoadSink.LoadRow;
import dev.kiln.importer.format.LoadSource.LoadSink.RowLatencies;
import dev.kiln.importer.format.LoadSource.Span;
import dev.kiln.importer.hyperfoil.SeriesColumns.SeriesCounts;
import dev.kiln.importer.hyperfoil.SeriesColumns.SeriesRole;
import dev.kiln.model.KilnException;
import dev.kiln.model.load.LoadBin;
import dev.kiln.text.CsvLine;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * A SeriesReader reads the rows of a load series in CSV, recognised by its header: Hyperfoil's {@code *.series.csv} (epoch ms,
 * ns), and tables {@code phase,start_ms,end_ms,requests,p50_ns,p99_ns,max_ns,errors}. Rows of a phase follow one another in
 * time; anything else is an error, because a row in the wrong place is a wrong curve.
 */
public final class SeriesReader implements AutoCloseable {
    private static final long MILLI = 1_000_000;

    /** These are ms since 1970: as many as fit into a long as ns. */
    private static final long LAST_MILLI = Long.MAX_VALUE / MILLI;

    private final Lines lines;
    private final Cursor cursor;
    private final SeriesRole[] roles;
    private final String[] names;
    private final String header;
    private final SeriesCounts counts;
    private final long[] cells = new long[SeriesRole.values().length];
    private final boolean[] told = new boolean[SeriesRole.values().length];
    private String phase;
    private byte[] phaseBytes = new byte[0];
    private Optional<String> cutShort = Optional.empty();
    private long lastEnd = Long.MIN_VALUE;

    /** @param phase of a file without a column for it */
    public SeriesReader(Lines lines, String phase) {
        this.lines = lines;
        this.phase = phase;
        cursor = new Cursor(lines);
        header = lines.next() ? lines.text() : "";
        SeriesColumns columns = new SeriesColumns(header);
        if (!columns.isSeries()) {
            throw lines.malformed(
                    "not the header of a load series", "Start,End,Requests,... or phase,start_ms,end_ms,requests,...");
        }
        roles = columns.roles();
        for (SeriesRole role : roles) {
            told[role.place()] = true;
        }
        names = Arrays.stream(roles)
                .map(role -> role.name().toLowerCase(Locale.ROOT))
                .toArray(String[]::new);
        counts = new SeriesCounts(columns.has(SeriesRole.RESPONSES), columns.has(SeriesRole.OK));
    }

    /** Returns the span from the first row to the last, without reading what lies between; empty for a series without a row. */
    public static Optional<Span> span(Path file) {
        String header;
        Optional<LoadRow> first;
        try (Lines lines = Lines.of(file);
                SeriesReader reader = new SeriesReader(lines, "")) {
            first = reader.next();
            header = reader.header();
        }
        if (first.isEmpty()) {
            return Optional.empty();
        }
        long end = first.get().endNanos();
        SeriesColumns columns = new SeriesColumns(header);
        int column = columns.place(SeriesColumns.SeriesRole.END);
        try (Lines tail = Lines.tail(file)) {
            while (tail.next()) {
                List<String> cells = tail.cells();
                if (tail.whole()
                        && cells.size() == columns.roles().length
                        && cells.get(column).matches("\\d{1,13}")) {
                    end = Math.max(end, Long.parseLong(cells.get(column)) * MILLI);
                }
            }
        }
        return Optional.of(new Span(first.get().startNanos(), end));
    }

    /** Returns the next row; empty at the end. */
    public Optional<LoadRow> next() {
        while (lines.next()) {
            if (!lines.whole()) {
                cutShort = Optional.of(lines.cutShort());
                return Optional.empty();
            }
            if (!lines.isBlank()) {
                return Optional.of(row());
            }
        }
        return Optional.empty();
    }

    /** Says what was left out at the end, and why; empty if nothing was. */
    public Optional<String> cutShort() {
        return cutShort;
    }

    public String header() {
        return header;
    }

    /** The last row has no counterpart in the other series of its phase. */
    KilnException outOfStep() {
        return lines.malformed(
                "seconds that begin at other times than in the other files of phase " + phase, "series of one run");
    }

    @Override
    public void close() {
        lines.close();
    }

    private LoadRow row() {
        cursor.rewind();
        for (int i = 0; i < roles.length; i++) {
            if (i > 0 && !cursor.eat((byte) ',')) {
                throw lines.malformed(i + " columns", Integer.toString(roles.length));
            }
            switch (roles[i]) {
                case UNUSED -> cursor.skipCell((byte) ',');
                case PHASE -> readPhase();
                case OK, REDIRECT, CLIENT, SERVER, OTHER -> cells[roles[i].place()] = cellOrNone(names[i]);
                default -> cells[roles[i].place()] = cursor.whole(names[i]);
            }
        }
        if (!cursor.atEnd()) {
            throw lines.malformed("more than " + roles.length + " columns", Integer.toString(roles.length));
        }
        return toRow();
    }

    /** Hyperfoil leaves the statuses of an interval without a response empty. */
    private long cellOrNone(String what) {
        return cursor.atEnd() || cursor.peek() == ',' ? 0 : cursor.whole(what);
    }

    private void readPhase() {
        int begin = cursor.at();
        cursor.skipCell((byte) ',');
        int end = cursor.at();
        if (!Arrays.equals(lines.bytes(), begin, end, phaseBytes, 0, phaseBytes.length)) {
            phaseBytes = Arrays.copyOfRange(lines.bytes(), begin, end);
            String cell = new String(phaseBytes, StandardCharsets.UTF_8);
            phase = cell.startsWith("\"") ? CsvLine.cells(cell).getFirst() : cell;
            lastEnd = Long.MIN_VALUE;
        }
    }

    private LoadRow toRow() {
        long start = cells[SeriesRole.START.place()];
        long end = cells[SeriesRole.END.place()];
        if (end <= start || end > LAST_MILLI) {
            throw lines.malformed("a row from " + start + " to " + end, "ms since 1970 that grow");
        }
        if (start < lastEnd) {
            throw lines.malformed("a row that begins before the one above it ends", "rows in the order of time");
        }
        lastEnd = end;
        LoadBin.Errors errors = counts.errors(cells);
        long completed = counts.completed(cells, errors);
        if (completed < 0) {
            throw lines.malformed("more errors than requests", "counts that agree");
        }
        return new LoadRow(
                start * MILLI,
                end * MILLI,
                cells[SeriesRole.REQUESTS.place()],
                completed,
                errors,
                new RowLatencies(optional(SeriesRole.P50), optional(SeriesRole.P99), optional(SeriesRole.MAX)));
    }

    private long optional(SeriesRole role) {
        return told[role.place()] ? cells[role.place()] : -1;
    }
}
