package dev.kiln.tune;

import dev.kiln.compare.Configuration;
import dev.kiln.compare.Measured;
import dev.kiln.compare.Measured.Observation;
import dev.kiln.compare.Quantity;
import dev.kiln.model.Metric;
import dev.kiln.tune.Simulated.Run;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/** SimulatedRuns make of drawn figures what an analysis of real runs would. */
final class SimulatedRuns {
    /** A boost that ends earlier ends before the compilers are done. */
    private static final double ENOUGH_SECONDS = 30;

    private SimulatedRuns() {}

    /**
     * Returns what they come to.
     *
     * @param boost when one ended, in seconds since the launch; empty without one
     * @param bound why the peak may be higher; empty where it is known
     */
    static Configuration configuration(
            String name, double peak, List<Run> runs, Goal goal, Optional<Double> boost, Optional<String> bound) {
        Map<Metric, List<Observation>> all = new EnumMap<>(Metric.class);
        for (int i = 0; i < runs.size(); i++) {
            if (goal == Goal.SLO) {
                add(all, Metric.SLO_MET, i, runs.get(i).deficit());
                add(all, Metric.P99, i, runs.get(i).p99());
                continue;
            }
            add(all, Metric.WARMUP_COST, i, runs.get(i).deficit());
            add(
                    all,
                    Metric.REQUESTS,
                    i,
                    peak * (Simulated.LOAD_SECONDS - runs.get(i).deficit()));
            add(all, Metric.PEAK, i, runs.get(i).peak());
            add(all, Metric.P99, i, runs.get(i).p99());
            int block = i;
            boost.ifPresent(seconds -> {
                add(all, Metric.BOOST_END, block, seconds);
                add(all, Metric.AFTER_BOOST, block, seconds >= ENOUGH_SECONDS ? 98 : 80);
            });
        }
        List<Measured> metrics = new ArrayList<>();
        all.forEach((metric, values) -> metrics.add(new Measured(
                Quantity.of(metric),
                values,
                OptionalDouble.empty(),
                0,
                metric.againstPeak() ? bound : Optional.empty())));
        metrics.add(new Measured(
                Quantity.of(Metric.T90),
                List.of(new Observation(1, Simulated.LOAD_SECONDS, true)),
                OptionalDouble.of(Simulated.LOAD_SECONDS),
                1,
                Optional.empty()));
        return new Configuration(
                name,
                new Configuration.Origin(Optional.of("sim"), "sim", name),
                List.of(),
                metrics,
                List.of(),
                false,
                List.of());
    }

    private static void add(Map<Metric, List<Observation>> all, Metric metric, int i, double value) {
        all.computeIfAbsent(metric, key -> new ArrayList<>()).add(new Observation(i + 1, value, false));
    }
}
