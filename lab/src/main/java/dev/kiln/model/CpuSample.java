package dev.kiln.model;

/**
 * One CPU since boot.
 *
 * @param timeNanos since launch
 * @param stealNanos time the hypervisor gave to others
 */
public record CpuSample(long timeNanos, int cpu, long busyNanos, long idleNanos, long stealNanos) implements Sample {}
