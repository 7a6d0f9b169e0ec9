package dev.kiln.model.run;

import dev.kiln.model.CpuAssignment;
import dev.kiln.model.Secrets;
import dev.kiln.model.experiment.Experiment.Runs;
import dev.kiln.model.experiment.FoundReference;
import dev.kiln.model.experiment.Protocol;
import dev.kiln.model.load.LoadSpec;
import dev.kiln.model.load.LoadSpec.HttpCall;
import dev.kiln.model.run.Attached.Restarted;
import dev.kiln.model.run.Course.Handshakes;
import dev.kiln.model.run.Course.Hung;
import dev.kiln.model.run.Course.Outcome;
import dev.kiln.model.run.Course.PhaseTime;
import dev.kiln.model.run.Course.Unserved;
import dev.kiln.model.run.Machine.HostInfo;
import dev.kiln.model.run.Machine.JvmInfo;
import dev.kiln.model.run.Machine.LoadHost;
import dev.kiln.model.run.Machine.RemoteHost;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** A RunInfo holds the facts of a whole run: {@code run.json}, where the fields of all parts stand side by side. */
public record RunInfo(
        String kilnVersion, Which which, Launch launch, Machine machine, Plan plan, Course course, Limits limits) {
    /** The evidence format has this version, which a reader checks. */
    public static final int SCHEMA_VERSION = 1;

    /**
     * A Which identifies a run: its experiment, its variant and its number.
     *
     * @param variants names of all variants of the experiment, in its order
     * @param run number within its variant, from 1
     * @param block number of the randomised block, from 1; 0 where runs were not interleaved
     * @param duet the run that went on at the same time; empty for a run that had the machine to itself
     */
    public record Which(
            String experiment,
            List<String> variants,
            String variant,
            int run,
            int block,
            long seed,
            Optional<Duet> duet) {
        /** Identifies a run that had the machine to itself. */
        public Which(String experiment, List<String> variants, String variant, int run, int block, long seed) {
            this(experiment, variants, variant, run, block, seed, Optional.empty());
        }
    }

    /**
     * A Duet names the run that went on at the same time as this one.
     *
     * @param variant of that run
     * @param run its number within its variant
     * @param half of the CPUs that this run had: 1 or 2
     */
    public record Duet(String variant, int run, int half) {
        /** Returns the half, 1 or 2, that a variant has in a block: halves are swapped from block to block. */
        public static int half(int place, int block) {
            return 1 + Math.floorMod(place + block - 1, 2);
        }
    }

    /**
     * A Launch says how the target was launched.
     *
     * @param launchMonotonicNanos the monotonic clock at launch, or when Kiln attached: zero of all times
     * @param launchEpochMillis the wall clock at the same moment
     * @param command the launch command, pinning included
     * @param environment what was added to Kiln's own environment
     * @param treatment modifiers, instruments and AOT cache
     * @param quietWait how the run waited for quiet CPUs before its launch; empty where it did not
     * @param typed what was asked for, without what Kiln put around it; empty for what Kiln did not launch
     * @param attached how long the target had run before, where Kiln attached to it; empty for what started for the run
     * @param restarted who started the target for the run, where Kiln did not
     * @param replicas how many processes served behind one address, this one included; 1 as a rule
     */
    public record Launch(
            long launchMonotonicNanos,
            long launchEpochMillis,
            List<String> command,
            Map<String, String> environment,
            Treatment treatment,
            Optional<QuietWait> quietWait,
            Optional<Typed> typed,
            Optional<Attached> attached,
            Optional<Restarted> restarted,
            int replicas) {
        /** Makes the launch of a program that Kiln did not launch itself. */
        public Launch(
                long launchMonotonicNanos,
                long launchEpochMillis,
                List<String> command,
                Map<String, String> environment,
                Treatment treatment,
                Optional<QuietWait> quietWait) {
            this(
                    launchMonotonicNanos,
                    launchEpochMillis,
                    command,
                    environment,
                    treatment,
                    quietWait,
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    1);
        }
    }

    /** A Typed is a launch as a shell takes it, placeholders in it: it is the same for all runs of a variant. */
    public record Typed(List<String> command, Map<String, String> environment) {
        public Typed {
            command = List.copyOf(command);
            environment = Map.copyOf(environment);
        }

        private Typed with(Secrets secrets) {
            return new Typed(secrets.command(command), secrets.named(environment));
        }
    }

    /**
     * A Plan is what was asked for, and the driver that sent it, with what its figures mean.
     *
     * @param loadFrom where Kiln's own driver ran; empty for the machine of Kiln, and for the programs of others
     */
    public record Plan(LoadSpec load, Protocol protocol, Runs runs, String driver, Optional<LoadHost> loadFrom) {}

    /**
     * Limits are what the evidence cannot show.
     *
     * @param notRecorded what could not be recorded, and why
     * @param notes what was seen during the run and casts doubt on a figure
     * @param provenance of evidence that other programs recorded; empty for Kiln's own
     */
    public record Limits(List<NotRecorded> notRecorded, List<String> notes, Optional<Provenance> provenance) {}

    /** Returns this run marked as one that the machine disturbed for these reasons and that Kiln repeated. */
    public RunInfo repeatedFor(List<String> why) {
        return new RunInfo(kilnVersion, which, launch, machine, plan, course.repeated(why), limits);
    }

    /** Returns this run as it may be stored: with its secrets hidden, or as it is where they are kept. */
    public RunInfo with(Secrets secrets) {
        if (secrets == Secrets.KEPT) {
            return this;
        }
        return new RunInfo(
                kilnVersion,
                which,
                new Launch(
                        launch.launchMonotonicNanos,
                        launch.launchEpochMillis,
                        secrets.command(launch.command),
                        secrets.named(launch.environment),
                        launch.treatment,
                        launch.quietWait,
                        launch.typed.map(typed -> typed.with(secrets)),
                        launch.attached,
                        launch.restarted.map(by -> by.with(secrets)),
                        launch.replicas),
                machine.with(secrets),
                new Plan(shown(plan.load, secrets), plan.protocol, plan.runs, plan.driver, plan.loadFrom),
                course.with(secrets),
                new Limits(
                        limits.notRecorded.stream()
                                .map(gap -> new NotRecorded(gap.what(), secrets.text(gap.why())))
                                .toList(),
                        secrets.texts(limits.notes),
                        limits.provenance));
    }

    private static LoadSpec shown(LoadSpec load, Secrets secrets) {
        UnaryOperator<HttpCall> hide = call -> new HttpCall(
                call.method(),
                URI.create(secrets.text(call.url().toString())),
                secrets.named(call.headers()),
                call.body().map(secrets::text),
                call.weight(),
                call.bodyContains().map(secrets::text),
                call.name(),
                call.step());
        return load.with(load.calls().stream().map(hide).toList());
    }

    /** Returns the load phases of the search for the reference peak, the reference last; none without. */
    public List<PhaseTime> referenceRounds() {
        return protocol().reference().isEmpty()
                ? List.of()
                : phases().stream()
                        .filter(phase -> phase.load() && FoundReference.isRound(phase.name()))
                        .toList();
    }

    /** Tells whether a search ended with a level that may still rise: the reference peak is a lower bound then. */
    public boolean referenceMayRise() {
        return course.referenceEnd().filter(FoundReference.End::mayRise).isPresent();
    }

    /** Tells whether Kiln only watched a living process: neither Kiln nor another program sent and recorded a load. */
    public boolean watched() {
        return load().calls().isEmpty() && provenance().isEmpty();
    }

    /** Tells whether other programs recorded the whole run. A run that Kiln launched is not imported. */
    public boolean imported() {
        return provenance().isPresent() && command().isEmpty();
    }

    public record NotRecorded(String what, String why) {
        /** The {@code what} begins with this where threads were not dumped, or not to the end. */
        public static final String THREAD_DUMPS = "thread dumps";

        /** The {@code what} where the load generator's files do not count failed requests: those of the rows are no zeros then. */
        public static final String ERRORS = "failed requests";

        /** The {@code what} where thread dumps have the platform threads only. */
        public static final String VIRTUAL_DUMPS = "virtual threads in thread dumps";
    }

    /**
     * A QuietWait is the wait for quiet CPUs before a launch.
     *
     * @param quiet false where they were not quiet when it had lasted as long as it may
     * @param busy share of the target's CPUs that other programs used in its last second, or on average where they were not
     * @param stolen share of them that the hypervisor gave to others
     */
    public record QuietWait(long nanos, boolean quiet, double busy, double stolen) {}

    // The fields of the parts, which most readers ask the run for.

    public String variant() {
        return which.variant();
    }

    public int run() {
        return which.run();
    }

    /** Returns the run that went on at the same time; empty for a run that had the machine to itself. */
    public Optional<Duet> duet() {
        return which.duet();
    }

    public long launchEpochMillis() {
        return launch.launchEpochMillis();
    }

    public List<String> command() {
        return launch.command();
    }

    public Treatment treatment() {
        return launch.treatment();
    }

    /** Returns how long the target had run before, where Kiln attached to it; empty for one that started for the run. */
    public Optional<Attached> attached() {
        return launch.attached();
    }

    /** Tells whether somebody else started the target, so that limits of its own may not be known. */
    public boolean startedByOthers() {
        return attached().isPresent() || launch.restarted().isPresent();
    }

    public Optional<JvmInfo> jvm() {
        return machine.jvm();
    }

    public HostInfo host() {
        return machine.host();
    }

    public CpuAssignment cpus() {
        return machine.cpus();
    }

    public Optional<RemoteHost> remote() {
        return machine.remote();
    }

    public LoadSpec load() {
        return plan.load();
    }

    public Protocol protocol() {
        return plan.protocol();
    }

    public String driver() {
        return plan.driver();
    }

    public Optional<LoadHost> loadFrom() {
        return plan.loadFrom();
    }

    public List<PhaseTime> phases() {
        return course.phases();
    }

    /** Returns the handshakes of all phases together; empty without TLS. */
    public Optional<Handshakes> handshakes() {
        return phases().stream().flatMap(phase -> phase.handshakes().stream()).reduce(Handshakes::plus);
    }

    /** Returns the requests that hung at the ends of all loads; empty where the load generator does not tell. */
    public Optional<Hung> hung() {
        return phases().stream()
                .flatMap(phase -> phase.unserved().flatMap(Unserved::hung).stream())
                .reduce(Hung::plus);
    }

    public Outcome outcome() {
        return course.outcome();
    }

    public List<String> repeatedFor() {
        return course.repeatedFor();
    }

    public List<NotRecorded> notRecorded() {
        return limits.notRecorded();
    }

    /** Returns why this could not be recorded; empty where nothing is said of it. */
    public Optional<String> gap(String what) {
        return limits.notRecorded().stream()
                .filter(missing -> missing.what().equals(what))
                .map(NotRecorded::why)
                .findFirst();
    }

    public List<String> notes() {
        return limits.notes();
    }

    public Optional<Provenance> provenance() {
        return limits.provenance();
    }
}
