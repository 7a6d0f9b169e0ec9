package dev.kiln.model;

/**
 * CPU time of one part of the lab since that part began: what measuring itself costs, and who was the limit.
 *
 * @param timeNanos since launch
 * @param part {@code target}, {@code load}, {@code database} or {@code kiln}
 * @param waitNanos time its threads spent runnable, waiting for a CPU
 */
public record PartSample(long timeNanos, String part, long cpuNanos, long waitNanos) implements Sample {}
