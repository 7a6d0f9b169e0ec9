package dev.kiln.importer.program;

import dev.kiln.importer.format.CsvMapping.MappedColumn;
import dev.kiln.importer.format.TimeText;
import dev.kiln.model.KilnException;
import dev.kiln.text.CsvTable;
import dev.kiln.text.CsvTable.CsvRow;
import dev.kiln.text.Show;
import dev.kiln.text.Source;
import java.time.ZoneId;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** SeriesNames finds what columns of a series hold, by name; notes receives what is not read, in words. */
record SeriesNames(CsvTable table, ZoneId zone, boolean hyperfoil, List<String> notes) {
    private static final List<String> TIMES = List.of("time", "timestamp", "second", "seconds");

    /** Returns the columns by what they hold; none for one number a line. */
    Map<String, MappedColumn> columns() {
        Map<String, MappedColumn> known = new LinkedHashMap<>();
        if (table.columns().isEmpty()) {
            return known;
        }
        known.put("requests", new MappedColumn(table.columns().get(table.column("requests")), ""));
        known(known, "phase", "", List.of("phase"));
        known(known, "errors", "", List.of("errors"));
        known(known, "p50", "ns", List.of("p50_ns", "p50.0"));
        known(known, "p99", "ns", List.of("p99_ns", "p99.0"));
        known(known, "max", "ns", List.of("max_ns", "max"));
        known(known, "rate", "", List.of("rate"));
        known(known, "time", "ms", hyperfoil ? List.of("start_ms", "start") : List.of("start_ms"));
        known(known, "end", "ms", hyperfoil ? List.of("end_ms", "end") : List.of("end_ms"));
        if (!known.containsKey("time")) {
            known.remove("end");
            time().ifPresent(time -> known.put("time", time));
        }
        return known;
    }

    private void known(Map<String, MappedColumn> known, String what, String unit, List<String> names) {
        for (String name : names) {
            OptionalInt at = table.find(name);
            if (at.isPresent()) {
                known.putIfAbsent(what, new MappedColumn(table.columns().get(at.getAsInt()), unit));
            }
        }
    }

    /** Finds a column with the name of a time whose cells are times. */
    private Optional<MappedColumn> time() {
        for (String name : TIMES) {
            OptionalInt at = table.find(name);
            if (at.isPresent()) {
                String column = table.columns().get(at.getAsInt());
                String unit = unit(at.getAsInt());
                List<CsvRow> others = table.rows().stream()
                        .filter(row -> TimeText.nanos(cell(row, at.getAsInt()), unit, zone)
                                .isEmpty())
                        .toList();
                if (others.isEmpty()) {
                    return Optional.of(new MappedColumn(column, unit));
                }
                if (others.size() < table.rows().size() / 2) {
                    throw noTime(others.getFirst(), at.getAsInt(), column);
                }
                notes.add("the column " + column + " holds no times and is not read");
            }
        }
        return Optional.empty();
    }

    /** Returns the unit of the first cell that is a time: above it may stand a row that sums up the others. */
    private String unit(int at) {
        return table.rows().stream()
                .map(row -> cell(row, at))
                .filter(cell -> TimeText.nanos(cell, TimeText.unit(cell), zone).isPresent())
                .findFirst()
                .map(TimeText::unit)
                .orElse("iso");
    }

    /** A row that sums up the others must not count as one more second. */
    private KilnException noTime(CsvRow row, int at, String column) {
        return Source.wrong(
                table.file(),
                row.line(),
                "found '" + Show.brief(cell(row, at), 40) + "' for " + column
                        + ", expected a time as in the other rows",
                "correct it, or leave out a row that sums up others");
    }

    private static String cell(CsvRow row, int at) {
        return row.cells().get(at);
    }
}
