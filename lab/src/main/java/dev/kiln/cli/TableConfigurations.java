package dev.kiln.cli;

import dev.kiln.compare.Configuration;
import dev.kiln.compare.Measured;
import dev.kiln.compare.Quantity;
import dev.kiln.model.Metric;
import dev.kiln.text.CsvTable;
import dev.kiln.text.Decimal;
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

/** A table as configurations: a column a metric, a row a run; a column {@code variant} tells configurations apart. */
final class TableConfigurations {
    private static final Set<String> NO_METRIC = Set.of("variant", "run", "block");

    private TableConfigurations() {}

    static List<Configuration> of(CsvTable table) {
        Map<String, List<CsvTable.Row>> variants = new LinkedHashMap<>();
        OptionalInt variant = table.find("variant");
        for (CsvTable.Row row : table.rows()) {
            String name = variant.isPresent() ? row.cells().get(variant.getAsInt()) : name(table.file());
            variants.computeIfAbsent(name, n -> new ArrayList<>()).add(row);
        }
        List<Configuration> out = new ArrayList<>();
        variants.forEach((name, rows) ->
                out.add(new Configuration(name, interleaved(table), Map.of(), metrics(table, rows), false, List.of())));
        return out;
    }

    /** A file that says which runs belong to one block has been interleaved. */
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

    private static List<Measured> metrics(CsvTable table, List<CsvTable.Row> rows) {
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

    /** A table has no horizon, so a time in it was reached; times that are all whole seconds were counted in them. */
    private static Measured measured(Quantity metric, List<Measured.Observation> runs) {
        boolean counted = metric.kind() == Metric.Kind.TIME
                && metric.unit().equals("s")
                && runs.stream().allMatch(run -> run.value() == Math.rint(run.value()));
        return new Measured(metric, runs, OptionalDouble.empty(), counted ? 1 : 0, Optional.empty());
    }

    private static Quantity metric(String column) {
        return column.isEmpty() ? Quantity.of("value") : Quantity.of(column);
    }

    private static List<Measured.Observation> runs(CsvTable table, List<CsvTable.Row> rows, String column, int index) {
        OptionalInt block = table.find("block");
        List<Measured.Observation> out = new ArrayList<>();
        for (CsvTable.Row row : rows) {
            String cell = row.cells().get(index);
            int number = block.isPresent()
                    ? (int) Decimal.notNegative(
                            table.file(), row.line(), "block", row.cells().get(block.getAsInt()))
                    : 0;
            double value = Quantity.of(column).kind() == Metric.Kind.DIFFERENCE
                    ? Decimal.finite(table.file(), row.line(), column, cell)
                    : Decimal.notNegative(table.file(), row.line(), column, cell);
            out.add(new Measured.Observation(number, value, false));
        }
        return out;
    }
}
