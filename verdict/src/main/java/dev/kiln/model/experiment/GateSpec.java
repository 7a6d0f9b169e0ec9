package dev.kiln.model.experiment;

import java.util.List;

/** A GateSpec names the variants that are compared with others; the scenario is what the rows are called. */
public record GateSpec(String scenario, List<Tolerance> tolerances, List<Pair> pairs) {
    public GateSpec {
        tolerances = List.copyOf(tolerances);
        pairs = List.copyOf(pairs);
    }

    /** A Pair is two variants, of which the gate judges the current one. */
    public record Pair(String current, String baseline) {}

    /**
     * A Tolerance says how much a metric may change.
     *
     * @param percent positive: lower is better, and this much more is tolerated; negative: higher is better, and this
     *     much less
     * @param eitherWay no change of this size in either direction is tolerated
     * @param place file and line that say so
     */
    public record Tolerance(String metric, double percent, boolean eitherWay, String place) {}
}
