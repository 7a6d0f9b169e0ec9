package dev.kiln.model;

import java.util.List;

/**
 * Variants x runs under one protocol.
 *
 * @param runs runs per variant
 * @param seed of the order of runs within each block
 */
public record Experiment(
        String name,
        List<Variant> variants,
        Protocol protocol,
        LoadTemplate load,
        DatabaseSpec database,
        CpuRequest cpus,
        int runs,
        long seed) {
    public Experiment {
        variants = List.copyOf(variants);
    }
}
