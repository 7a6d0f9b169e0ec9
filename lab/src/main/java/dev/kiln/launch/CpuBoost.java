package dev.kiln.launch;

import dev.kiln.model.KilnException.IoReason;
import dev.kiln.model.experiment.Modifier;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A CpuBoost is a target's CPU limit that is higher at its start, and lowered at its own time or by {@link #end}. */
public final class CpuBoost implements AutoCloseable {
    private final CpuLimit limit;
    private final Modifier.BoostedStart asked;
    private final long launchNanos;
    private final CountDownLatch closed = new CountDownLatch(1);
    private OptionalLong endNanos = OptionalLong.empty();
    private Optional<String> failure = Optional.empty();

    private CpuBoost(CpuLimit limit, Modifier.BoostedStart asked, long launchNanos) {
        this.limit = limit;
        this.asked = asked;
        this.launchNanos = launchNanos;
    }

    /** A CpuLimit is what limits the CPU of a running target. */
    @FunctionalInterface
    public interface CpuLimit {
        void set(double cpus) throws IOException;

        /** Returns why what was set does not hold yet; empty where it does, as it does at once where nobody else carries it out. */
        default Optional<String> pending(double cpus) {
            return Optional.empty();
        }
    }

    /**
     * Starts the clock of a boost that has a time.
     *
     * @param limit as it is at the start
     * @param launchNanos of the target, on the monotonic clock
     */
    public static CpuBoost of(CpuLimit limit, Modifier.BoostedStart asked, long launchNanos) {
        CpuBoost boost = new CpuBoost(limit, asked, launchNanos);
        asked.time()
                .ifPresent(time -> Thread.ofPlatform()
                        .daemon()
                        .name("kiln-boost")
                        .start(() -> boost.endAt(launchNanos + time.toNanos())));
        return boost;
    }

    public Modifier.BoostedStart asked() {
        return asked;
    }

    private void endAt(long nanos) {
        try {
            if (!closed.await(nanos - System.nanoTime(), TimeUnit.NANOSECONDS)) {
                end();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Lowers the limit now. A second call does nothing. */
    public synchronized void end() {
        if (endNanos.isPresent() || failure.isPresent() || closed.getCount() == 0) {
            return;
        }
        try {
            limit.set(asked.to());
            endNanos = OptionalLong.of(System.nanoTime() - launchNanos);
        } catch (IOException e) {
            failure = Optional.of(IoReason.of(e));
        }
    }

    /** Returns when the limit was lowered, in ns since the launch; empty before that. */
    public synchronized OptionalLong endNanos() {
        return endNanos;
    }

    /** Returns why the limit that was lowered does not hold yet; empty where it does, and where it was not lowered. */
    public Optional<String> pending() {
        return endNanos().isPresent() ? limit.pending(asked.to()) : Optional.empty();
    }

    /** Returns why the limit could not be lowered; empty if it could, or if nobody has tried. */
    public synchronized Optional<String> failure() {
        return failure;
    }

    /** Leaves the limit as it is, because what has it is removed next, or put back. */
    @Override
    public void close() {
        closed.countDown();
        synchronized (this) {
            // One that ends just now has ended.
        }
    }
}
