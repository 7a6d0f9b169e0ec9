package dev.kiln.text;

import java.util.List;

/**
 * A CsvRow is one row of the table, with a cell for each column.
 *
 * @param line on which it begins, from 1
 */
public record CsvRow(int line, List<String> cells) {
    public CsvRow {
        cells = List.copyOf(cells);
    }
}
