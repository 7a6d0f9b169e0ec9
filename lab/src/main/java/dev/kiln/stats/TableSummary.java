package dev.kiln.stats;

import java.util.Arrays;

/**
 * The two figures under a column of a table.
 *
 * @param geomean geometric mean; 0 if a value is 0
 * @param populationSd the convention of the start-up tables people compare with
 */
public record TableSummary(int runs, double geomean, double populationSd) {
    /** Of at least one value, none below 0. */
    public static TableSummary of(double[] values) {
        Checks.atLeast("runs", values.length, 1);
        boolean zero = Arrays.stream(values).anyMatch(value -> value == 0);
        double geomean = zero ? 0 : Math.exp(Descriptive.mean(Series.logs(values)));
        return new TableSummary(values.length, geomean, Descriptive.populationSd(values));
    }
}
