package dev.kiln.explain.budget;

import dev.kiln.explain.window.Window;
import dev.kiln.model.run.CodeFamily;
import dev.kiln.model.run.FlightDigest;
import dev.kiln.model.run.FlightDigest.FamilySamples;
import dev.kiln.model.run.FlightDigest.TierShare;
import dev.kiln.stats.AnalysisConfig;
import dev.kiln.stats.ObservedShare;
import java.util.Collection;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToLongFunction;

/**
 * A RunningCode is what ran in the running part of a budget, as execution samples tell it.
 *
 * @param tiers what it ran as; empty without samples
 * @param families what it was for; empty without samples, and where they were not told by family
 */
public record RunningCode(Optional<TierSplit> tiers, Optional<FamilySplit> families) {
    /** This code is that of a budget without samples. */
    public static final RunningCode NONE = new RunningCode(Optional.empty(), Optional.empty());

    /**
     * Samples are enough if the interval of no share reaches further, 0 to 1: the relative difference that counts as one.
     */
    private static final double FURTHEST = AnalysisConfig.DELTA;

    /** Tells whether so many samples of each kind are enough to tell the share of each. */
    private static boolean areEnough(Collection<Integer> counts, int all) {
        return counts.stream().allMatch(count -> new ObservedShare(count, all).reach() <= FURTHEST);
    }

    /**
     * A TierSplit is the running part by what the code ran as.
     *
     * @param samples that tell it, at least one
     * @param times of each kind; they sum to the part. None if the samples are too few
     */
    public record TierSplit(int samples, List<CodeTime> times) {
        public TierSplit {
            times = List.copyOf(times);
        }

        /** Tells whether there were enough samples. */
        public boolean told() {
            return !times.isEmpty();
        }

        private static Optional<TierSplit> of(List<TierShare> rows, double running) {
            Map<String, Integer> counts = new LinkedHashMap<>();
            counts.put(
                    "interpreted",
                    rows.stream().mapToInt(TierShare::interpreted).sum());
            counts.put("c1", rows.stream().mapToInt(TierShare::c1).sum());
            counts.put(
                    "c2",
                    rows.stream().mapToInt(row -> row.c2() + row.inlined()).sum());
            counts.put("native", rows.stream().mapToInt(TierShare::nativeCode).sum());
            int all = counts.values().stream().mapToInt(Integer::intValue).sum();
            if (all == 0) {
                return Optional.empty();
            }
            List<CodeTime> times = counts.entrySet().stream()
                    .map(count -> new CodeTime(count.getKey(), running * count.getValue() / all))
                    .toList();
            return Optional.of(new TierSplit(all, areEnough(counts.values(), all) ? times : List.of()));
        }
    }

    /** A CodeTime is the time of a request in code of one kind: interpreted, compiled by C1 or C2, or native. */
    public record CodeTime(String kind, double millis) {}

    /**
     * A FamilySplit is the running part by what the code was for.
     *
     * @param samples that tell it, at least one
     * @param closing whether they are of the recording that was made when all else was measured
     * @param times of the families that were found, in their order; they sum to the part. None if the samples are too few
     */
    public record FamilySplit(int samples, boolean closing, List<FamilyTime> times) {
        public FamilySplit {
            times = List.copyOf(times);
        }

        /** Tells whether there were enough samples. */
        public boolean told() {
            return !times.isEmpty();
        }

        /** Returns the milliseconds by which the figure of any family may be off, at 95 %. */
        public double reachMillis() {
            return times.stream()
                    .mapToDouble(
                            time -> Math.max(time.mostMillis() - time.millis(), time.millis() - time.leastMillis()))
                    .max()
                    .orElse(0);
        }

        private static Optional<FamilySplit> of(List<FamilySamples> rows, boolean closing, double running) {
            Map<CodeFamily, Integer> counts = new EnumMap<>(CodeFamily.class);
            rows.forEach(row -> row.family().ifPresent(family -> counts.merge(family, row.samples(), Integer::sum)));
            int all = counts.values().stream().mapToInt(Integer::intValue).sum();
            // Earlier versions did not tell most of the code by family.
            boolean untold = rows.stream().anyMatch(row -> row.family().isEmpty());
            if (untold || all == 0) {
                return Optional.empty();
            }
            List<FamilyTime> times = counts.entrySet().stream()
                    .filter(count -> count.getValue() > 0)
                    .map(count -> FamilyTime.of(count.getKey(), new ObservedShare(count.getValue(), all), running))
                    .toList();
            return Optional.of(new FamilySplit(all, closing, areEnough(counts.values(), all) ? times : List.of()));
        }
    }

    /**
     * A FamilyTime is the time of a request in code of one family.
     *
     * @param leastMillis lower end of the interval of 95 % that the samples allow
     * @param mostMillis its upper end
     */
    public record FamilyTime(CodeFamily family, double millis, double leastMillis, double mostMillis) {
        private static FamilyTime of(CodeFamily family, ObservedShare share, double running) {
            return new FamilyTime(family, running * share.share(), running * share.least(), running * share.most());
        }
    }

    /** Reads what the samples of a recording say of a window. */
    static RunningCode of(Optional<FlightDigest> flight, Window window, double running) {
        return new RunningCode(
                TierSplit.of(
                        in(window, flight.map(FlightDigest::tiers).orElse(List.of()), TierShare::timeNanos), running),
                FamilySplit.of(
                        in(window, flight.map(FlightDigest::families).orElse(List.of()), FamilySamples::timeNanos),
                        false,
                        running));
    }

    /** Returns the rows of a window: each counts the second that begins at its time. */
    private static <T> List<T> in(Window window, List<T> rows, ToLongFunction<T> time) {
        return rows.stream()
                .filter(row -> time.applyAsLong(row) >= window.fromNanos() && time.applyAsLong(row) < window.toNanos())
                .toList();
    }

    /**
     * Returns this code by the families of the closing recording, unless its own samples tell them. The same load went on there, so the
     * shares are those of the load before.
     */
    RunningCode orClosing(FlightDigest closing, double running) {
        return families.isPresent() ? this : new RunningCode(tiers, FamilySplit.of(closing.families(), true, running));
    }
}
