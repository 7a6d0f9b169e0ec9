package dev.kiln.model;

import java.util.List;
import java.util.Optional;

/**
 * One process of a soak, from its first request to its end, or to that of Kiln.
 *
 * @param seconds of load that were recorded
 * @param requests in all of them
 * @param windows whole ones, in order
 */
public record SoakSegment(
        int run,
        RunInfo.Outcome outcome,
        Optional<String> outcomeDetail,
        double seconds,
        long requests,
        long errors,
        double windowSeconds,
        List<SoakWindow> windows) {
    public SoakSegment {
        windows = List.copyOf(windows);
    }
}
