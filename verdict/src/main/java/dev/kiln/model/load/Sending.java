package dev.kiln.model.load;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Sending says how requests are sent, whatever they are.
 *
 * @param connections connections held open; in the closed loop each has one request in flight, or one on each stream
 * @param rate requests per second over all connections (open loop), or empty for the closed loop
 * @param timeout after which a request counts as timed out and its connection is replaced
 * @param slo the latency that the service is to keep; empty where none is asked for
 * @param tls whom to trust, of a load over TLS; empty for the system's issuers
 * @param http2 empty for HTTP/1.1
 * @param arrivals when requests are due that have a rate; empty for even ones
 * @param success which answers are good; empty for those with a status 2xx
 */
public record Sending(
        int connections,
        OptionalDouble rate,
        Duration timeout,
        Optional<Slo> slo,
        Optional<Tls> tls,
        Optional<Http2> http2,
        Optional<Arrivals> arrivals,
        Optional<Success> success) {

    /** Makes a Sending over HTTP/1.1 without anything that only few loads ask for. */
    public Sending(int connections, OptionalDouble rate, Duration timeout) {
        this(
                connections,
                rate,
                timeout,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }

    public Sending with(Way other) {
        return new Sending(
                connections,
                rate,
                timeout,
                other instanceof Slo some ? Optional.of(some) : slo,
                other instanceof Tls some ? Optional.of(some) : tls,
                other instanceof Http2 some ? Optional.of(some) : http2,
                other instanceof Arrivals some ? Optional.of(some) : arrivals,
                other instanceof Success some ? Optional.of(some) : success);
    }

    public Sending withConnections(int other) {
        return new Sending(other, rate, timeout, slo, tls, http2, arrivals, success);
    }

    /** A load that has a Sending is Sent: its readers ask the load itself for each setting. */
    public interface SentRequests {
        Sending sending();

        default int connections() {
            return sending().connections();
        }

        default OptionalDouble rate() {
            return sending().rate();
        }

        default Duration timeout() {
            return sending().timeout();
        }

        default Optional<Slo> slo() {
            return sending().slo();
        }

        default Optional<Tls> tls() {
            return sending().tls();
        }

        default Optional<Http2> http2() {
            return sending().http2();
        }

        default Optional<Arrivals> arrivals() {
            return sending().arrivals();
        }

        default Optional<Success> success() {
            return sending().success();
        }

        /** Tells whether requests that have a rate are due as a Poisson process has it. */
        default boolean poisson() {
            return arrivals().filter(Arrivals.POISSON::equals).isPresent();
        }

        /** Returns how many requests can be in flight at a time: one on each connection, or on each of its streams. */
        default int inFlight() {
            return (int) Math.min(
                    Integer.MAX_VALUE,
                    (long) connections() * http2().map(Http2::streams).orElse(1));
        }
    }

    /** A Way is a setting that few loads have; {@link Sending} takes each kind of it at most once. */
    public sealed interface Way {}

    /** An Slo is a latency that a share of requests must keep: {@code p99 < 200ms}; failures do not keep it. */
    public record Slo(double percentile, Duration limit) implements Way {
        /** Returns the objective as people write it: {@code p99 < 200ms}. */
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

        /** Tells whether a second with so many requests, some of them beyond the limit, kept the objective. */
        public boolean keptBy(long requests, long beyond) {
            return beyond <= requests * (100 - percentile) / 100 + 1e-9;
        }
    }

    /** Tls says whose certificates are trusted: a PEM file's, the system's if empty, anybody's if insecure. */
    public record Tls(Optional<String> ca, boolean insecure) implements Way {
        public static final Tls SYSTEM = new Tls(Optional.empty(), false);
    }

    /** An Http2 load has so many streams a connection: over TLS if the server wants, else by prior knowledge. */
    public record Http2(int streams) implements Way {
        public static final int MOST_STREAMS = 1000;
    }

    /** Arrivals say at which distances requests with a rate follow one another. */
    public enum Arrivals implements Way {
        /** Requests are due at equal distances. */
        EVEN,
        /** Requests are due as many independent users send them: as a Poisson process. */
        POISSON
    }

    /** Success names the statuses of good answers, such as {@code 2xx} and {@code 304}. */
    public record Success(List<String> statuses) implements Way {
        public Success {
            statuses = List.copyOf(statuses);
        }

        /** Tells whether this text is a status of a final answer, or a class of them such as {@code 2xx}. */
        public static boolean known(String status) {
            return status.matches("[2-5](?:xx|[0-9]{2})");
        }

        public boolean contains(int status) {
            return statuses.contains(Integer.toString(status)) || statuses.contains(status / 100 + "xx");
        }
    }
}
