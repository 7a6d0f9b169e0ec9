package dev.kiln.recorder;

import dev.kiln.host.ThreadCounters;
import java.util.function.BooleanSupplier;

/**
 * The wait of one thread that has not been credited yet: the kernel adds it to schedstat when the thread gets a CPU, so a
 * thread that gets none for seconds seems to want none. It counts from the first look at which the thread was runnable, so
 * it is never more than what will be credited, and the sum of both only grows.
 */
final class WaitUnderWay {
    private long cpuNanos = -1;
    private long slices = -1;
    private boolean runnable;
    private long sinceNanos;

    /** @param isRunnable whether it is so now; asked only if the thread has not run since the last look */
    long nanos(ThreadCounters c, long timeNanos, BooleanSupplier isRunnable) {
        boolean ran = c.cpuNanos() != cpuNanos || c.slices() != slices;
        cpuNanos = c.cpuNanos();
        slices = c.slices();
        if (ran || !isRunnable.getAsBoolean()) {
            runnable = false;
            return 0;
        }
        if (!runnable) {
            runnable = true;
            sinceNanos = timeNanos;
        }
        return timeNanos - sinceNanos;
    }
}
