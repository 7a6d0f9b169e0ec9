package dev.kiln.host;

/**
 * One thread since it began.
 *
 * @param name up to 15 bytes; it can change while the thread lives
 * @param waitNanos time runnable without a CPU
 * @param slices times it got a CPU
 */
public record ThreadCounters(
        int tid,
        String name,
        long cpuNanos,
        long waitNanos,
        long slices,
        long voluntarySwitches,
        long involuntarySwitches) {}
