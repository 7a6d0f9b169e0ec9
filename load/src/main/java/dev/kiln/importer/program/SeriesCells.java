package dev.kiln.importer.program;

import dev.kiln.text.CsvTable;
import dev.kiln.text.CsvTable.CsvRow;
import dev.kiln.text.Source;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;

/** SeriesCells tell by a whole column how its numbers are written, where one cell alone may mean either of two. */
final class SeriesCells {
    private static final Pattern EXPONENT = Pattern.compile("\\d(?:\\.\\d{1,15})?e\\+\\d\\d");

    private SeriesCells() {}

    /**
     * Returns the table with round numbers in digits: R writes 100000 among others as {@code 1e+05}, because that is shorter. Where
     * most cells of a column are written so, they were rounded, and stay as they are.
     */
    static CsvTable plain(CsvTable table) {
        Set<Integer> columns = new HashSet<>();
        for (int at = 0; at < Math.max(1, table.columns().size()); at++) {
            int column = at;
            long written = table.rows().stream()
                    .filter(row -> EXPONENT.matcher(row.cells().get(column)).matches())
                    .count();
            if (written > 0 && 2 * written < table.rows().size()) {
                columns.add(column);
            }
        }
        return columns.isEmpty()
                ? table
                : new CsvTable(
                        table.file(),
                        table.columns(),
                        table.rows().stream().map(row -> plain(row, columns)).toList());
    }

    private static CsvRow plain(CsvRow row, Set<Integer> columns) {
        List<String> cells = new ArrayList<>(row.cells());
        for (int at : columns) {
            if (EXPONENT.matcher(cells.get(at)).matches()) {
                cells.set(at, new BigDecimal(cells.get(at)).toPlainString());
            }
        }
        return new CsvRow(row.line(), cells);
    }

    /** Where semicolons separate, a point may stand between thousands: 987, 1.012 and 1.234 are no decimals. */
    static void refuseThousands(String file, List<CsvRow> rows, Function<CsvRow, String> requests) {
        List<String> cells = rows.stream().map(requests).toList();
        if (cells.stream().allMatch(cell -> cell.matches("\\d{1,3}(?:\\.\\d{3})?"))
                && cells.stream().anyMatch(cell -> cell.contains("."))) {
            CsvRow first = rows.stream()
                    .filter(row -> requests.apply(row).contains("."))
                    .findFirst()
                    .orElseThrow();
            throw Source.wrong(
                    file,
                    first.line(),
                    "found " + requests.apply(first) + " requests, whose point may stand between thousands",
                    "write the numbers without separators, or with another number of decimals than three");
        }
    }
}
