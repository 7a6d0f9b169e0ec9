package dev.kiln.report;

import dev.kiln.explain.study.StartupResult;
import dev.kiln.explain.study.StartupResult.StartMetric;
import dev.kiln.model.StartTable;
import dev.kiln.stats.Summary;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** The table {@code Run,A,B} with {@code Geomean} and {@code Stdev} under it, and the same two rows of what else was measured. */
final class StartupTable {
    /** Decimals of the two figures under a column, as in the tables people compare with. */
    private static final int DECIMALS = 2;

    /** Phases of a start are often below a hundredth of a millisecond. */
    private static final int FINE_DECIMALS = 3;

    private StartupTable() {}

    /** Each row has three fields. */
    static List<List<String>> rows(StartupResult result) {
        StartTable table = result.table();
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("Run", table.a(), table.b()));
        for (StartTable.Row row : table.rows()) {
            rows.add(List.of(Integer.toString(row.run()), value(row.a()), value(row.b())));
        }
        rows.add(figures("Geomean", result.main(), Summary::geomean, DECIMALS));
        rows.add(figures("Stdev", result.main(), Summary::populationSd, DECIMALS));
        for (StartMetric other : result.others()) {
            boolean coarse = other.name().equals("RSS") || other.name().startsWith("CPU");
            int decimals = coarse ? DECIMALS : FINE_DECIMALS;
            rows.add(figures(label(other) + " Geomean", other, Summary::geomean, decimals));
            rows.add(figures(label(other) + " Stdev", other, Summary::populationSd, decimals));
        }
        return rows;
    }

    static String label(StartMetric metric) {
        return metric.name() + (metric.unit().isEmpty() ? "" : " " + metric.unit());
    }

    private interface Figure {
        double of(Summary summary);
    }

    private static List<String> figures(String name, StartMetric metric, Figure figure, int decimals) {
        return List.of(name, figure(metric.a(), figure, decimals), figure(metric.b(), figure, decimals));
    }

    private static String figure(Optional<Summary> summary, Figure figure, int decimals) {
        return summary.map(s -> Text.machine(figure.of(s), decimals)).orElse("");
    }

    /** Whole where it was told whole. */
    private static String value(OptionalDouble value) {
        if (value.isEmpty()) {
            return "";
        }
        double figure = value.getAsDouble();
        return figure == Math.rint(figure) ? Text.machine(figure, 0) : Text.machine(figure, DECIMALS);
    }
}
