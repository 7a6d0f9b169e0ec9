package dev.kiln.runner;

import dev.kiln.evidence.RunWriter;
import dev.kiln.host.process.TargetProcess;
import dev.kiln.launch.CpuBoost;
import dev.kiln.model.CpuAssignment;
import dev.kiln.model.experiment.Placeholders;
import dev.kiln.model.experiment.Target;
import dev.kiln.model.run.RunInfo.HostInfo;
import dev.kiln.model.run.RunInfo.NotRecorded;
import dev.kiln.model.run.RunInfo.RemoteHost;
import dev.kiln.postgres.Postgres;
import dev.kiln.recorder.Recording;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** Where the target of one run is launched: on this machine, or on another. */
interface Place extends AutoCloseable {
    /** A port that is free there. */
    int port();

    /** How the load reaches it. */
    String address();

    /** Starts the database anew, where the target will reach it. */
    void start(Postgres database);

    /** Fails if another program already answers there: Kiln would take its figures for the target's. */
    void requireFree(URI url);

    /**
     * Launches the target.
     *
     * @param flags for the JVM, behind the target's own
     * @param jitQueries whether its JVM is asked for its compile queues and the like
     * @param writer takes what is recorded of it
     * @param log takes its output
     */
    Run launch(Target target, Placeholders values, List<String> flags, boolean jitQueries, RunWriter writer, Path log);

    @Override
    void close();

    /** A target that was launched for a run. */
    interface Run {
        TargetProcess process();

        /**
         * The process that serves, as far as it is known, or else the one that was launched, where that is on this machine.
         *
         * @param ports to which the load goes
         */
        OptionalLong pid(Set<Integer> ports);

        /** As known so far. */
        Facts facts();

        /** Of its CPU at the start; empty where none was asked for. */
        default Optional<CpuBoost> boost() {
            return Optional.empty();
        }

        /**
         * Records it, and the lab around it, into the writer that it was launched with.
         *
         * @param parts of the lab, name to pid
         * @param ports to which the load goes, where they are of this machine
         */
        Recording record(Map<String, Long> parts, Set<Integer> ports);

        /** Ends it, after at most {@code grace}, and takes away what was put around it. */
        void stop(Duration grace);
    }

    /**
     * What there is to say of a target that was launched.
     *
     * @param environment added to Kiln's own
     * @param modifiers of the variant, as they took effect
     * @param remote empty for this machine
     * @param notes on how it was launched
     * @param missing what cannot be seen of it where it runs
     */
    record Facts(
            Map<String, String> environment,
            List<String> modifiers,
            CpuAssignment cpus,
            HostInfo host,
            Optional<RemoteHost> remote,
            List<String> notes,
            List<NotRecorded> missing) {}
}
