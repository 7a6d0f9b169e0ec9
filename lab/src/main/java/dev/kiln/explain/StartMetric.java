package dev.kiln.explain;

import dev.kiln.stats.TableSummary;
import dev.kiln.stats.WelchRatio;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * One quantity of both sides.
 *
 * @param unit may be empty
 * @param a empty where no counted start of A has it, as b
 * @param ratio b over a; empty where a side has fewer than two values, or one that is 0
 */
public record StartMetric(
        String name, String unit, Optional<TableSummary> a, Optional<TableSummary> b, Optional<WelchRatio> ratio) {
    static StartMetric of(String name, String unit, List<Double> a, List<Double> b, double confidence) {
        double[] left = a.stream().mapToDouble(Double::doubleValue).toArray();
        double[] right = b.stream().mapToDouble(Double::doubleValue).toArray();
        boolean comparable = Math.min(left.length, right.length) >= 2 && positive(left) && positive(right);
        return new StartMetric(
                name,
                unit,
                summary(left),
                summary(right),
                comparable ? Optional.of(WelchRatio.of(left, right, confidence)) : Optional.empty());
    }

    private static Optional<TableSummary> summary(double[] values) {
        return values.length == 0 ? Optional.empty() : Optional.of(TableSummary.of(values));
    }

    private static boolean positive(double[] values) {
        return Arrays.stream(values).allMatch(value -> value > 0);
    }
}
