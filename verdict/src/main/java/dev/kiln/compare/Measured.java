package dev.kiln.compare;

import dev.kiln.stats.Gate;
import dev.kiln.stats.Resolution;
import dev.kiln.stats.Student.PairedRatio;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/**
 * A Measured is one metric over the runs of a configuration.
 *
 * @param horizon of a time: seconds after which nobody looked; empty for other metrics
 * @param bin to which times are known, and other figures that were rounded, in the metric's unit; 0 for what was measured exactly
 * @param lowerBound why the true figures may be higher; empty if they may not
 */
public record Measured(
        Quantity metric, List<Observation> runs, OptionalDouble horizon, double bin, Optional<String> lowerBound) {
    /** An Observation is one run's value, the horizon if censored; block is 0 outside of blocks. */
    public record Observation(int block, double value, boolean censored) {}

    public Measured {
        runs = List.copyOf(runs);
    }

    /** Makes a metric that is neither a time nor a bound: it has no horizon and no bins. */
    public Measured(Quantity metric, List<Observation> runs) {
        this(metric, runs, OptionalDouble.empty(), 0, Optional.empty());
    }

    public double[] values() {
        return runs.stream().mapToDouble(Observation::value).toArray();
    }

    boolean anyCensored() {
        return runs.stream().anyMatch(Observation::censored);
    }

    /** Tells whether higher figures are possible: a time that no run reached is beyond the horizon anyway. */
    boolean mayBeHigher() {
        return lowerBound.isPresent() && !runs.stream().allMatch(Observation::censored);
    }

    /** Tells whether this and the other have logarithms that a bin more or less leaves finite. */
    boolean positive(Measured other) {
        return Stream.of(this, other)
                .allMatch(side -> Arrays.stream(side.values()).allMatch(v -> v > 0 && v >= side.bin));
    }

    /** Returns to what this and the other, which is compared with it, are known. */
    public Resolution resolution(Measured other) {
        return new Resolution(bin, other.bin, metric.unit());
    }

    /** Returns the values as a side of a gate: a time that half the runs did not reach is beyond the horizon. */
    Gate.GateSide side() {
        long censored = runs.stream().filter(Observation::censored).count();
        boolean open = lowerBound.isPresent() || censored > 0;
        return new Gate.GateSide(
                values(),
                2 * censored >= runs.size() && censored > 0
                        ? Gate.FigureBound.BEYOND
                        : open ? Gate.FigureBound.AT_LEAST : Gate.FigureBound.EXACT);
    }

    /** Returns the same in another unit. */
    Measured scaled(double factor, String unit) {
        return new Measured(
                metric.in(unit),
                runs.stream()
                        .map(run -> new Observation(run.block(), run.value() * factor, run.censored()))
                        .toList(),
                horizon.isPresent() ? OptionalDouble.of(horizon.getAsDouble() * factor) : horizon,
                bin * factor,
                lowerBound);
    }

    /** Returns the runs that share a block with one run of the other side, and with none else. */
    Measured partners(Measured with) {
        List<Observation> some = runs.stream()
                .filter(run -> run.block() > 0 && only(run.block()) && with.only(run.block()))
                .sorted(Comparator.comparingInt(Observation::block))
                .toList();
        return new Measured(metric, some, horizon, bin, lowerBound);
    }

    private boolean only(int block) {
        return runs.stream().filter(run -> run.block() == block).count() == 1;
    }

    /** MeasuredPairs have run i of both sides from one block; alone counts the runs without a partner. */
    record MeasuredPairs(Measured a, Measured b, int alone) {
        /** Returns the pairs; empty where there are too few of them. */
        static Optional<MeasuredPairs> of(Measured a, Measured b) {
            Measured x = a.partners(b);
            int pairs = x.runs.size();
            return pairs < PairedRatio.FEWEST_PAIRS
                    ? Optional.empty()
                    : Optional.of(new MeasuredPairs(x, b.partners(a), a.runs.size() + b.runs.size() - 2 * pairs));
        }

        /** Returns what a reader must know of runs without a partner, which do not count; else it is empty. */
        Optional<String> note() {
            return alone == 0
                    ? Optional.empty()
                    : Optional.of(alone + (alone == 1 ? " valid run has" : " valid runs have")
                            + " no partner in the same block and did not count");
        }
    }
}
