package dev.kiln.model;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * One process of a soak, from its first request to its end, or to that of Kiln.
 *
 * @param seconds of load that were recorded
 * @param requests in all of them
 * @param windows whole ones, in order
 * @param memoryLimitBytes that the process may take: its cgroup's, or all that the machine has
 * @param heapLimitBytes that its heap may grow to, where a flag says so
 */
public record SoakSegment(
        int run,
        RunInfo.Outcome outcome,
        Optional<String> outcomeDetail,
        double seconds,
        long requests,
        long errors,
        double windowSeconds,
        List<SoakWindow> windows,
        OptionalLong memoryLimitBytes,
        OptionalLong heapLimitBytes) {
    public SoakSegment {
        windows = List.copyOf(windows);
    }
}
