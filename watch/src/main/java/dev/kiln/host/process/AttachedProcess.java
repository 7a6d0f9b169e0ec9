package dev.kiln.host.process;

import dev.kiln.host.proc.ProcFs;
import dev.kiln.host.proc.ProcStat;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * An AttachedProcess is a target that somebody else started. It is not ended and not moved, and stands in no book of what
 * must be ended. Its launch is the moment at which Kiln attached, or its start, where it was started for Kiln.
 */
public final class AttachedProcess implements TargetProcess {
    /** The kernel tells nobody but its parent when a process ends, so Kiln looks this often. */
    private static final long LOOK_MILLIS = 100;

    private final ProcFs fs;
    private final ProcStat process;
    private volatile List<String> command;
    private final long nanos;
    private final long epochMillis;
    private final boolean fresh;
    private final CountDownLatch released = new CountDownLatch(1);

    /**
     * @param process as it was found; its start time tells it from a later one with the same pid
     * @param launchNanos its start on the monotonic clock where it was started for Kiln, else the moment of finding it
     * @param fresh whether it was started for Kiln
     */
    public AttachedProcess(ProcFs fs, ProcStat process, long launchNanos, boolean fresh) {
        this.fresh = fresh;
        this.fs = fs;
        this.process = process;
        this.command = command(fs, process);
        nanos = launchNanos;
        epochMillis = System.currentTimeMillis() - (System.nanoTime() - launchNanos) / 1_000_000;
    }

    private static List<String> command(ProcFs fs, ProcStat process) {
        List<String> words = Arrays.stream(
                        fs.text("proc/" + process.pid() + "/cmdline").orElse("").split("\0", -1))
                .toList();
        int end = words.size();
        while (end > 0 && words.get(end - 1).isEmpty()) {
            end--;
        }
        return end == 0 ? List.of(process.name()) : List.copyOf(words.subList(0, end));
    }

    public long pid() {
        return process.pid();
    }

    /** Tells whether it was started for Kiln; it ran before otherwise. */
    public boolean isFresh() {
        return fresh;
    }

    /** Returns the process as it was when Kiln attached. */
    public ProcStat found() {
        return process;
    }

    /** Returns the command as it is by now: what starts a container or a service becomes it a moment after it was found. */
    @Override
    public List<String> command() {
        if (fresh && isAlive()) {
            command = command(fs, process);
        }
        return command;
    }

    @Override
    public long launchNanos() {
        return nanos;
    }

    @Override
    public long launchEpochMillis() {
        return epochMillis;
    }

    @Override
    public boolean isAlive() {
        return fs.stat(process.pid())
                .filter(now -> !now.isDead() && now.startTicks() == process.startTicks())
                .isPresent();
    }

    /** Returns nothing: only the parent of a process learns how it ended. */
    @Override
    public Optional<ExitCode> exit() {
        return Optional.empty();
    }

    @Override
    public void whenEnded(Runnable action) {
        Thread.ofPlatform().daemon().name("kiln-attached").start(() -> {
            if (awaitEnd()) {
                action.run();
            }
        });
    }

    /** Waits for the end of the process; false when Kiln let go of it before. */
    private boolean awaitEnd() {
        try {
            while (!released.await(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
                if (!isAlive()) {
                    return true;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return false;
    }

    /** Lets go of the process, which goes on. */
    @Override
    public void stop(Duration grace) {
        released.countDown();
    }

    @Override
    public String toString() {
        return "target (pid " + pid() + ", attached)";
    }
}
