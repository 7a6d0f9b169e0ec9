package dev.kiln.model;

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
        Optional<RemoteHost> remote) {

    public static final int SCHEMA_VERSION = 1;

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
}
