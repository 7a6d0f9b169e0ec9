package dev.kiln.model.load;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.stream.IntStream;

/** A Latency has the quantiles of the requests completed in a second, or in a phase. */
public sealed interface Latency {
    String phase();

    Quantiles quantiles();

    default long count() {
        return quantiles().count();
    }

    default long p50Nanos() {
        return quantiles().p50Nanos();
    }

    default long p99Nanos() {
        return quantiles().p99Nanos();
    }

    default long maxNanos() {
        return quantiles().maxNanos();
    }

    /** Quantiles are those of the latencies of some requests; p99Nanos is 0 where the source has none. */
    record Quantiles(long count, long p50Nanos, long p99Nanos, long maxNanos) {}

    /**
     * A LatencyInterval is the latency of the requests completed in one second.
     *
     * @param startNanos since launch
     * @param beyond of the requests, those that took longer than the load's {@link Sending.Slo} allows; 0 without one
     * @param histogram what takes all latencies of the second; empty where the source kept no histogram
     */
    record LatencyInterval(
            String phase,
            long startNanos,
            long endNanos,
            Quantiles quantiles,
            long beyond,
            Optional<Histogrammed> histogram)
            implements Latency {
        /** Makes an interval of a source that keeps no histogram. */
        public LatencyInterval(String phase, long startNanos, long endNanos, Quantiles quantiles) {
            this(phase, startNanos, endNanos, quantiles, 0, Optional.empty());
        }
    }

    /** A Histogrammed has the figures of a second that need a histogram of all its latencies. */
    record Histogrammed(double meanNanos, long p95Nanos, long p999Nanos) {}

    /**
     * LatencyCounts are the requests of a phase by their response time: ten steps to each power of ten.
     *
     * @param first the number of the first step; step {@code k} begins at 10^(k/10) µs
     * @param counts of the steps from the first on, without a gap
     */
    record LatencyCounts(int first, List<Long> counts) {
        private static final int STEPS_PER_DECADE = 10;
        private static final double MICRO = 1e3;

        public LatencyCounts {
            counts = List.copyOf(counts);
        }

        /** Joins counts by the number of their step; steps between them without a request have 0. */
        public static LatencyCounts of(SortedMap<Integer, Long> steps) {
            return steps.isEmpty()
                    ? new LatencyCounts(0, List.of())
                    : new LatencyCounts(
                            steps.firstKey(),
                            IntStream.rangeClosed(steps.firstKey(), steps.lastKey())
                                    .mapToObj(step -> steps.getOrDefault(step, 0L))
                                    .toList());
        }

        /** Returns the number of the step that has a latency; what is below 1 µs is in the first. */
        public static int step(long nanos) {
            return Math.max(0, (int) Math.floor(STEPS_PER_DECADE * Math.log10(Math.max(1, nanos) / MICRO) + 1e-9));
        }

        /** Returns where a step begins. */
        public static double beginMillis(int step) {
            return Math.pow(10, (double) step / STEPS_PER_DECADE) / 1e3;
        }
    }

    /** A Beginning is the latency of a load's first seconds; its tail is at 99 %, 99.1 % and on to 100 %. */
    record Beginning(int seconds, long count, List<Long> tailNanos) {
        /** A run reports its latency of these first seconds of the load. */
        public static final List<Integer> SECONDS = List.of(10, 30, 60);

        /** The tail has this many steps from 99 to 100 %. */
        public static final int STEPS = 10;

        /**
         * Returns the 99th percentile in ns, with requests counted in that never got an answer: they are slower than
         * all others. Rounded up to the next step.
         *
         * @return infinite where those are over 1 %; empty without a request
         */
        public OptionalDouble p99Nanos(long never) {
            if (count + never == 0) {
                return OptionalDouble.empty();
            }
            double share = count == 0 ? 2 : 0.99 * (count + never) / count;
            int step = (int) Math.ceil((share - 0.99) * 100 * STEPS - 1e-9);
            return OptionalDouble.of(step > STEPS ? Double.POSITIVE_INFINITY : tailNanos.get(step));
        }
    }

    /** Latencies are a run's response times; the first load's beginnings need histograms of the source. */
    record Latencies(List<LatencyInterval> seconds, List<PhaseLatency> phases, List<Beginning> beginnings) {
        public static final Latencies NONE = new Latencies(List.of(), List.of(), List.of());

        public Latencies {
            seconds = List.copyOf(seconds);
            phases = List.copyOf(phases);
            beginnings = List.copyOf(beginnings);
        }
    }

    /** A PhaseLatency is the latency of all requests completed in a phase, with more where it was recorded. */
    record PhaseLatency(String phase, Quantiles quantiles, Optional<More> more) implements Latency {
        /** These figures of a phase need a histogram of all its latencies. */
        public record More(
                double meanNanos, long p75Nanos, long p90Nanos, long p95Nanos, long p999Nanos, LatencyCounts counts) {}
    }
}
