package dev.kiln.model;

/**
 * CPU bandwidth control of the target's cgroup, since the cgroup began.
 *
 * @param timeNanos since launch
 */
public record CgroupSample(long timeNanos, long periods, long throttledPeriods, long throttledNanos)
        implements Sample {}
