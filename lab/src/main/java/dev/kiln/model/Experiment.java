package dev.kiln.model;

import java.util.List;

/**
 * Variants x runs under one protocol.
 *
 * @param seed of the order of runs within each block
 * @param observe what is done to see more of the target
 * @param claims that its figures answer
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
        Observation observe,
        List<Claim> claims) {
    public Experiment {
        variants = List.copyOf(variants);
        claims = List.copyOf(claims);
    }

    public Experiment with(Runs other) {
        return new Experiment(name, variants, protocol, load, database, cpus, other, seed, observe, claims);
    }

    public Experiment with(Protocol other) {
        return new Experiment(name, variants, other, load, database, cpus, runs, seed, observe, claims);
    }

    public Experiment withSeed(long other) {
        return new Experiment(name, variants, protocol, load, database, cpus, runs, other, observe, claims);
    }

    public Experiment with(List<Variant> others, DatabaseSpec otherDatabase) {
        return new Experiment(name, others, protocol, load, otherDatabase, cpus, runs, seed, observe, claims);
    }

    public Experiment observedBy(Observation other) {
        return new Experiment(name, variants, protocol, load, database, cpus, runs, seed, other, claims);
    }
}
