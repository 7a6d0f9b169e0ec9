package dev.kiln.model.experiment;

import dev.kiln.model.CpuAssignment.CpuRequest;
import dev.kiln.model.experiment.LoadTemplate.LoadEngine;
import dev.kiln.model.experiment.Protocol.Phase;
import dev.kiln.model.experiment.Variant.Observe;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** An Experiment runs its variants several times under one protocol; the seed orders runs within blocks. */
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
     * A Setting is what stands around the target.
     *
     * @param cold whether the page cache is dropped before each launch
     * @param duet whether both variants of a block run at once, each on its half of the CPUs
     */
    public record Setting(DatabaseSpec database, CpuRequest cpus, boolean cold, boolean duet, List<Hook> hooks) {
        public Setting {
            hooks = List.copyOf(hooks);
        }
    }

    public DatabaseSpec database() {
        return setting.database();
    }

    /** Returns the CPUs asked for, and what will run on those of the database: a database, a backend or nothing. */
    public CpuRequest cpus() {
        boolean backend = variants.stream()
                .anyMatch(variant -> !variant.target().program().backend().isEmpty());
        return setting.cpus()
                .withBehind(database() instanceof DatabaseSpec.Managed ? "database" : backend ? "backend" : "");
    }

    /** Returns the user's own commands before the first run and after the last. */
    public List<Hook> hooks() {
        return setting.hooks();
    }

    /** Returns the load on a variant, which has connections of its own where it is a level of a sweep. */
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
                name,
                others,
                protocol,
                load,
                new Setting(otherDatabase, cpus(), setting.cold(), setting.duet(), hooks()),
                runs,
                seed,
                claims);
    }

    /** Returns the same experiment with a page cache that is dropped before each launch. */
    public Experiment withColdCache() {
        return with(new Setting(database(), cpus(), true, setting.duet(), hooks()));
    }

    /** Returns the same experiment with both variants of a block at once. */
    public Experiment withDuet() {
        return with(new Setting(database(), setting.cpus(), setting.cold(), true, hooks()));
    }

    private Experiment with(Setting other) {
        return new Experiment(name, variants, protocol, load, other, runs, seed, claims);
    }

    /** Tells whether both variants of a block run at once, each on its half of the CPUs. */
    public boolean isDuet() {
        return setting.duet();
    }

    /** Returns the name of two runs at once. The first variant is the one whose seconds are told while they go on. */
    public String duetName() {
        return variants.getFirst().name() + " (beside " + variants.getLast().name() + ")";
    }

    public Experiment with(List<Variant> others) {
        return with(others, database());
    }

    /** Returns the same experiment with all variants watched by the same instruments. */
    public Experiment with(Observe observe) {
        return with(variants.stream().map(variant -> variant.with(observe)).toList());
    }

    /** Returns the same experiment without closing loads. */
    public Experiment withoutClosing() {
        return with(variants.stream().map(Variant::withoutClosing).toList());
    }

    /** A PlannedRun is one run in the plan's order; block and run count from 1, run within its variant. */
    public record PlannedRun(int block, int run, Variant variant) {}

    /** A DatabaseSpec says which database an experiment needs. */
    public sealed interface DatabaseSpec {
        /** The experiment needs none. */
        record None() implements DatabaseSpec {}

        /** Kiln starts a PostgreSQL of its own and loads {@code script} into it, afresh for each run. */
        record Managed(Optional<Path> script) implements DatabaseSpec {}

        /** The server is somebody else's; Kiln neither starts, resets nor stops it. */
        record External(String jdbcUrl, String user, String password) implements DatabaseSpec {}
    }

    /**
     * Runs says how many runs each variant gets.
     *
     * @param atLeast blocks that are run in any case
     * @param atMost blocks after which it ends, decided or not; equal to {@code atLeast} for a fixed number
     * @param width relative width of the interval, 0.05 for 5 %, at which no further block is added; empty for a fixed
     *     number
     * @param repeat whether a run waits until the target's CPUs are quiet, and is repeated if the machine disturbed it
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

        /** Returns in words what has the interval whose width decides. */
        public static String subject(int variants) {
            return variants == 1 ? "the peak" : "each peak's ratio to that of the first variant";
        }

        /** Returns the same number of runs, with repeats or without. */
        public Runs withRepeats(boolean wanted) {
            return new Runs(atLeast, atMost, width, wanted);
        }
    }

    /** A ClosingLoad goes on after a variant's first run was measured, for a flight recording; it counts for none. */
    public static final class ClosingLoad {
        /**
         * The load goes on for so long. An execution sample is taken each 20 ms, of up to five threads: that is 1,250 at most, of which a
         * method with 5 % has the 20 that it takes to name it. A starved JVM takes fewer.
         */
        public static final Phase.Load PHASE = new Phase.Load("closing", Duration.ofSeconds(5));

        /** All of it takes about so long on one CPU: the recorder's start, the load, the writing and the reading of what it found. */
        public static final Duration TAKES = Duration.ofSeconds(9);

        private ClosingLoad() {}

        /**
         * Tells whether a run is to have one. It is the first of its variant and no level of a sweep; Kiln launches the target on this
         * machine and sends the load itself; no other recording is made; and the last load is one that can go on, because it does not
         * change and lasted as long. Requests that differ would begin anew, and the target may not take the same ones twice.
         */
        public static boolean follows(Experiment experiment, PlannedRun run) {
            Variant variant = run.variant();
            Observe observe = variant.observe();
            return run.run() == 1
                    && observe.closing()
                    && !observe.flightRecorder()
                    && !observe.asyncProfiler()
                    && variant.connections().isEmpty()
                    && variant.target().where() instanceof Where.Here
                    && experiment.load().engine().equals(LoadEngine.KILN)
                    && !experiment.load().varies()
                    && canGoOn(experiment.protocol());
        }

        private static boolean canGoOn(Protocol protocol) {
            return protocol.reference().isPresent()
                    || protocol.loads().stream()
                            .reduce((first, last) -> last)
                            .filter(last ->
                                    last.shape().isEmpty() && last.duration().compareTo(PHASE.duration()) >= 0)
                            .isPresent();
        }
    }
}
