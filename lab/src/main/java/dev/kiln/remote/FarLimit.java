package dev.kiln.remote;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A FarLimit ends a process that talks to another place, and what it started, after a time, or when this is closed: one
 * that hangs may neither answer nor take its input, so no wait for it would end.
 */
record FarLimit(Duration limit, Process process, AtomicBoolean over, CompletableFuture<Void> timer)
        implements AutoCloseable {
    static FarLimit of(Duration limit, Process process) {
        AtomicBoolean over = new AtomicBoolean();
        // No thread of the common pool: readers that wait may hold all of them.
        CompletableFuture<Void> timer = CompletableFuture.runAsync(
                () -> {
                    over.set(true);
                    end(process);
                },
                CompletableFuture.delayedExecutor(limit.toMillis(), TimeUnit.MILLISECONDS, Runnable::run));
        return new FarLimit(limit, process, over, timer);
    }

    private static void end(Process process) {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }

    boolean isOver() {
        return over.get();
    }

    /** Says that it was over, as the reason of a message. */
    String words() {
        return "no answer within " + limit.toSeconds() + " s";
    }

    @Override
    public void close() {
        timer.cancel(false);
        end(process);
    }
}
