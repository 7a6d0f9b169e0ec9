package dev.kiln.cli;

import dev.kiln.compare.GateResult;
import dev.kiln.compare.GateResult.GateRow;
import dev.kiln.compare.Gates;
import dev.kiln.text.CsvTable;
import dev.kiln.text.Decimal;
import dev.kiln.text.Source;
import java.util.List;

/** {@code metric,current,baseline,tolerance}: one figure a side, by the point rule. */
final class GateTable {
    private GateTable() {}

    static GateResult read(Source source) {
        CsvTable table = CsvTable.parse(source);
        int metric = table.column("metric");
        int current = table.column("current");
        int baseline = table.column("baseline");
        int tolerance = table.column("tolerance");
        List<GateRow> rows = table.rows().stream()
                .map(row -> {
                    String name = row.cells().get(metric);
                    return Gates.point(
                            name,
                            Decimal.positive(
                                    table.file(),
                                    row.line(),
                                    name + ", current",
                                    row.cells().get(current)),
                            Decimal.positive(
                                    table.file(),
                                    row.line(),
                                    name + ", baseline",
                                    row.cells().get(baseline)),
                            Decimal.tolerance(
                                    table.file(), row.line(), name, row.cells().get(tolerance)));
                })
                .toList();
        return new GateResult("current", "baseline", rows, 1, 1, List.of());
    }
}
