package dev.kiln.runner;

import dev.kiln.host.proc.ProcFs;
import dev.kiln.host.proc.ProcStat;
import dev.kiln.host.process.LogTail;
import dev.kiln.jvm.LiveJvms;
import dev.kiln.launch.AttachSearch;
import dev.kiln.model.KilnException;
import dev.kiln.model.experiment.Where.AttachPoint;
import dev.kiln.model.run.Course.Outcome;
import java.time.Duration;
import java.util.Locale;

/**
 * A Restart waits for the process that a command brings, where the target's name says. It must be a new one: one that
 * ran before is warm.
 *
 * @param limit from the begin of the command on
 */
record Restart(ProcFs fs, AttachPoint point, Duration limit, Cancellation cancellation) {
    /** A listener is looked for so often: it may answer at once, and the first response is to be seen. */
    private static final Duration LOOK = Duration.ofMillis(20);

    /** An engine is a program that must be started to be asked, beside a service that starts. */
    private static final Duration ASK = Duration.ofMillis(200);

    /** The kernel counts the start of a process, and the time since the boot, in hundredths of a second. */
    private static final double TICKS_SECONDS = 0.03;

    private static final int TOLD_LINES = 15;

    /**
     * A FreshProcess is what the command brought.
     *
     * @param startNanos its start on the monotonic clock
     */
    record FreshProcess(ProcStat process, long startNanos) {}

    /**
     * Returns the new process as soon as it is there, even if the command goes on.
     *
     * @throws RunFailure if the command fails, or brings no new process in time
     */
    FreshProcess await(BegunHook hook) {
        long deadline = hook.beganNanos() + limit.toNanos();
        String seen = "";
        do {
            cancellation.check();
            hook.failure(Outcome.TARGET_FAILED).ifPresent(failure -> {
                throw failure;
            });
            try {
                ProcStat found = new AttachSearch(fs).find(point);
                long now = System.nanoTime();
                double age = LiveJvms.ageSeconds(fs, found.startTicks());
                if (age <= (now - hook.beganNanos()) / 1e9 + TICKS_SECONDS) {
                    return new FreshProcess(found, Math.max(hook.beganNanos(), now - Math.round(1e9 * age)));
                }
                seen = old(found, age);
            } catch (KilnException absent) {
                seen = absent.getMessage() + "; " + absent.remedy();
            }
            cancellation.sleep((point instanceof AttachPoint.ContainerName ? ASK : LOOK).toNanos());
        } while (System.nanoTime() < deadline);
        throw new RunFailure(
                Outcome.TARGET_FAILED,
                hook.command().text() + (hook.isAlive() ? " has not ended" : " ended")
                        + ", and brought no new process within " + limit.toSeconds()
                        + " s (timeout of readiness): " + seen,
                LogTail.lastLines(hook.log(), TOLD_LINES));
    }

    private String old(ProcStat found, double age) {
        return String.format(
                Locale.ROOT,
                "process %d is %s, and has run for %.1f s, since before the command began; the command must start the service"
                        + " anew, as systemctl restart and docker compose up --force-recreate do",
                found.pid(),
                point.words(),
                age);
    }
}
