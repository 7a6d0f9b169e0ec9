package dev.kiln.runner;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A Cancellation ends an experiment from another thread: whatever is going on is cut short, what was recorded is
 * finished properly. {@link #cancel} returns when all of that is done.
 */
public final class Cancellation {
    /** The wait for the end has a limit: to stop everything takes seconds, and a shell is not patient for long. */
    private static final long PATIENCE_SECONDS = 30;

    private final AtomicReference<Optional<Runnable>> cut = new AtomicReference<>(Optional.empty());
    private final CountDownLatch finished = new CountDownLatch(1);
    private volatile OptionalLong cancelledNanos = OptionalLong.empty();

    /** Sets the action that cuts short what begins now; it runs at once if the experiment is cancelled. */
    public void onCancel(Runnable action) {
        cut.set(Optional.of(action));
        if (isCancelled()) {
            action.run();
        }
    }

    public boolean isCancelled() {
        return cancelledNanos.isPresent();
    }

    /** Returns how long ago the user ended the experiment; empty where nobody has. */
    public Optional<Duration> since() {
        OptionalLong at = cancelledNanos;
        return at.isPresent() ? Optional.of(Duration.ofNanos(System.nanoTime() - at.getAsLong())) : Optional.empty();
    }

    public void check() {
        if (isCancelled()) {
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

    /** Says that the thread that runs the experiment has put everything away. */
    public void finished() {
        finished.countDown();
    }

    /** Cuts the experiment short, and waits a while until all is put away. A shutdown hook calls this. */
    public void cancel() {
        cutShort();
        try {
            if (!finished.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                System.err.println("kiln: the experiment did not end in time; the next start of kiln cleans up");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Cuts short what goes on, and does not wait for its end. */
    void cutShort() {
        cancelledNanos = OptionalLong.of(System.nanoTime());
        try {
            cut.getAndSet(Optional.empty()).ifPresent(Runnable::run);
        } catch (RuntimeException alreadyOver) {
            // What was to be cut short has ended by itself; the experiment's thread still needs its time.
        }
    }

    /** An Interrupted says that the user ended the experiment; what was recorded is kept. */
    public static final class Interrupted extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Interrupted() {
            super("interrupted");
        }
    }
}
