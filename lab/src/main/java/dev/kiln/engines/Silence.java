package dev.kiln.engines;

import dev.kiln.model.Phase;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** A phase without load, of a driver that has nothing to do in it. */
final class Silence {
    private static final long POLL_NANOS = 10_000_000;

    private Silence() {}

    /** Until its time is over, or it is not wanted any more. */
    static void keep(Phase.Pause phase, BooleanSupplier cancelled) {
        long end = System.nanoTime() + phase.duration().toNanos();
        while (!cancelled.getAsBoolean() && System.nanoTime() < end) {
            LockSupport.parkNanos(POLL_NANOS);
        }
    }
}
