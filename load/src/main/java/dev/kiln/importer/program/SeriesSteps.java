package dev.kiln.importer.program;

import dev.kiln.importer.format.TimeText;
import dev.kiln.text.CsvTable;
import dev.kiln.text.CsvTable.CsvRow;
import dev.kiln.text.Source;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.IntStream;

/** SeriesSteps are the distances from row to row in a column of numbers, which tell in which unit it counts. */
record SeriesSteps(CsvTable table, int at) {
    /** Times that count from a beginning of their own in such steps or larger ones are no seconds, unless the steps are minutes. */
    private static final double LARGE_STEP = 100;

    /** These are seconds too: rows of 20, 30 and 60 minutes. */
    private static final Set<Double> QUARTERS = Set.of(1200.0, 1800.0, 3600.0);

    /** Fewer rows than this rise in equal steps by chance. */
    private static final int LEAST_ROWS = 5;

    /** Steps within this share of one another are equal: decimals are no exact numbers. */
    private static final double EQUAL = 1e-6;

    /** No row of requests is shorter, in seconds. */
    private static final double SHORTEST = 1e-3;

    /** These are the years 2000 to 2099 in days since 1899-12-30, as spreadsheets count. */
    private static final double FIRST_DAY = 36_526;

    private static final double LAST_DAY = 73_051;

    private static final double HOUR_IN_DAYS = 1.0 / 24;

    /** Returns the step in which the column rises throughout; 0 for one that does not, or holds something else than numbers. */
    double even() {
        if (table.rows().size() < LEAST_ROWS
                || !table.rows().stream()
                        .allMatch(row ->
                                TimeText.nanos(cell(row), "ns", ZoneOffset.UTC).isPresent())) {
            return 0;
        }
        double[] values = values();
        double first = values[1] - values[0];
        boolean even = IntStream.range(1, values.length)
                .allMatch(i -> Math.abs(values[i] - values[i - 1] - first) <= EQUAL * first);
        return even ? first : 0;
    }

    /**
     * Returns the unit of numbers that count from a beginning of their own: seconds, unless their steps say something else.
     *
     * @param notes gets a note on what the steps say
     */
    String unit(List<String> notes) {
        String column = table.columns().get(at);
        double[] times = values();
        double step = IntStream.range(1, times.length)
                .mapToDouble(i -> Math.abs(times[i] - times[i - 1]))
                .sorted()
                .skip((times.length - 1) / 2)
                .findFirst()
                .orElse(0);
        refuseDays(times, step);
        if (step < LARGE_STEP || (step < 1e3 && step % 60 == 0) || QUARTERS.contains(step)) {
            return "s";
        }
        String unit =
                step < 1e3 ? "" : step < 1e5 ? "ms" : step < 1e6 ? "" : step < 1e8 ? "us" : step < 1e9 ? "" : "ns";
        if (unit.isEmpty()) {
            throw Source.wrong(
                    table.file(),
                    table.rows().getFirst().line(),
                    "found rows " + Math.round(step) + " apart in " + column + ", in which unit is not known",
                    "name the column with its unit: time_s, time_ms, time_us or time_ns");
        }
        notes.add(
                "the column " + column + " counts " + Math.round(step) + " from row to row: Kiln reads it as " + unit);
        return unit;
    }

    /** A spreadsheet counts days, so that a second is 0.0000116 of them. */
    private void refuseDays(double[] times, double step) {
        boolean dated = Arrays.stream(times).allMatch(time -> time >= FIRST_DAY && time < LAST_DAY);
        if (step > 0 && (step < SHORTEST || (dated && step <= HOUR_IN_DAYS))) {
            CsvRow first = table.rows().getFirst();
            throw Source.wrong(
                    table.file(),
                    first.line(),
                    "found " + cell(first) + " for " + table.columns().get(at) + ", in rows that are "
                            + String.format(Locale.ROOT, "%.7f", step) + " apart, as where a spreadsheet counts days",
                    "write the times as 2026-01-02 03:04:05, or name the column with its unit, such as time_s");
        }
    }

    private double[] values() {
        return table.rows().stream()
                .mapToDouble(row -> Double.parseDouble(cell(row)))
                .toArray();
    }

    private String cell(CsvRow row) {
        return row.cells().get(at);
    }
}
