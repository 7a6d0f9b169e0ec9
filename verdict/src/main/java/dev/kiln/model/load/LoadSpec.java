package dev.kiln.model.load;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.kiln.model.Secrets;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * A LoadSpec says what load to send.
 *
 * @param variables what differs from request to request: the texts of all calls are {@link VariedText}s then; empty where
 *     they are sent as they are
 */
public record LoadSpec(List<HttpCall> calls, Sending sending, Optional<Variables> variables)
        implements Sending.SentRequests {
    /** A load has at most this many requests in flight: more would not fit into the driver's memory. */
    public static final int MOST_IN_FLIGHT = 100_000;

    public LoadSpec {
        calls = List.copyOf(calls);
    }

    /** Makes a load that sends the same requests again and again, with the usual settings of {@link Sending}. */
    public LoadSpec(List<HttpCall> calls, int connections, OptionalDouble rate, Duration timeout) {
        this(calls, new Sending(connections, rate, timeout), Optional.empty());
    }

    /**
     * Returns the names of these calls in results: as asked, or by method and path; of equal ones the second gets " 2".
     * A query is no part of a name, and secrets in a path are hidden, because names stand in the evidence.
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
        return new LoadSpec(others, sending, variables);
    }

    public LoadSpec with(Sending.Way other) {
        return new LoadSpec(calls, sending.with(other), variables);
    }

    public LoadSpec with(Variables other) {
        return new LoadSpec(calls, sending, Optional.of(other));
    }

    public LoadSpec withConnections(int other) {
        return new LoadSpec(calls, sending.withConnections(other), variables);
    }

    /** Returns the recording that is replayed; empty where calls are sent. */
    public Optional<Replay> replay() {
        return variables.flatMap(Variables::replay);
    }

    /** Tells whether users send the calls in their order, rather than mixed by their weights. */
    public boolean inSession() {
        return calls.stream().anyMatch(call -> call.step().isPresent());
    }

    /** Returns the requests per second of a rate or of thinking users; empty where only the service limits. */
    public OptionalDouble offeredRate() {
        double think = calls.stream()
                .flatMap(call -> call.step().stream())
                .mapToDouble(step -> step.think().toNanos() / 1e9)
                .sum();
        return rate().isPresent() || think == 0 ? rate() : OptionalDouble.of(inFlight() * calls.size() / think);
    }

    /** Variables differ from request to request: drawn by the seed, from a feed, or as a recording has them. */
    public record Variables(long seed, Optional<Feed> feed, Optional<Replay> replay) {
        public Variables(long seed, Optional<Feed> feed) {
            this(seed, feed, Optional.empty());
        }
    }

    /** A Feed describes a file with a row of values for each request, as asked for, and its SHA-256 in hex. */
    public record Feed(String name, long rows, Order order, String sha256) {
        /** The order in which requests get the rows. */
        public enum Order {
            /** Requests get the rows in the order of the file, and begin again behind the last. */
            SEQUENTIAL,
            /** Requests get each row once in an order that is drawn, and then again in another one. */
            SHUFFLED,
            /** Requests get the rows in the order of the file, and none twice. */
            UNIQUE
        }
    }

    /**
     * A Replay describes a recording whose requests are sent at their times; it never holds the requests themselves.
     * The load's rate is its own.
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

        /** Returns the requests per second on average over the recording, at the speed of the replay. */
        public double rate() {
            return requests * speed / (period.toNanos() / 1e9);
        }
    }

    /**
     * A Step is a call's part in a session, in which all calls of the load have one.
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
     * An HttpCall is one HTTP request of the load. A user and a password in its URL become its header Authorization, as
     * curl does it (RFC 7617), unless it has that header already.
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
        private static final String AUTHORIZATION = "Authorization";

        public HttpCall {
            headers = Map.copyOf(withLogin(url, headers));
            url = withoutLogin(url);
        }

        private static Map<String, String> withLogin(URI url, Map<String, String> headers) {
            String login = url.getUserInfo();
            if (login == null
                    || login.isEmpty()
                    || headers.keySet().stream().anyMatch(AUTHORIZATION::equalsIgnoreCase)) {
                return headers;
            }
            // A user without a password has an empty one.
            String pair = login.contains(":") ? login : login + ":";
            Map<String, String> with = new HashMap<>(headers);
            with.put(AUTHORIZATION, "Basic " + Base64.getEncoder().encodeToString(pair.getBytes(UTF_8)));
            return with;
        }

        private static URI withoutLogin(URI url) {
            return url.getRawUserInfo() == null
                    ? url
                    : URI.create(url.toString().replaceFirst("//[^/?#]*@", "//"));
        }

        public HttpCall with(Step other) {
            return new HttpCall(method, url, headers, body, weight, bodyContains, name, Optional.of(other));
        }

        public static HttpCall get(URI url) {
            return new HttpCall(
                    "GET", url, Map.of(), Optional.empty(), 1, Optional.empty(), Optional.empty(), Optional.empty());
        }

        /** Returns the path as it is sent, without the query; {@code /} for an empty one. */
        public String path() {
            String path = url.getRawPath();
            return path == null || path.isEmpty() ? "/" : path;
        }
    }
}
