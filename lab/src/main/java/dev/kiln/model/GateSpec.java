package dev.kiln.model;

import java.util.List;

/**
 * Variants of an experiment to be held against others when all have run.
 *
 * @param scenario what the rows are called
 * @param tolerances the same for all pairs
 */
public record GateSpec(String scenario, List<Tolerance> tolerances, List<Pair> pairs) {
    public GateSpec {
        tolerances = List.copyOf(tolerances);
        pairs = List.copyOf(pairs);
    }

    /** Two variants. */
    public record Pair(String current, String baseline) {}
}
