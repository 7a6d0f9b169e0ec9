package dev.kiln.model;

import java.util.List;

/**
 * Variants x runs under one protocol.
 *
 * @param seed of the order of runs within each block
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
        List<Claim> claims) {
    public Experiment {
        variants = List.copyOf(variants);
        cpus = database instanceof DatabaseSpec.Managed ? cpus : cpus.withoutDatabase();
        claims = List.copyOf(claims);
    }

    /** The load on a variant, which has connections of its own where it is a level of a sweep. */
    public LoadTemplate loadOf(Variant variant) {
        return variant.connections().isPresent()
                ? load.withConnections(variant.connections().getAsInt())
                : load;
    }

    public Experiment with(Runs other) {
        return new Experiment(name, variants, protocol, load, database, cpus, other, seed, claims);
    }

    public Experiment with(Protocol other) {
        return new Experiment(name, variants, other, load, database, cpus, runs, seed, claims);
    }

    public Experiment with(LoadTemplate other) {
        return new Experiment(name, variants, protocol, other, database, cpus, runs, seed, claims);
    }

    public Experiment withSeed(long other) {
        return new Experiment(name, variants, protocol, load, database, cpus, runs, other, claims);
    }

    public Experiment with(List<Variant> others, DatabaseSpec otherDatabase) {
        return new Experiment(name, others, protocol, load, otherDatabase, cpus, runs, seed, claims);
    }

    public Experiment with(List<Variant> others) {
        return with(others, database);
    }

    /** All variants watched alike. */
    public Experiment with(Observe observe) {
        return with(variants.stream().map(variant -> variant.with(observe)).toList());
    }

    /**
     * One run, in the order of running.
     *
     * @param block number of the randomised block, from 1
     * @param run number of the run within its variant, from 1
     */
    public record PlannedRun(int block, int run, Variant variant) {}
}
