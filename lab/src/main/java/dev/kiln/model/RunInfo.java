package dev.kiln.model;

import dev.kiln.model.Experiment.Runs;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What is true of a run as a whole: {@code run.json}.
 *
 * @param schemaVersion of the evidence format
 * @param variants names of all variants of the experiment, in its order
 * @param run number within its variant, from 1
 * @param block number of the randomised block, from 1; 0 where runs were not interleaved
 * @param launchMonotonicNanos the monotonic clock at launch: zero of all times
 * @param launchEpochMillis the wall clock at the same moment
 * @param command the launch command, pinning included
 * @param environment what was added to Kiln's own environment
 * @param treatment modifiers, instruments and AOT cache
 * @param readyNanos since launch
 * @param firstResponseNanos since launch
 * @param phases those that began, with their times
 * @param outcome how the run ended
 * @param outcomeDetail in words, when it did not complete
 * @param load what was sent
 * @param runs how many runs were asked for
 * @param driver what sent the load, and what its figures mean
 * @param notRecorded what could not be recorded, and why
 * @param notes what was seen during the run and casts doubt on a figure
 * @param provenance of evidence that other programs recorded; empty for Kiln's own
 * @param remote the machine of the target, where it is not the one that Kiln runs on
 * @param quietWait how the run waited for quiet CPUs before its launch; empty where it did not
 * @param referenceEnd why the search for the reference peak ended; empty without one, and where it was broken off
 * @param repeatedFor why the machine spoiled this run and it was made again; empty for any other
 */
public record RunInfo(
        int schemaVersion,
        String kilnVersion,
        String experiment,
        List<String> variants,
        String variant,
        int run,
        int block,
        long seed,
        long launchMonotonicNanos,
        long launchEpochMillis,
        List<String> command,
        Map<String, String> environment,
        Treatment treatment,
        Optional<JvmInfo> jvm,
        HostInfo host,
        CpuAssignment cpus,
        LoadSpec load,
        Protocol protocol,
        Runs runs,
        String driver,
        OptionalLong readyNanos,
        OptionalLong firstResponseNanos,
        List<PhaseTime> phases,
        Outcome outcome,
        Optional<String> outcomeDetail,
        List<NotRecorded> notRecorded,
        List<String> notes,
        Optional<Provenance> provenance,
        Optional<RemoteHost> remote,
        Optional<QuietWait> quietWait,
        Optional<FoundReference.End> referenceEnd,
        List<String> repeatedFor) {

    public static final int SCHEMA_VERSION = 1;

    public RunInfo {
        repeatedFor = List.copyOf(repeatedFor);
    }

    /** Of a run that neither waited nor looked for its reference. */
    public RunInfo(
            int schemaVersion,
            String kilnVersion,
            String experiment,
            List<String> variants,
            String variant,
            int run,
            int block,
            long seed,
            long launchMonotonicNanos,
            long launchEpochMillis,
            List<String> command,
            Map<String, String> environment,
            Treatment treatment,
            Optional<JvmInfo> jvm,
            HostInfo host,
            CpuAssignment cpus,
            LoadSpec load,
            Protocol protocol,
            Runs runs,
            String driver,
            OptionalLong readyNanos,
            OptionalLong firstResponseNanos,
            List<PhaseTime> phases,
            Outcome outcome,
            Optional<String> outcomeDetail,
            List<NotRecorded> notRecorded,
            List<String> notes,
            Optional<Provenance> provenance,
            Optional<RemoteHost> remote) {
        this(
                schemaVersion,
                kilnVersion,
                experiment,
                variants,
                variant,
                run,
                block,
                seed,
                launchMonotonicNanos,
                launchEpochMillis,
                command,
                environment,
                treatment,
                jvm,
                host,
                cpus,
                load,
                protocol,
                runs,
                driver,
                readyNanos,
                firstResponseNanos,
                phases,
                outcome,
                outcomeDetail,
                notRecorded,
                notes,
                provenance,
                remote,
                Optional.empty(),
                Optional.empty(),
                List.of());
    }

    /** The same run, which the machine spoiled and which was made again. */
    public RunInfo repeatedFor(List<String> why) {
        return new RunInfo(
                schemaVersion,
                kilnVersion,
                experiment,
                variants,
                variant,
                run,
                block,
                seed,
                launchMonotonicNanos,
                launchEpochMillis,
                command,
                environment,
                treatment,
                jvm,
                host,
                cpus,
                load,
                protocol,
                runs,
                driver,
                readyNanos,
                firstResponseNanos,
                phases,
                outcome,
                outcomeDetail,
                notRecorded,
                notes,
                provenance,
                remote,
                quietWait,
                referenceEnd,
                why);
    }

    /** Load phases of the search for the reference peak, in order; the last is the reference. None without a search. */
    public List<PhaseTime> referenceRounds() {
        return protocol.reference().isEmpty()
                ? List.of()
                : phases.stream()
                        .filter(phase -> phase.load() && FoundReference.isRound(phase.name()))
                        .toList();
    }

    /** Whether there was a search, and it ended with a level that may still rise: the reference peak is a lower bound. */
    public boolean referenceMayRise() {
        return referenceEnd.filter(end -> end != FoundReference.End.FOUND).isPresent();
    }

    /** Whether Kiln only looked at a living process: there is no load of its own, and none that others recorded. */
    public boolean watched() {
        return load.calls().isEmpty() && provenance.isEmpty();
    }

    /** Whether other programs recorded all of it. A run that Kiln launched is none, even where another sent its load. */
    public boolean imported() {
        return provenance.isPresent() && command.isEmpty();
    }

    /** How a run ended. RUNNING is what a killed Kiln leaves behind. */
    public enum Outcome {
        RUNNING,
        COMPLETED,
        INTERRUPTED,
        TARGET_FAILED,
        LAB_FAILED
    }

    /** Times in ns since launch; {@code endNanos} is empty while the phase goes on. */
    public record PhaseTime(String name, boolean load, long startNanos, OptionalLong endNanos) {}

    public record JvmInfo(String home, String version, String vendor, List<String> flags) {}

    public record HostInfo(String kernel, String cpuModel, int cpus, long memoryBytes, String scheduler) {}

    public record NotRecorded(String what, String why) {}

    /**
     * The wait for quiet CPUs.
     *
     * @param nanos how long it took
     * @param quiet false where they were not quiet when it had lasted as long as it may
     * @param busy share of the target's CPUs that other programs used in its last second
     * @param stolen share of them that the hypervisor gave to others
     */
    public record QuietWait(long nanos, boolean quiet, double busy, double stolen) {}

    /**
     * The other machine that a target ran on. All times of a run are those of the clock here.
     *
     * @param name as it was given to ssh
     * @param uncertaintyNanos what was recorded there may be so much earlier or later than it says
     * @param driftNanos how much the two clocks moved against each other during the run; empty where the connection was lost
     */
    public record RemoteHost(String name, long uncertaintyNanos, OptionalLong driftNanos) {}
}
