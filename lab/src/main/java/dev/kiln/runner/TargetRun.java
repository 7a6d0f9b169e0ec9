package dev.kiln.runner;

import dev.kiln.host.TargetProcess;
import dev.kiln.model.CpuAssignment;
import dev.kiln.model.RunInfo.HostInfo;
import dev.kiln.model.RunInfo.NotRecorded;
import dev.kiln.model.RunInfo.RemoteHost;
import dev.kiln.recorder.Recording;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** A target that was launched for a run, and what there is to say of it. */
interface TargetRun {
    TargetProcess process();

    /** Where it is a process of this machine. */
    OptionalLong pid();

    /** Added to Kiln's own environment. */
    Map<String, String> environment();

    /** Those of the variant, as they took effect. */
    List<String> modifiers();

    CpuAssignment cpus();

    HostInfo host();

    /** Empty for this machine. */
    Optional<RemoteHost> remote();

    /** On how it was launched. */
    List<String> notes();

    /** What cannot be seen of it where it runs. */
    List<NotRecorded> missing();

    /**
     * Records it, and the lab around it, into the writer that it was launched with.
     *
     * @param parts of the lab, name to pid
     */
    Recording record(Map<String, Long> parts);

    /** Ends it, after at most {@code grace}, and takes away what was put around it. */
    void stop(Duration grace);
}
