package dev.kiln.tune;

import dev.kiln.compare.Configuration;
import dev.kiln.compare.Measured;
import dev.kiln.compare.Measured.Observation;
import dev.kiln.model.Metric;
import dev.kiln.stats.PairedRatio;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * A metric of the baseline and of another variant in the same blocks: what drifts on the machine hits both.
 *
 * @param other the variant's value in each block that both have
 * @param otherCensored whether the variant did not reach a time in one of these blocks
 */
record Pairs(double[] baseline, double[] other, boolean otherCensored) {
    /** An interval needs two, and two say little. */
    private static final int LEAST = 3;

    static Pairs of(Metric metric, Configuration baseline, Configuration other) {
        Map<Integer, Observation> mine = byBlock(baseline, metric);
        Map<Integer, Observation> theirs = byBlock(other, metric);
        List<Integer> blocks =
                mine.keySet().stream().filter(theirs::containsKey).sorted().toList();
        return new Pairs(
                blocks.stream().mapToDouble(block -> at(mine, block).value()).toArray(),
                blocks.stream().mapToDouble(block -> at(theirs, block).value()).toArray(),
                blocks.stream().anyMatch(block -> at(theirs, block).censored()));
    }

    private static Observation at(Map<Integer, Observation> values, int block) {
        return Optional.ofNullable(values.get(block)).orElseThrow();
    }

    private static Map<Integer, Observation> byBlock(Configuration of, Metric metric) {
        return of.metric(metric.id()).map(Measured::runs).orElse(List.of()).stream()
                .collect(Collectors.toMap(Observation::block, Function.identity(), (first, repeated) -> repeated));
    }

    int count() {
        return baseline.length;
    }

    /** The variant's minus the baseline's, in each block. */
    List<Double> differences() {
        List<Double> differences = new ArrayList<>();
        for (int i = 0; i < count(); i++) {
            differences.add(other[i] - baseline[i]);
        }
        return differences;
    }

    /** Geometric mean of the ratios; empty without pairs, and where a value is not positive. */
    OptionalDouble ratio() {
        return positive() && count() > 0
                ? OptionalDouble.of(Math.exp(differencesOfLogs().average().orElseThrow()))
                : OptionalDouble.empty();
    }

    private DoubleStream differencesOfLogs() {
        return IntStream.range(0, count()).mapToDouble(i -> Math.log(other[i]) - Math.log(baseline[i]));
    }

    /** The ratio with its interval; empty with too few pairs. */
    Optional<PairedRatio> interval(double confidence) {
        return positive() && count() >= LEAST
                ? Optional.of(PairedRatio.of(baseline, other, confidence))
                : Optional.empty();
    }

    private boolean positive() {
        return Arrays.stream(baseline).allMatch(value -> value > 0)
                && Arrays.stream(other).allMatch(value -> value > 0);
    }
}
