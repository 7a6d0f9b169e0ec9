package dev.kiln.load;

import dev.kiln.model.load.LoadSpec;
import dev.kiln.model.run.Machine.LoadHost;
import dev.kiln.model.run.Provenance;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** A LoadDriver generates load in a process that stays warm from one session, of one at a time, to the next. */
public interface LoadDriver extends AutoCloseable {
    /** Returns the driver's name, version and meaning; times are {@link System#nanoTime}, one clock on Linux. */
    DriverInfo info();

    /** Describes the limits of the driver's figures; empty for a driver that records as Kiln does. */
    default Optional<Provenance> provenance() {
        return Optional.empty();
    }

    /** Returns the pid of the process that sends the load, or starts those that do; empty if that is on another machine. */
    OptionalLong pid();

    /** Returns where Kiln's own driver runs; empty for this machine, and for the programs of others. */
    default Optional<LoadHost> from() {
        return Optional.empty();
    }

    /** Tells whether the driver lives. A load of others from elsewhere has nothing here that could die. */
    default boolean isAlive() {
        return pid().isEmpty()
                || ProcessHandle.of(pid().getAsLong())
                        .map(ProcessHandle::isAlive)
                        .orElse(false);
    }

    /** Drives the driver's code until it is compiled; to be done once, before the first target starts. */
    WarmUp warmUp();

    /**
     * Does what a session of this load needs and what takes time, such as to ask another machine for its clock. It is
     * called directly before the target's launch, because afterwards every wait makes the first response late.
     */
    default void prepare(LoadSpec load) {}

    /**
     * Resolves the target's address and opens the evidence files; sends nothing yet.
     *
     * @param runDirectory where {@code load.csv} and {@code latency.hlog} are appended to
     * @param launchNanos the target's launch by {@link System#nanoTime}: zero of all times in evidence
     */
    LoadSession open(LoadSpec spec, Path runDirectory, long launchNanos);

    /** Ends the process, and any session with it. */
    @Override
    void close();

    /** A DriverInfo describes a driver, what its figures mean, as "100 ms bins by completion", and what is amiss. */
    record DriverInfo(String name, String version, String meaning, List<String> notes) {
        public DriverInfo {
            notes = List.copyOf(notes);
        }
    }

    /** A WarmUp says how warming up went; quiet is false if compilers were still busy at the time limit. */
    record WarmUp(Duration duration, double jitShare, boolean quiet) {
        /** NONE is the warm-up of a driver that has nothing to warm up. */
        public static final WarmUp NONE = new WarmUp(Duration.ZERO, 0, true);
    }
}
