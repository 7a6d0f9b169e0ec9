package dev.kiln.tune;

import dev.kiln.compare.Configuration;
import dev.kiln.compare.Measured;
import dev.kiln.compare.Measured.Observation;
import dev.kiln.model.Metric;
import dev.kiln.stats.Estimate.Slack;
import dev.kiln.stats.Resolution;
import dev.kiln.stats.Student.PairedRatio;
import dev.kiln.stats.Summary;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A Pairs is a figure of the baseline and of another variant in the same blocks, where a drift of the machine affects
 * both.
 *
 * @param baseline its value in each block that both have
 * @param censored whether a time was not reached in one of these blocks, by either
 * @param otherCensored whether the variant did not reach one
 * @param known to what both are known
 * @param baselineBound why the baseline's true figures may be higher; empty if they may not
 * @param otherBound likewise of the variant
 */
record Pairs(
        double[] baseline,
        double[] other,
        boolean censored,
        boolean otherCensored,
        Resolution known,
        Optional<String> baselineBound,
        Optional<String> otherBound) {
    static Pairs of(Metric metric, Configuration baseline, Configuration other) {
        return of(metric, baseline, other, higher(baseline, other));
    }

    /** @param peak at which nothing is lost, for several variants that are to be ranked by what they lose */
    static Pairs of(Metric metric, Configuration baseline, Configuration other, OptionalDouble peak) {
        return metric == Metric.WARMUP_COST ? lost(baseline, other, peak) : plain(metric, baseline, other);
    }

    private static Pairs plain(Metric metric, Configuration baseline, Configuration other) {
        Map<Integer, Observation> mine = byBlock(baseline, metric);
        Map<Integer, Observation> theirs = byBlock(other, metric);
        List<Integer> blocks =
                mine.keySet().stream().filter(theirs::containsKey).sorted().toList();
        boolean otherCensored =
                blocks.stream().anyMatch(block -> at(theirs, block).censored());
        Resolution known = baseline.metric(metric.id())
                .flatMap(before -> other.metric(metric.id()).map(after -> before.resolution(after)))
                .orElse(Resolution.EXACT);
        return new Pairs(
                blocks.stream()
                        .mapToDouble(
                                block -> Math.max(known.a(), at(mine, block).value()))
                        .toArray(),
                blocks.stream()
                        .mapToDouble(
                                block -> Math.max(known.b(), at(theirs, block).value()))
                        .toArray(),
                otherCensored
                        || blocks.stream().anyMatch(block -> at(mine, block).censored()),
                otherCensored,
                known,
                baseline.metric(metric.id()).flatMap(Measured::lowerBound),
                other.metric(metric.id()).flatMap(Measured::lowerBound));
    }

    /**
     * Returns the seconds of the load that were lost, measured against one common peak. Measured against its own peak,
     * a variant that peaks higher would seem to warm up worse.
     *
     * @param peak at which nothing is lost
     */
    static Pairs lost(Configuration baseline, Configuration other, OptionalDouble peak) {
        Pairs served = plain(Metric.REQUESTS, baseline, other);
        OptionalDouble seconds = shorter(baseline, other);
        if (peak.isEmpty() || seconds.isEmpty() || higher(baseline, other).isEmpty()) {
            return lost(new double[0], new double[0]);
        }
        return lost(
                lost(served.baseline, peak.getAsDouble(), seconds.getAsDouble()),
                lost(served.other, peak.getAsDouble(), seconds.getAsDouble()));
    }

    /** Who served more lost less, however high the peak is: it has no bounds. */
    private static Pairs lost(double[] baseline, double[] other) {
        return new Pairs(baseline, other, false, false, Resolution.EXACT, Optional.empty(), Optional.empty());
    }

    private static double[] lost(double[] requests, double peak, double seconds) {
        return Arrays.stream(requests)
                .map(served -> Math.max(Tuning.NOTHING_SECONDS, seconds - served / peak))
                .toArray();
    }

    static OptionalDouble higher(Configuration... both) {
        OptionalDouble[] peaks = Arrays.stream(both)
                .map(one -> one.metric(Metric.PEAK.id())
                        .map(peak -> OptionalDouble.of(Summary.of(peak.values()).geomean()))
                        .orElse(OptionalDouble.empty()))
                .toArray(OptionalDouble[]::new);
        return Arrays.stream(peaks).anyMatch(OptionalDouble::isEmpty)
                ? OptionalDouble.empty()
                : Arrays.stream(peaks).mapToDouble(OptionalDouble::getAsDouble).max();
    }

    /** Returns the length of the shorter load. */
    private static OptionalDouble shorter(Configuration... both) {
        return Arrays.stream(both)
                .flatMap(one -> one.metric(Metric.T90.id()).stream())
                .flatMapToDouble(time -> time.horizon().stream())
                .min();
    }

    private static Observation at(Map<Integer, Observation> values, int block) {
        return Optional.ofNullable(values.get(block)).orElseThrow();
    }

    /** Returns the runs by their block; if a block was run again as a whole, the later runs. */
    private static Map<Integer, Observation> byBlock(Configuration of, Metric metric) {
        return of.metric(metric.id()).map(Measured::runs).orElse(List.of()).stream()
                .collect(Collectors.toMap(Observation::block, Function.identity(), (first, again) -> again));
    }

    int count() {
        return baseline.length;
    }

    /** Returns the variant's value minus the baseline's, in each block. */
    List<Double> differences() {
        List<Double> differences = new ArrayList<>();
        for (int i = 0; i < count(); i++) {
            differences.add(other[i] - baseline[i]);
        }
        return differences;
    }

    /** Returns the geometric mean of the ratios; empty without pairs, and if a value is not positive. */
    OptionalDouble ratio() {
        return positive() && count() > 0
                ? OptionalDouble.of(Math.exp(IntStream.range(0, count())
                        .mapToDouble(i -> Math.log(other[i]) - Math.log(baseline[i]))
                        .average()
                        .orElseThrow()))
                : OptionalDouble.empty();
    }

    /** Returns the ratio with its interval; empty with too few pairs, and if a value is not positive. */
    Optional<PairedRatio> interval(double confidence) {
        if (!positive() || count() < PairedRatio.FEWEST_PAIRS) {
            return Optional.empty();
        }
        Slack slack = known.ofLogRatio(
                Summary.of(baseline).geomean(), Summary.of(other).geomean());
        return Optional.of(PairedRatio.of(baseline, other, confidence, slack));
    }

    /** Returns why the variant may be no better although its figures are: a higher one of one side could turn that. */
    Optional<String> doubtOfGain(boolean higherIsBetter) {
        return higherIsBetter
                ? baselineBound.map(why -> "the baseline's figure is at least that: " + why)
                : otherBound.map(why -> "its own figure is at least that: " + why);
    }

    /** Returns why the variant may be better although its figures are not. */
    Optional<String> doubtOfLoss(boolean higherIsBetter) {
        return higherIsBetter ? otherBound : baselineBound;
    }

    private boolean positive() {
        return Arrays.stream(baseline).allMatch(value -> value > 0)
                && Arrays.stream(other).allMatch(value -> value > 0);
    }
}
