package dev.kiln.host.process;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A TargetProcess is a target that was launched, here or on another machine, or that Kiln attached to. Times are those
 * of this machine's clocks.
 */
public interface TargetProcess {
    /** The whole command, pinning included. */
    List<String> command();

    /**
     * Returns the monotonic clock ({@link System#nanoTime}) just before the process was made, or when Kiln attached to
     * it.
     */
    long launchNanos();

    /** Returns what the wall clock said at the same moment. */
    long launchEpochMillis();

    boolean isAlive();

    /** Says how the process ended; empty while it runs, and where it cannot be known any more. */
    Optional<ExitCode> exit();

    /** Returns the exit code, 128 + signal after a signal; empty as {@link #exit} is. */
    default OptionalInt exitCode() {
        return exit().map(exit -> OptionalInt.of(exit.code())).orElse(OptionalInt.empty());
    }

    /** Runs an action once, when the process has ended. */
    void whenEnded(Runnable action);

    /**
     * Asks the whole tree to end, as an init system does, and kills what is left of it after {@code grace}. What Kiln
     * only attached to goes on.
     */
    void stop(Duration grace);
}
