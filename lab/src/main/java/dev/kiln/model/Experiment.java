package dev.kiln.model;

import java.util.List;

/**
 * Variants x runs under one protocol.
 *
 * @param seed of the order of runs within each block
 * @param observe what is done to see more of the target
 */
public record Experiment(
        String name,
        List<Variant> variants,
        Protocol protocol,
        LoadTemplate load,
        DatabaseSpec database,
        CpuRequest cpus,
        Runs runs,
        long seed,
        Observation observe) {
    public Experiment {
        variants = List.copyOf(variants);
    }

    public Experiment observedBy(Observation other) {
        return new Experiment(name, variants, protocol, load, database, cpus, runs, seed, other);
    }
}
