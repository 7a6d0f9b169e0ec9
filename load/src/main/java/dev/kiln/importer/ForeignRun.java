package dev.kiln.importer;

import dev.kiln.model.CpuAssignment;
import dev.kiln.model.experiment.Experiment.Runs;
import dev.kiln.model.load.LoadSpec;
import dev.kiln.model.run.Provenance;
import dev.kiln.model.run.RunInfo;
import dev.kiln.model.run.Treatment;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * A ForeignRun describes a run that Kiln did not launch: most facts about it are not known.
 *
 * @param rate requests per second that were offered; empty where that is not known, and in a closed loop
 * @param notes what casts doubt on a figure
 */
record ForeignRun(
        String kilnVersion,
        Name name,
        Phases phases,
        Provenance provenance,
        RunInfo.HostInfo host,
        OptionalDouble rate,
        List<String> notes) {
    /**
     * A Name says which run it is.
     *
     * @param variants of the experiment
     * @param run number within its variant
     * @param runs of each variant
     */
    record Name(String experiment, List<String> variants, String variant, int run, int runs) {}

    static final RunInfo.HostInfo UNKNOWN_HOST = host("unknown", 0);

    static RunInfo.HostInfo host(String kernel, int cpus) {
        return new RunInfo.HostInfo(kernel, "unknown", cpus, 0, "unknown");
    }

    /** @param driver what sent the load */
    RunInfo info(
            long launchEpochMillis, String driver, OptionalLong readyNanos, List<RunInfo.NotRecorded> notRecorded) {
        return new RunInfo(
                kilnVersion,
                new RunInfo.Which(name.experiment(), name.variants(), name.variant(), name.run(), 0, 0),
                new RunInfo.Launch(0, launchEpochMillis, List.of(), Map.of(), Treatment.NONE, Optional.empty()),
                new RunInfo.Machine(
                        Optional.empty(), host, new CpuAssignment(List.of(), List.of(), List.of(), false, List.of())),
                new RunInfo.Plan(
                        new LoadSpec(List.of(), 0, rate, Duration.ZERO),
                        phases.protocol(),
                        Runs.fixed(name.runs()),
                        driver),
                new RunInfo.Course(
                        readyNanos, OptionalLong.empty(), phases.all(), RunInfo.Outcome.COMPLETED, Optional.empty()),
                new RunInfo.Limits(notRecorded, notes, Optional.of(provenance)));
    }
}
