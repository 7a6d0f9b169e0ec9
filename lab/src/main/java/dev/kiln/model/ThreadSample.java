package dev.kiln.model;

/**
 * Counters of one thread since it began.
 *
 * @param timeNanos since launch
 * @param waitNanos time spent runnable, waiting for a CPU
 * @param slices times it was given a CPU
 */
public record ThreadSample(
        long timeNanos,
        int tid,
        String name,
        ThreadRole role,
        long cpuNanos,
        long waitNanos,
        long slices,
        long voluntarySwitches,
        long involuntarySwitches)
        implements Sample {}
