package dev.kiln.model;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What load to send.
 *
 * @param connections connections held open; in the closed loop each has one request in flight, or one on each stream
 * @param rate requests per second over all connections (open loop), or empty for the closed loop
 * @param timeout after which a request counts as timed out and its connection is replaced
 * @param slo the latency that the service is to keep; empty where none is asked for
 * @param tls whom to trust, of a load over TLS; empty for the system's issuers
 * @param http2 empty for HTTP/1.1
 * @param arrivals when requests are due that have a rate; empty for even ones
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
        Optional<Http2> http2,
        Optional<Arrivals> arrivals,
        Optional<Variables> variables,
        Optional<Success> success) {
    /** More would not fit into the driver's memory. */
    public static final int MOST_IN_FLIGHT = 100_000;

    public LoadSpec {
        calls = List.copyOf(calls);
    }

    /** The same requests again and again, and nothing special asked for. */
    public LoadSpec(List<HttpCall> calls, int connections, OptionalDouble rate, Duration timeout) {
        this(
                calls,
                connections,
                rate,
                timeout,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }

    /**
     * What results call these calls: as asked, or by method and path; of equal ones the second gets " 2". A query is no part
     * of a name, and secrets in a path are hidden, because names stand in the evidence.
     *
     * @param calls to one target
     * @return in their order, no two alike
     */
    public static List<String> names(List<HttpCall> calls) {
        List<String> asked =
                calls.stream().flatMap(call -> call.name().stream()).toList();
        List<String> names = new ArrayList<>();
        for (HttpCall call : calls) {
            String plain = call.name()
                    .orElseGet(() -> Secrets.HIDDEN.text(call.method() + " " + VariedText.fromUrl(call.path())));
            String name = plain;
            for (int n = 2; names.contains(name) || (call.name().isEmpty() && asked.contains(name)); n++) {
                name = plain + " " + n;
            }
            names.add(name);
        }
        return List.copyOf(names);
    }

    public LoadSpec with(List<HttpCall> others) {
        return new LoadSpec(others, connections, rate, timeout, slo, tls, http2, arrivals, variables, success);
    }

    public LoadSpec with(Slo other) {
        return new LoadSpec(
                calls, connections, rate, timeout, Optional.of(other), tls, http2, arrivals, variables, success);
    }

    public LoadSpec with(Tls other) {
        return new LoadSpec(
                calls, connections, rate, timeout, slo, Optional.of(other), http2, arrivals, variables, success);
    }

    public LoadSpec with(Http2 other) {
        return new LoadSpec(
                calls, connections, rate, timeout, slo, tls, Optional.of(other), arrivals, variables, success);
    }

    public LoadSpec with(Arrivals other) {
        return new LoadSpec(calls, connections, rate, timeout, slo, tls, http2, Optional.of(other), variables, success);
    }

    public LoadSpec with(Variables other) {
        return new LoadSpec(calls, connections, rate, timeout, slo, tls, http2, arrivals, Optional.of(other), success);
    }

    public LoadSpec with(Success other) {
        return new LoadSpec(
                calls, connections, rate, timeout, slo, tls, http2, arrivals, variables, Optional.of(other));
    }

    public LoadSpec withConnections(int other) {
        return new LoadSpec(calls, other, rate, timeout, slo, tls, http2, arrivals, variables, success);
    }

    /** The recording that is replayed; empty where calls are sent. */
    public Optional<Replay> replay() {
        return variables.flatMap(Variables::replay);
    }

    /** Whether requests that have a rate are due as a Poisson process has it. */
    public boolean poisson() {
        return arrivals.filter(Arrivals.POISSON::equals).isPresent();
    }

    /** How requests that have a rate follow one another. */
    public enum Arrivals {
        /** At equal distances. */
        EVEN,
        /** As those of many users who know nothing of each other: a Poisson process. */
        POISSON
    }

    /** Whether users send the calls in their order, rather than mixed by their weights. */
    public boolean inSession() {
        return calls.stream().anyMatch(call -> call.step().isPresent());
    }

    /**
     * Requests per second, however fast the service is: its rate, or what users send who think and never wait. Empty for a load
     * that only the service limits.
     */
    public OptionalDouble offeredRate() {
        double think = calls.stream()
                .flatMap(call -> call.step().stream())
                .mapToDouble(step -> step.think().toNanos() / 1e9)
                .sum();
        return rate.isPresent() || think == 0 ? rate : OptionalDouble.of(inFlight() * calls.size() / think);
    }

    /** How many requests can be in flight at a time. */
    public int inFlight() {
        return (int) Math.min(
                Integer.MAX_VALUE,
                (long) connections * http2.map(Http2::streams).orElse(1));
    }

    /**
     * HTTP/2: over TLS if the server chooses it there, else from the first byte on (prior knowledge).
     *
     * @param streams requests in flight at a time over each connection
     */
    public record Http2(int streams) {
        public static final int MOST_STREAMS = 1000;
    }

    /**
     * What differs from request to request.
     *
     * @param seed of all that is drawn
     * @param replay where the requests are those of a recording; there is no feed then
     */
    public record Variables(long seed, Optional<Feed> feed, Optional<Replay> replay) {
        public Variables(long seed, Optional<Feed> feed) {
            this(seed, feed, Optional.empty());
        }
    }

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
     * A recording whose requests are sent at their times; never the requests themselves. The load's rate is its own.
     *
     * @param period from its beginning until it begins anew, as it was recorded
     * @param speed how many times as fast it is sent
     * @param note what of the file is not sent, and why; empty where all is as it was
     * @param sha256 of the file's bytes, in hexadecimal digits
     */
    public record Replay(
            String name, long requests, Duration period, double speed, Optional<String> note, String sha256) {
        // Columns of its table. Headers are lines with their ends, and times are ns since the first request.
        public static final String METHOD = "method";
        public static final String TARGET = "target";
        public static final String HEADERS = "headers";
        public static final String BODY = "body";
        public static final String AT = "at";

        /** Requests per second, on average over all of it. */
        public double rate() {
            return requests * speed / (period.toNanos() / 1e9);
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
     * A call's part in a session, in which all calls of the load have one.
     *
     * @param cookies whether the user's cookies go with its request, and those of its answer are kept
     * @param think how long the user waits between its answer and the next request
     * @param take from its answer, by the name of the value: a {@link Take} each
     */
    public record Step(boolean cookies, Duration think, Map<String, String> take) {
        public Step {
            take = Collections.unmodifiableMap(new LinkedHashMap<>(take));
        }
    }

    /**
     * One HTTP request of the load.
     *
     * @param weight share of this call among all calls, relative to the others' weights; at least 1
     * @param bodyContains text that a good response body contains; a 2xx response without it counts as a bad body
     * @param name what results call it; empty for its method and path
     * @param step its part in a session; empty where the load has none
     */
    public record HttpCall(
            String method,
            URI url,
            Map<String, String> headers,
            Optional<String> body,
            int weight,
            Optional<String> bodyContains,
            Optional<String> name,
            Optional<Step> step) {
        public HttpCall {
            headers = Map.copyOf(headers);
        }

        /** Without a name of its own, and of no session. */
        public HttpCall(
                String method,
                URI url,
                Map<String, String> headers,
                Optional<String> body,
                int weight,
                Optional<String> bodyContains) {
            this(method, url, headers, body, weight, bodyContains, Optional.empty(), Optional.empty());
        }

        public HttpCall with(Step other) {
            return new HttpCall(method, url, headers, body, weight, bodyContains, name, Optional.of(other));
        }

        public static HttpCall get(URI url) {
            return new HttpCall("GET", url, Map.of(), Optional.empty(), 1, Optional.empty());
        }

        /** As it is sent, without the query. */
        public String path() {
            String path = url.getRawPath();
            return path == null || path.isEmpty() ? "/" : path;
        }
    }
}
