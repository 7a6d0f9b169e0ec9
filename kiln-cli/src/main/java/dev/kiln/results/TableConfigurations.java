package dev.kiln.results;

import dev.kiln.compare.Configuration;
import dev.kiln.compare.Measured;
import dev.kiln.compare.Quantity;
import dev.kiln.importer.SeriesImport;
import dev.kiln.model.Controls;
import dev.kiln.model.KilnException;
import dev.kiln.model.Metric;
import dev.kiln.text.CsvTable;
import dev.kiln.text.CsvTable.CsvRow;
import dev.kiln.text.Decimal;
import dev.kiln.text.JsonTable;
import dev.kiln.text.Source;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Stream;

/**
 * TableConfigurations reads a table as configurations: each column is a metric, each row a run; a column {@code
 * variant} tells configurations apart, and {@code session} says in which session a run was made.
 */
final class TableConfigurations {
    private static final Set<String> NO_METRIC = Set.of("variant", "run", "block", "session");

    private TableConfigurations() {}

    /** Returns the configurations of a table that the user names. */
    static List<Configuration> of(String argument) {
        CsvTable table = table(argument);
        refuseSeries(table);
        Map<String, List<CsvRow>> variants = new LinkedHashMap<>();
        table.rows()
                .forEach(row -> variants.computeIfAbsent(variant(table, row), n -> new ArrayList<>())
                        .add(row));
        List<Configuration> out = new ArrayList<>();
        variants.forEach((name, rows) -> {
            List<String> sessions =
                    rows.stream().map(row -> session(table, row)).distinct().toList();
            if (sessions.size() > 1) {
                throw KilnException.usage(
                        table.file() + ": " + name + " has runs of " + sessions.size() + " sessions",
                        "give the sides of a comparison one session each, and earlier ones with --sessions");
            }
            out.add(configuration(table, name, sessions.getFirst(), rows));
        });
        return out;
    }

    private static CsvTable table(String argument) {
        Source source = Source.read(argument);
        String text = source.text().stripLeading();
        return text.startsWith("[") || text.startsWith("{") ? JsonTable.parse(source) : CsvTable.parse(source);
    }

    /** Seconds of one run, taken for runs, would show differences that are none. */
    private static void refuseSeries(CsvTable table) {
        boolean runs = Stream.concat(NO_METRIC.stream(), Stream.of("commit"))
                .anyMatch(name -> table.find(name).isPresent());
        // With requests beside it, one of these says that a row is a second of a load, and no run.
        boolean timed = table.columns().stream().anyMatch(SeriesImport::isTime)
                || Stream.of("start_ms", "phase")
                        .anyMatch(name -> table.find(name).isPresent());
        if (!runs && timed && table.find("requests").isPresent()) {
            throw Source.wrong(
                    table.file(),
                    1,
                    "found a load series, whose rows are seconds of one run; expected a row for each run",
                    "make a run of it with kiln import, and compare the folders; if each row is a run, add a column run");
        }
    }

    /** Returns the configuration of each session by itself. */
    static List<Configuration> sessions(String argument) {
        CsvTable table = table(argument);
        if (table.find("session").isEmpty()) {
            throw Source.wrong(
                    table.file(), 1, "no column session", "it says of each run in which session it was made");
        }
        Map<List<String>, List<CsvRow>> all = new LinkedHashMap<>();
        table.rows()
                .forEach(row -> all.computeIfAbsent(
                                List.of(variant(table, row), session(table, row)), n -> new ArrayList<>())
                        .add(row));
        List<Configuration> out = new ArrayList<>();
        all.forEach((of, rows) -> out.add(configuration(table, of.get(0), of.get(1), rows)));
        return out;
    }

    private static Configuration configuration(CsvTable table, String name, String session, List<CsvRow> rows) {
        return new Configuration(
                name,
                new Configuration.Origin(interleaved(table), session, name),
                List.of(),
                metrics(table, rows),
                List.of(),
                false,
                List.of());
    }

    private static String variant(CsvTable table, CsvRow row) {
        OptionalInt column = table.find("variant");
        return Controls.line(column.isPresent() ? row.cells().get(column.getAsInt()) : name(table.file()));
    }

    /** Returns the session of a row. Two files are two sessions unless they say otherwise. */
    private static String session(CsvTable table, CsvRow row) {
        OptionalInt column = table.find("session");
        return Controls.line(column.isPresent() ? row.cells().get(column.getAsInt()) : table.file());
    }

    /** Returns how the runs of a table were interleaved: a file that names the block of each run was. */
    private static Optional<String> interleaved(CsvTable table) {
        return table.find("variant").isPresent() && table.find("block").isPresent()
                ? Optional.of(table.file())
                : Optional.empty();
    }

    private static String name(String file) {
        String last = file.substring(file.lastIndexOf('/') + 1);
        int dot = last.lastIndexOf('.');
        return dot > 0 ? last.substring(0, dot) : last;
    }

    private static List<Measured> metrics(CsvTable table, List<CsvRow> rows) {
        List<Measured> out = new ArrayList<>();
        List<String> columns = table.columns().isEmpty() ? List.of("value") : table.columns();
        for (int i = 0; i < columns.size(); i++) {
            String column = columns.get(i);
            if (!NO_METRIC.contains(column.toLowerCase(Locale.ROOT))) {
                out.add(measured(metric(column), runs(table, rows, column, i)));
            }
        }
        if (out.isEmpty()) {
            throw Source.wrong(table.file(), 1, "no column with a metric", "found " + String.join(", ", columns));
        }
        return out;
    }

    /**
     * Returns a metric's runs. In a table each time was reached; whole seconds are exact to a second. Runs that are all the same
     * whole number do not show that runs never differ: they are known to one.
     */
    private static Measured measured(Quantity metric, List<Measured.Observation> runs) {
        // Times of other units are those of the same bins: 4000 ms are 4 s.
        double second = metric.kind() == Metric.MetricKind.TIME
                ? Quantity.factor("s", metric.unit()).orElse(0)
                : 0;
        boolean same = runs.size() > 1
                && runs.stream().map(Measured.Observation::value).distinct().count() == 1;
        double bin = second >= 1 && multiples(runs, second) ? second : same && multiples(runs, 1) ? 1 : 0;
        return new Measured(metric, runs, OptionalDouble.empty(), bin, Optional.empty());
    }

    private static boolean multiples(List<Measured.Observation> runs, double unit) {
        return runs.stream().allMatch(run -> run.value() / unit == Math.rint(run.value() / unit));
    }

    private static Quantity metric(String column) {
        return column.isEmpty() ? Quantity.of("value") : Quantity.of(column);
    }

    private static List<Measured.Observation> runs(CsvTable table, List<CsvRow> rows, String column, int index) {
        OptionalInt block = table.find("block");
        List<Measured.Observation> out = new ArrayList<>();
        for (CsvRow row : rows) {
            String cell = row.cells().get(index);
            int number = block.isPresent()
                    ? (int) Decimal.notNegative(
                            table.file(), row.line(), "block", row.cells().get(block.getAsInt()))
                    : 0;
            double value = Quantity.of(column).kind() == Metric.MetricKind.DIFFERENCE
                    ? Decimal.finite(table.file(), row.line(), column, cell)
                    : Decimal.notNegative(table.file(), row.line(), column, cell);
            out.add(new Measured.Observation(number, value, false));
        }
        return out;
    }
}
