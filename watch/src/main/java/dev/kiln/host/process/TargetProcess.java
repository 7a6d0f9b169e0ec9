package dev.kiln.host.process;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** A TargetProcess is a target that Kiln launched or attached to, anywhere. Times are of this machine. */
public interface TargetProcess {
    /** Returns the whole command, pinning included. */
    List<String> command();

    /** Returns {@link System#nanoTime} just before the process was made, or when Kiln attached to it. */
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

    /** Asks the tree to end, as init does, and kills what is left after grace; but not what Kiln attached to. */
    void stop(Duration grace);
}
