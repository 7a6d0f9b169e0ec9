package dev.kiln.explain.budget;

import dev.kiln.explain.budget.Budget.StopCounts;
import dev.kiln.explain.window.Counter;
import dev.kiln.explain.window.Window;
import dev.kiln.model.run.RunEvidence;
import dev.kiln.model.run.Sample.MemorySample;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;

/**
 * JvmStops are the times at which the JVM let all threads stand, by its own counters. The JVM counts a stop until its own thread
 * has ended it. Where the CPUs are busy that thread waits for one while those that it has let go already run, or wait for a
 * CPU: so these counters hold more time than a thread stood.
 */
record JvmStops(Counter all, Counter ofCollections, Counter onTheWay, Counter stops, Counter collections) {
    /**
     * A StandStill is how all threads stood in a window.
     *
     * @param collections share of the time in collections
     * @param others share of the time in other stops
     */
    record StandStill(double collections, double others) {
        static final StandStill NONE = new StandStill(0, 0);

        /** Returns the share of the time in which threads could move. */
        double moving() {
            return 1 - collections - others;
        }
    }

    static JvmStops of(RunEvidence evidence) {
        // A program that is no JVM, and a log of collections, count no safepoints.
        List<MemorySample> jvm =
                evidence.memory().stream().anyMatch(row -> row.safepoints() > 0) ? evidence.memory() : List.of();
        return new JvmStops(
                counter(jvm, MemorySample::safepointNanos),
                counter(jvm, MemorySample::collectionNanos),
                counter(
                        jvm.stream()
                                .filter(row -> row.toSafepointNanos().isPresent())
                                .toList(),
                        row -> row.toSafepointNanos().getAsLong()),
                counter(jvm, MemorySample::safepoints),
                counter(jvm, MemorySample::collections));
    }

    private static Counter counter(List<MemorySample> rows, ToDoubleFunction<MemorySample> value) {
        return Counter.of(rows, MemorySample::timeNanos, value);
    }

    /** Returns how all threads stood, as the JVM counts it; empty where it was not recorded. */
    Optional<StandStill> in(Window window) {
        return share(all, window).stream()
                .mapToObj(stood -> {
                    // A collector that works beside the program counts that work too.
                    double collected =
                            Math.min(stood, share(ofCollections, window).orElse(0));
                    return new StandStill(collected, stood - collected);
                })
                .findFirst();
    }

    /** Returns the share of the time in which threads were on their way to a stop; empty where it was not recorded. */
    OptionalDouble toSafepoint(Window window) {
        return share(onTheWay, window);
    }

    /**
     * Returns how many stops there were; empty where they were not counted.
     *
     * @param toSafepointMillis of a request
     */
    Optional<StopCounts> counts(Window window, OptionalDouble toSafepointMillis) {
        return stops.rateWhereKnown(window).stream()
                .mapToObj(rate -> new StopCounts(
                        1e9 * rate,
                        1e9 * Math.min(rate, collections.rateWhereKnown(window).orElse(0)),
                        toSafepointMillis))
                .findFirst();
    }

    private static OptionalDouble share(Counter counter, Window window) {
        return counter.rateWhereKnown(window).stream()
                .map(rate -> Math.clamp(rate, 0, 1))
                .findFirst();
    }
}
