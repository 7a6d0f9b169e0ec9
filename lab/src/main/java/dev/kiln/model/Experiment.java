package dev.kiln.model;

import java.util.List;

/**
 * Variants x runs under one protocol.
 *
 * @param seed of the order of runs within each block
 */
public record Experiment(
        String name,
        List<Variant> variants,
        Protocol protocol,
        LoadTemplate load,
        DatabaseSpec database,
        CpuRequest cpus,
        Runs runs,
        long seed) {
    public Experiment {
        variants = List.copyOf(variants);
    }

    public Experiment with(List<Variant> others) {
        return new Experiment(name, others, protocol, load, database, cpus, runs, seed);
    }

    /** All variants watched alike. */
    public Experiment with(Observe observe) {
        return with(variants.stream().map(variant -> variant.with(observe)).toList());
    }
}
