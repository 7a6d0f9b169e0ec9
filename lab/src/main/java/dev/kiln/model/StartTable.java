package dev.kiln.model;

import java.util.List;
import java.util.OptionalDouble;

/**
 * Two columns of runs.
 *
 * @param a heading of the first column
 * @param b heading of the second column
 * @param metric in words; may be empty
 * @param unit may be empty
 */
public record StartTable(String a, String b, String metric, String unit, List<Row> rows) {
    public StartTable {
        rows = List.copyOf(rows);
    }

    /** One pair; a side may be missing where the comparison was broken off. */
    public record Row(int run, OptionalDouble a, OptionalDouble b) {
        public boolean complete() {
            return a.isPresent() && b.isPresent();
        }
    }
}
