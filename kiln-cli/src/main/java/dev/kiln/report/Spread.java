package dev.kiln.report;

import dev.kiln.explain.RunResult;
import dev.kiln.stats.Descriptive;
import dev.kiln.text.Show;
import java.util.Arrays;
import java.util.Collection;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/** A Spread is the values of one quantity in several runs: the median between the lowest and the highest. */
public record Spread(double median, double min, double max) {

    public static Optional<Spread> of(double... values) {
        if (values.length == 0) {
            return Optional.empty();
        }
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return Optional.of(new Spread(
                Descriptive.median(Arrays.stream(sorted)).orElseThrow(), sorted[0], sorted[sorted.length - 1]));
    }

    /** Returns the spread over the runs that have the value; empty if none has it. */
    public static Optional<Spread> over(Collection<RunResult> runs, Function<RunResult, OptionalDouble> value) {
        return of(runs.stream()
                .map(value)
                .filter(Show::present)
                .mapToDouble(OptionalDouble::getAsDouble)
                .toArray());
    }

    public static <T> double median(Collection<T> items, ToDoubleFunction<T> value) {
        return of(items.stream().mapToDouble(value).toArray())
                .map(Spread::median)
                .orElse(Double.NaN);
    }
}
