package dev.kiln.runner;

import dev.kiln.host.process.ExitCode;
import dev.kiln.host.process.OrphanRegistry;
import dev.kiln.host.process.UserCommand;
import dev.kiln.model.run.Course.Outcome;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** A BegunHook is a command of the user's own, started just after {@code beganNanos}, with what it prints. */
record BegunHook(UserCommand command, Process process, Path log, long beganNanos, OrphanRegistry registry)
        implements AutoCloseable {
    /** Its end is looked for so often: a run waits for it. */
    static final Duration LOOK = Duration.ofMillis(20);

    private static final Duration GRACE = Duration.ofSeconds(10);

    boolean isAlive() {
        return process.isAlive();
    }

    /** Waits for its end, but not longer than this. */
    void await(Duration limit) {
        try {
            process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Waits for its end, however long that takes. */
    void await() {
        try {
            process.waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns how it failed; empty while it runs, and where it ended well. */
    Optional<RunFailure> failure(Outcome outcome) {
        return isAlive() || process.exitValue() == 0
                ? Optional.empty()
                : Optional.of(new RunFailure(
                        outcome,
                        command.text() + " "
                                + ExitCode.unsure(process.exitValue()).text() + "; " + command.byHand()
                                + " until it works (full output: " + log + ")",
                        log));
    }

    /** Says that it goes on when Kiln ends, and after that: it is the user's, and nothing that a killed Kiln left. */
    void leave() {
        registry.childEnded(process.pid());
    }

    /** Ends it where it still runs, with all that it waits for, first by asking. What one that has ended left running goes on. */
    @Override
    public void close() {
        UserCommand.end(process, GRACE);
        registry.childEnded(process.pid());
    }
}
