package dev.kiln.model;

import java.time.Duration;
import java.util.List;
import java.util.OptionalDouble;

/**
 * What load to send.
 *
 * @param connections connections held open; in the closed loop each has one request in flight
 * @param rate requests per second over all connections (open loop), or empty for the closed loop
 * @param timeout after which a request counts as timed out and its connection is replaced
 */
public record LoadSpec(List<HttpCall> calls, int connections, OptionalDouble rate, Duration timeout) {
    public LoadSpec {
        calls = List.copyOf(calls);
    }
}
