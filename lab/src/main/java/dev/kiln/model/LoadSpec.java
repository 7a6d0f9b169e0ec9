package dev.kiln.model;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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

    /**
     * One HTTP request of the load.
     *
     * @param weight share of this call among all calls, relative to the others' weights; at least 1
     * @param bodyContains text that a good response body contains; a 2xx response without it counts as a bad body
     */
    public record HttpCall(
            String method,
            URI url,
            Map<String, String> headers,
            Optional<String> body,
            int weight,
            Optional<String> bodyContains) {
        public HttpCall {
            headers = Map.copyOf(headers);
        }

        public static HttpCall get(URI url) {
            return new HttpCall("GET", url, Map.of(), Optional.empty(), 1, Optional.empty());
        }
    }
}
