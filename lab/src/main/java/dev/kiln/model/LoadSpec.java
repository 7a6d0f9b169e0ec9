package dev.kiln.model;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What load to send.
 *
 * @param connections connections held open; in the closed loop each has one request in flight
 * @param rate requests per second over all connections (open loop), or empty for the closed loop
 * @param timeout after which a request counts as timed out and its connection is replaced
 * @param slo the latency that the service is to keep; empty where none is asked for
 * @param tls whom to trust, of a load over TLS; empty for the system's issuers
 * @param variables what differs from request to request: the texts of all calls are {@link VariedText}s then; empty where
 *     they are sent as they are
 * @param success which answers are good; empty for those with a status 2xx
 */
public record LoadSpec(
        List<HttpCall> calls,
        int connections,
        OptionalDouble rate,
        Duration timeout,
        Optional<Slo> slo,
        Optional<Tls> tls,
        Optional<Variables> variables,
        Optional<Success> success) {
    public LoadSpec {
        calls = List.copyOf(calls);
    }

    /** The same requests again and again, and nothing special asked for. */
    public LoadSpec(List<HttpCall> calls, int connections, OptionalDouble rate, Duration timeout) {
        this(calls, connections, rate, timeout, Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
    }

    public LoadSpec with(List<HttpCall> others) {
        return new LoadSpec(others, connections, rate, timeout, slo, tls, variables, success);
    }

    public LoadSpec withConnections(int other) {
        return new LoadSpec(calls, other, rate, timeout, slo, tls, variables, success);
    }

    /**
     * What differs from request to request.
     *
     * @param seed of all that is drawn
     */
    public record Variables(long seed, Optional<Feed> feed) {}

    /**
     * A file with values for requests, a row each; never the values themselves.
     *
     * @param name as it was asked for
     * @param sha256 of the file's bytes, in hexadecimal digits
     */
    public record Feed(String name, long rows, Order order, String sha256) {
        /** In which order requests get the rows. */
        public enum Order {
            /** As the file has them, and then again. */
            SEQUENTIAL,
            /** Each once in an order that is drawn, and then again in another one. */
            SHUFFLED,
            /** As the file has them, and none twice. */
            UNIQUE
        }
    }

    /**
     * The statuses of good answers.
     *
     * @param statuses such as {@code 2xx} and {@code 304}
     */
    public record Success(List<String> statuses) {
        public Success {
            statuses = List.copyOf(statuses);
        }

        /** Whether this is a status of a final answer, or a class of them. */
        public static boolean known(String status) {
            return status.matches("[2-5](?:xx|[0-9]{2})");
        }

        public boolean contains(int status) {
            return statuses.contains(Integer.toString(status)) || statuses.contains(status / 100 + "xx");
        }
    }

    /**
     * Whom to trust.
     *
     * @param ca a PEM file with issuers; empty for the system's
     * @param insecure trust anybody, whatever the certificate says
     */
    public record Tls(Optional<String> ca, boolean insecure) {
        public static final Tls SYSTEM = new Tls(Optional.empty(), false);
    }

    /**
     * A latency that a share of the requests must keep: {@code p99 < 200ms}.
     *
     * @param percentile of the requests of a second, above 0 and at most 100; those that fail do not keep it
     */
    public record Slo(double percentile, Duration limit) {
        /** As people write it. */
        public String text() {
            String plain = percentile == Math.rint(percentile)
                    ? Long.toString(Math.round(percentile))
                    : Double.toString(percentile);
            double millis = limit.toNanos() / 1e6;
            return "p" + plain + " < "
                    + (millis == Math.rint(millis)
                            ? Long.toString(Math.round(millis))
                            : String.format(Locale.ROOT, "%.3f", millis))
                    + "ms";
        }

        /** Whether a second kept it. */
        public boolean keptBy(long requests, long beyond) {
            return beyond <= requests * (100 - percentile) / 100 + 1e-9;
        }
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
