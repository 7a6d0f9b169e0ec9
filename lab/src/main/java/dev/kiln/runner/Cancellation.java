package dev.kiln.runner;

import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Ends an experiment from another thread: whatever is going on is cut short, what was recorded is finished properly.
 * {@link #cancel} returns when all of that is done.
 */
public final class Cancellation {
    /** Stopping a target and a database takes seconds; a shell's patience after Ctrl-C is not much longer. */
    private static final long PATIENCE_SECONDS = 30;

    private final AtomicReference<Optional<Runnable>> cut = new AtomicReference<>(Optional.empty());
    private final CountDownLatch finished = new CountDownLatch(1);
    private volatile boolean cancelled;

    /** What cuts short the thing that begins now. */
    public void onCancel(Runnable action) {
        cut.set(Optional.of(action));
        if (cancelled) {
            action.run();
        }
    }

    public boolean isCancelled() {
        return cancelled;
    }

    void check() {
        if (cancelled) {
            throw new Interrupted();
        }
    }

    /** Sleeps in small steps, so that an interruption is not kept waiting. */
    void sleep(long nanos) {
        long end = System.nanoTime() + nanos;
        while (System.nanoTime() < end) {
            check();
            try {
                Thread.sleep(Math.clamp((end - System.nanoTime()) / 1_000_000, 1, 100));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new Interrupted();
            }
        }
    }

    /** The thread that runs the experiment has put everything away. */
    public void finished() {
        finished.countDown();
    }

    /** From a shutdown hook. */
    public void cancel() {
        cancelled = true;
        try {
            cut.getAndSet(Optional.empty()).ifPresent(Runnable::run);
        } catch (RuntimeException alreadyOver) {
            // What was to be cut short has ended by itself; the experiment's thread still needs its time.
        }
        try {
            if (!finished.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                System.err.println("kiln: the experiment did not end in time; the next start of kiln cleans up");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The user ended the experiment; what was recorded is kept. */
    public static final class Interrupted extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Interrupted() {
            super("interrupted");
        }
    }
}
