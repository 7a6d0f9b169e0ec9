package dev.kiln.explain;

import dev.kiln.stats.PairedRatio;
import dev.kiln.stats.TableSummary;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * One quantity of both sides.
 *
 * @param unit may be empty
 * @param a empty where no counted start of A has it, as b
 * @param ratio b over a, by pairs; empty where fewer than two have both, or one is 0
 */
public record StartMetric(
        String name, String unit, Optional<TableSummary> a, Optional<TableSummary> b, Optional<PairedRatio> ratio) {
    /** One pair's values, either of which may be missing. */
    record Pair(OptionalDouble a, OptionalDouble b) {}

    static StartMetric of(String name, String unit, Collection<Pair> pairs, double confidence) {
        List<Pair> whole = pairs.stream()
                .filter(pair -> pair.a().isPresent() && pair.b().isPresent())
                .toList();
        double[] a = whole.stream().mapToDouble(pair -> pair.a().getAsDouble()).toArray();
        double[] b = whole.stream().mapToDouble(pair -> pair.b().getAsDouble()).toArray();
        boolean positive = whole.stream()
                .allMatch(pair -> pair.a().getAsDouble() > 0 && pair.b().getAsDouble() > 0);
        return new StartMetric(
                name,
                unit,
                summary(pairs.stream().map(Pair::a).toList()),
                summary(pairs.stream().map(Pair::b).toList()),
                positive && whole.size() >= 2 ? Optional.of(PairedRatio.of(a, b, confidence)) : Optional.empty());
    }

    private static Optional<TableSummary> summary(List<OptionalDouble> values) {
        double[] known = values.stream().flatMapToDouble(OptionalDouble::stream).toArray();
        return known.length == 0 ? Optional.empty() : Optional.of(TableSummary.of(known));
    }
}
