package dev.kiln.runner;

import dev.kiln.host.process.LogTail;
import dev.kiln.model.KilnException;
import dev.kiln.model.experiment.Hook.HookMoment;
import dev.kiln.model.experiment.Placeholders;
import dev.kiln.model.experiment.Target;
import dev.kiln.model.run.Attached.Restarted;
import dev.kiln.model.run.Course.Outcome;
import dev.kiln.runner.HookRunner.OwedHook;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A Restart is the user's command that starts a service anew for a run. What stops the service is owed from its begin on.
 *
 * @param stop what is to be run in the end
 * @param limit from the begin of the command on
 */
record Restart(HookRunner hooks, Cancellation cancellation, BegunHook hook, Optional<OwedHook> stop, Duration limit) {
    private static final int TOLD_LINES = 15;

    /** Starts the command, which prints into the folder of the run. */
    static Restart begin(RunContext context, Target target, Placeholders values, Path folder) {
        HookRunner hooks = context.hooks();
        Optional<OwedHook> stop = hooks.owe(HookRunner.command(target, HookMoment.STOP, values), folder);
        try {
            BegunHook hook = hooks.begin(
                    HookRunner.command(target, HookMoment.RESTART, values).orElseThrow(), folder);
            return new Restart(
                    hooks,
                    context.cancellation(),
                    hook,
                    stop,
                    target.readiness().timeout());
        } catch (RuntimeException e) {
            stop.ifPresent(hooks::pay);
            throw e;
        }
    }

    /** Returns the monotonic clock just before the command was started. */
    long beganNanos() {
        return hook.beganNanos();
    }

    Map<String, String> environment() {
        return hook.command().environment();
    }

    /**
     * Returns the new process as soon as it is there, even if the command goes on.
     *
     * @param between two looks
     * @param look fails as long as there is none
     * @throws RunFailure if the command fails, or brings no new process in time
     */
    <T> T await(Duration between, Supplier<T> look) {
        long deadline = hook.beganNanos() + limit.toNanos();
        String seen = "";
        do {
            cancellation.check();
            hook.failure(Outcome.TARGET_FAILED).ifPresent(failure -> {
                throw failure;
            });
            try {
                return look.get();
            } catch (KilnException absent) {
                seen = absent.getMessage() + "; " + absent.remedy();
            }
            cancellation.sleep(between.toNanos());
        } while (System.nanoTime() < deadline);
        throw new RunFailure(
                Outcome.TARGET_FAILED,
                hook.command().text() + (hook.isAlive() ? " has not ended" : " ended")
                        + ", and brought no new process within " + limit.toSeconds()
                        + " s (timeout of readiness): " + seen,
                LogTail.lastLines(hook.log(), TOLD_LINES));
    }

    /** Returns what the command brought, as it was named, with its start on the monotonic clock. */
    Restarted brought(String to, long pid, long startNanos) {
        return new Restarted(to, pid, hook.command().words(), Math.max(0, startNanos - hook.beganNanos()));
    }

    /** Ends the command, and has the service stopped. One that serves itself, in the foreground, is over with the run. */
    void end() {
        hook.failure(Outcome.TARGET_FAILED).ifPresent(hooks::told);
        giveUp();
    }

    /** Does the same where the run has failed for it. */
    void giveUp() {
        hook.close();
        stop.ifPresent(hooks::pay);
    }
}
