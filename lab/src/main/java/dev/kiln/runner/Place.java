package dev.kiln.runner;

import dev.kiln.evidence.RunWriter;
import dev.kiln.host.process.TargetProcess;
import dev.kiln.launch.CpuBoost;
import dev.kiln.model.CpuAssignment;
import dev.kiln.model.experiment.Placeholders;
import dev.kiln.model.experiment.Target;
import dev.kiln.model.run.Attached;
import dev.kiln.model.run.Attached.Restarted;
import dev.kiln.model.run.Machine.HostInfo;
import dev.kiln.model.run.Machine.RemoteHost;
import dev.kiln.model.run.RunInfo;
import dev.kiln.model.run.RunInfo.NotRecorded;
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

/** A Place is where the target of one run is launched, or runs already: this machine or another. */
interface Place extends AutoCloseable {
    /** Returns a port that is free there. */
    int port();

    /** Returns the host name or address by which the load reaches the target. */
    String address();

    /** Starts the database anew, where the target will reach it. */
    void start(Postgres database);

    /** Fails if another program already answers there: Kiln would take its figures for the target's. */
    void requireFree(URI url);

    /**
     * Launches the target.
     *
     * @param flags for the JVM, behind the target's own
     * @param asked what its JVM is asked meanwhile
     * @param writer takes what is recorded of it
     * @param log takes its output
     */
    PlacedTarget launch(
            Target target, Placeholders values, List<String> flags, Questions asked, RunWriter writer, Path log);

    @Override
    void close();

    /** Questions are what a target's JVM is asked during a run: its compile queues, and what its threads do. */
    record Questions(boolean jit, boolean threads) {}

    /** A PlacedTarget is a target that was launched for a run, or that ran before and is left as it is. */
    interface PlacedTarget {
        TargetProcess process();

        /**
         * Returns the process that serves, as far as it is known, or else the one that was launched, where that is on
         * this machine and may be changed.
         *
         * @param ports to which the load goes
         */
        OptionalLong pid(Set<Integer> ports);

        /** Returns what is known so far of the launched target. */
        LaunchFacts facts();

        /** Returns the boost of the target's CPU at its start; empty where none was asked for. */
        default Optional<CpuBoost> boost() {
            return Optional.empty();
        }

        /**
         * Returns the memory that a target may fill which others started, or the limit of a container around Kiln and the target; empty
         * for any other, and where that cannot be seen.
         */
        default OptionalLong memoryBytes() {
            return OptionalLong.empty();
        }

        /** Returns how long the target had run before, where Kiln attached to it; empty for one that was launched. */
        default Optional<Attached> attached() {
            return Optional.empty();
        }

        /** Returns how many processes serve behind one address. */
        default int replicas() {
            return 1;
        }

        /** Writes what is known of further processes of the target, beside the facts of the run. */
        default void alsoWrite(RunInfo run) {}

        /** Returns who started the target for this run, where Kiln did not; empty for any other. */
        default Optional<Restarted> restarted() {
            return Optional.empty();
        }

        /** Records the target and the parts of the lab, by their pids; the load goes to these ports here. */
        Recording record(Map<String, Long> parts, Set<Integer> ports);

        /** Ends a target that was launched after at most {@code grace}, and removes what was put around it. */
        void stop(Duration grace);
    }

    /**
     * LaunchFacts are all that there is to say of a target that was launched.
     *
     * @param environment added to Kiln's own
     * @param modifiers of the variant, as they took effect
     * @param remote empty for this machine
     * @param notes on how it was launched
     * @param missing what cannot be recorded of it where it runs
     */
    record LaunchFacts(
            Map<String, String> environment,
            List<String> modifiers,
            CpuAssignment cpus,
            HostInfo host,
            Optional<RemoteHost> remote,
            List<String> notes,
            List<NotRecorded> missing) {}
}
