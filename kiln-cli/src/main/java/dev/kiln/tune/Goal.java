package dev.kiln.tune;

import dev.kiln.model.Metric;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** What a cure is to improve. */
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

    /** Under a rate a service that meets its SLO serves all of it: nothing is known of its peak. */
    public boolean needsAPeak() {
        return this != SLO;
    }

    /** By its id, or as its metric is called. */
    public static Optional<Goal> of(String name) {
        return Arrays.stream(values())
                .filter(goal -> goal.id.equals(name) || Metric.same(goal.metric.id(), name))
                .findFirst();
    }

    public static List<String> ids() {
        return Arrays.stream(values()).map(Goal::id).toList();
    }
}
