package dev.kiln.model.experiment;

import dev.kiln.model.CpuAssignment.CpuRequest;
import dev.kiln.model.experiment.Variant.Observe;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Variants x runs under one protocol.
 *
 * @param seed of the order of runs within each block
 * @param claims that its figures confirm or refute
 */
public record Experiment(
        String name,
        List<Variant> variants,
        Protocol protocol,
        LoadTemplate load,
        Setting setting,
        Runs runs,
        long seed,
        List<Claim> claims) {
    public Experiment {
        variants = List.copyOf(variants);
        claims = List.copyOf(claims);
    }

    /**
     * What stands around the target.
     *
     * @param cold whether the page cache is dropped before each launch
     */
    public record Setting(DatabaseSpec database, CpuRequest cpus, boolean cold) {
        /** With files that may be in memory. */
        public Setting(DatabaseSpec database, CpuRequest cpus) {
            this(database, cpus, false);
        }
    }

    public DatabaseSpec database() {
        return setting.database();
    }

    /** What was asked for, and what there will be to run on the CPUs of the database. */
    public CpuRequest cpus() {
        boolean backend = variants.stream()
                .anyMatch(variant -> !variant.target().backend().isEmpty());
        return setting.cpus()
                .withBehind(database() instanceof DatabaseSpec.Managed ? "database" : backend ? "backend" : "");
    }

    public boolean cold() {
        return setting.cold();
    }

    /** The load on a variant, which has connections of its own where it is a level of a sweep. */
    public LoadTemplate loadOf(Variant variant) {
        return variant.connections().isPresent()
                ? load.withConnections(variant.connections().getAsInt())
                : load;
    }

    public Experiment with(Runs other) {
        return new Experiment(name, variants, protocol, load, setting, other, seed, claims);
    }

    public Experiment with(Protocol other) {
        return new Experiment(name, variants, other, load, setting, runs, seed, claims);
    }

    public Experiment with(LoadTemplate other) {
        return new Experiment(name, variants, protocol, other, setting, runs, seed, claims);
    }

    public Experiment withSeed(long other) {
        return new Experiment(name, variants, protocol, load, setting, runs, other, claims);
    }

    public Experiment with(List<Variant> others, DatabaseSpec otherDatabase) {
        return new Experiment(
                name, others, protocol, load, new Setting(otherDatabase, cpus(), cold()), runs, seed, claims);
    }

    /** With a page cache that is dropped before each launch. */
    public Experiment withColdCache() {
        return new Experiment(
                name, variants, protocol, load, new Setting(database(), cpus(), true), runs, seed, claims);
    }

    public Experiment with(List<Variant> others) {
        return with(others, database());
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

    /** The database an experiment needs. */
    public sealed interface DatabaseSpec {
        /** The experiment needs none. */
        record None() implements DatabaseSpec {}

        /** Kiln starts a PostgreSQL of its own and loads {@code script} into it, afresh for each run. */
        record Managed(Optional<Path> script) implements DatabaseSpec {}

        /** Somebody else's server; Kiln neither starts, resets nor stops it. */
        record External(String jdbcUrl, String user, String password) implements DatabaseSpec {}
    }

    /**
     * How many runs each variant gets.
     *
     * @param atLeast blocks that are run in any case
     * @param atMost blocks after which it ends, decided or not; equal to {@code atLeast} for a fixed number
     * @param width relative width of the interval, 0.05 for 5 %, at which no further block is added; empty for a fixed
     *     number
     * @param repeat whether a run waits until the target's CPUs are quiet, and is repeated if the machine spoiled it
     */
    public record Runs(int atLeast, int atMost, OptionalDouble width, boolean repeat) {
        public Runs(int atLeast, int atMost, OptionalDouble width) {
            this(atLeast, atMost, width, true);
        }

        public static Runs fixed(int runs) {
            return new Runs(runs, runs, OptionalDouble.empty());
        }

        public boolean adaptive() {
            return width.isPresent();
        }

        /** The same number, with repeats or without. */
        public Runs withRepeats(boolean wanted) {
            return new Runs(atLeast, atMost, width, wanted);
        }
    }
}
