package dev.kiln.tune;

import dev.kiln.model.Metric;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** A Goal is the metric that a cure is to improve. */
public enum Goal {
    DEFICIT("warm-up-cost", Metric.WARMUP_COST),
    T90("t90", Metric.T90),
    SLO("slo", Metric.SLO_MET),
    PEAK("peak", Metric.PEAK);

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
