package dev.kiln.compare;

import java.util.List;
import java.util.OptionalDouble;

/**
 * One metric over the runs of a configuration.
 *
 * @param horizon of a time: seconds after which nobody looked; empty for other metrics
 */
public record Measured(Metric metric, List<Observation> runs, OptionalDouble horizon) {
    /**
     * One run's value.
     *
     * @param block of the randomised block it ran in; 0 if there are none
     * @param value the horizon if censored
     * @param censored the time was not reached
     */
    public record Observation(int block, double value, boolean censored) {}

    public Measured {
        runs = List.copyOf(runs);
    }

    public double[] values() {
        return runs.stream().mapToDouble(Observation::value).toArray();
    }

    boolean anyCensored() {
        return runs.stream().anyMatch(Observation::censored);
    }

    /** The same in another unit. */
    Measured scaled(double factor, String unit) {
        return new Measured(
                metric.in(unit),
                runs.stream()
                        .map(run -> new Observation(run.block(), run.value() * factor, run.censored()))
                        .toList(),
                horizon.isPresent() ? OptionalDouble.of(horizon.getAsDouble() * factor) : horizon);
    }

    Measured only(List<Observation> some) {
        return new Measured(metric, some, horizon);
    }
}
