package dev.kiln.tune;

import dev.kiln.compare.Configuration;
import dev.kiln.compare.Measured;
import dev.kiln.compare.Measured.Observation;
import dev.kiln.model.Metric;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/** A Goal is the metric that a cure is to improve. */
public enum Goal {
    DEFICIT("warm-up-cost", Metric.WARMUP_COST),
    T90("t90", Metric.T90),
    SLO("slo", Metric.SLO_MET),
    PEAK("peak", Metric.PEAK);

    /** The share of the first load that every JVM loses; a greater loss has a cause, known or not. */
    private static final double LITTLE = 0.1;

    private final String id;
    private final Metric metric;

    Goal(String id, Metric metric) {
        this.id = id;
        this.metric = metric;
    }

    public String id() {
        return id;
    }

    public Metric metric() {
        return metric;
    }

    boolean higherIsBetter() {
        return metric.better() == Metric.Better.HIGHER;
    }

    /**
     * Tells whether the goal can be judged only with a known peak. The SLO cannot: a service that serves all of a fixed
     * rate shows no peak.
     */
    public boolean needsAPeak() {
        return this != SLO;
    }

    /**
     * Returns in words why runs that no known cause held back may have something to gain all the same; empty where they lost
     * little of their load.
     */
    Optional<String> doubt(Configuration runs) {
        if (this == PEAK) {
            return Optional.of("whether its peak could be higher is not known");
        }
        Optional<String> bound = runs.metric(metric.id()).flatMap(Measured::lowerBound);
        if (bound.isPresent()) {
            return Optional.of("its " + metric.label() + " may be more than it seems, because " + bound.get());
        }
        if (runs.metric(metric.id()).stream()
                .flatMap(one -> one.runs().stream())
                .anyMatch(Observation::censored)) {
            return Optional.of(unreached());
        }
        OptionalDouble lost = lostShare(runs);
        String of = this == T90
                ? "it came to 90 % of its peak after"
                : this == SLO ? "it met the SLO after" : "its warm-up cost";
        return lost.isEmpty()
                ? Optional.of("how much of the load its warm-up cost is not known")
                : Optional.of(String.format(Locale.ROOT, "%s %.0f %% of the load", of, 100 * lost.getAsDouble()))
                        .filter(words -> lost.getAsDouble() > LITTLE);
    }

    /** Says that a run did not come to the time that is the goal. */
    String unreached() {
        return "not every run " + (this == SLO ? "met the SLO" : "came to its " + metric.label()) + " within the load";
    }

    /** Returns the share of the load that was not as good as the rest, on average; empty if it was not measured. */
    private OptionalDouble lostShare(Configuration of) {
        OptionalDouble seconds = of.metric((needsAPeak() ? Metric.T90 : metric).id()).stream()
                .flatMapToDouble(measured -> measured.horizon().stream())
                .findFirst();
        OptionalDouble lost = of.metric(metric.id()).stream()
                .flatMapToDouble(measured -> Arrays.stream(measured.values()))
                .average();
        return seconds.isPresent() && lost.isPresent()
                ? OptionalDouble.of(lost.getAsDouble() / seconds.getAsDouble())
                : OptionalDouble.empty();
    }

    /** Returns the goal with this id, or with a metric of this name. */
    public static Optional<Goal> of(String name) {
        return Arrays.stream(values())
                .filter(goal -> goal.id.equals(name) || Metric.same(goal.metric.id(), name))
                .findFirst();
    }

    public static List<String> ids() {
        return Arrays.stream(values()).map(Goal::id).toList();
    }
}
