package dev.kiln.text;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A load series of somebody's own: a column {@code requests}, a column {@code phase} where there are several, or one
 * number a line. A column {@code errors} counts the requests that failed beside those that succeeded. Where columns {@code start_ms} and {@code end_ms} say how long rows are, a partial one at a phase's end
 * is dropped.
 */
public final class SeriesTable {
    /** What a table without phases is: a load from the first request on. */
    public static final String ONLY_PHASE = "warmup";

    /** A row that lacks more than this share of its length is a partial one; less is the clock's. */
    private static final double CLOCK = 0.1;

    private final CsvTable table;
    private final double rowSeconds;
    private final Map<String, List<CsvTable.Row>> phases = new LinkedHashMap<>();
    private final List<String> notes = new ArrayList<>();

    private SeriesTable(CsvTable table, double rowSeconds) {
        this.table = table;
        this.rowSeconds = rowSeconds;
    }

    /**
     * The series of each phase, in the order of the table.
     *
     * @param notes what was left out, and why
     */
    public record Series(List<PhaseSeries> phases, List<String> notes) {
        public Series {
            phases = List.copyOf(phases);
            notes = List.copyOf(notes);
        }
    }

    /** Reads a table whose rows are this long. */
    public static Series read(Source source, double rowSeconds) {
        return new SeriesTable(CsvTable.parse(source), rowSeconds).read();
    }

    private Series read() {
        int requests = table.columns().isEmpty() ? 0 : table.column("requests");
        split();
        List<PhaseSeries> out = new ArrayList<>();
        phases.forEach((phase, rows) -> {
            if (phase.toLowerCase(Locale.ROOT).startsWith("pause")) {
                notes.add("phase " + phase + " is left out: a pause is no data");
            } else {
                List<CsvTable.Row> whole = whole(phase, rows);
                out.add(new PhaseSeries(
                        phase, counts(whole, "requests", requests), errors(whole, table.find("errors"))));
            }
        });
        if (out.isEmpty()) {
            throw Source.wrong(table.file(), 1, "there are only pauses", "");
        }
        return new Series(out, notes);
    }

    /** Rows of a phase stand together: in any other order seconds would be joined that did not follow one another. */
    private void split() {
        OptionalInt column = table.find("phase");
        String current = "";
        for (CsvTable.Row row : table.rows()) {
            String phase = column.isPresent() ? row.cells().get(column.getAsInt()) : ONLY_PHASE;
            if (phase.isEmpty()) {
                throw Source.wrong(table.file(), row.line(), "phase: found nothing, expected a name", "");
            }
            if (!phase.equals(current) && phases.containsKey(phase)) {
                throw Source.wrong(
                        table.file(),
                        row.line(),
                        "phase '" + phase + "' again, after '" + current + "'",
                        "rows of a phase must stand together; give the second one a name of its own");
            }
            phases.computeIfAbsent(phase, name -> new ArrayList<>()).add(row);
            current = phase;
        }
    }

    private double[] counts(List<CsvTable.Row> rows, String name, int column) {
        return rows.stream()
                .mapToDouble(row -> Decimal.notNegative(
                        table.file(), row.line(), name, row.cells().get(column)))
                .toArray();
    }

    private Optional<double[]> errors(List<CsvTable.Row> rows, OptionalInt column) {
        return column.isPresent() ? Optional.of(counts(rows, "errors", column.getAsInt())) : Optional.empty();
    }

    private List<CsvTable.Row> whole(String phase, List<CsvTable.Row> rows) {
        OptionalInt from = table.find("start_ms");
        OptionalInt to = table.find("end_ms");
        if (from.isEmpty() || to.isEmpty()) {
            return rows;
        }
        for (CsvTable.Row row : rows) {
            double seconds = (milliseconds(row, to.getAsInt()) - milliseconds(row, from.getAsInt())) / 1e3;
            boolean whole = Math.abs(seconds - rowSeconds) <= CLOCK * rowSeconds;
            boolean last = row.equals(rows.getLast());
            if (!whole && last && seconds < rowSeconds && rows.size() > 1) {
                notes.add(String.format(
                        Locale.ROOT,
                        "phase %s: its last row, line %d, is %.0f ms long and left out: a partial bin reads as a collapse",
                        phase,
                        row.line(),
                        seconds * 1e3));
                return rows.subList(0, rows.size() - 1);
            }
            if (!whole) {
                String found =
                        String.format(Locale.ROOT, "the row is %.3f s long, expected %.3f s", seconds, rowSeconds);
                throw Source.wrong(table.file(), row.line(), found, "say how long rows are: --bin-seconds SECONDS");
            }
        }
        return rows;
    }

    private double milliseconds(CsvTable.Row row, int column) {
        return Decimal.finite(
                table.file(),
                row.line(),
                table.columns().get(column),
                row.cells().get(column));
    }

    /**
     * Requests completed in each row of a phase under load.
     *
     * @param counts requests in a row that succeeded
     * @param errors requests in a row that failed; empty where nobody counted them
     */
    public record PhaseSeries(String phase, double[] counts, Optional<double[]> errors) {}
}
