package dev.kiln.load;

import dev.kiln.model.experiment.Protocol.Phase;
import dev.kiln.model.run.Sample.PartSample;
import java.time.Duration;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** A LoadSession is one run's load, for one thread at a time but for {@link #cancel} and {@link #finish}. */
public interface LoadSession extends AutoCloseable {
    /**
     * Sends the first call over new connections, every few ms, until it is answered with success. A request without an
     * answer stays open, and others follow beside it: a service may do much of its start in its first response. Gives up
     * early on a service that only refuses ({@link WrongUrl}).
     *
     * @param stillAlive asked every few ms; when it says no, waiting ends and the session is cancelled
     */
    Probe awaitFirstResponse(Duration timeout, BooleanSupplier stillAlive);

    /** Sends load for the phase's duration, and calls live once a second on the calling thread. */
    PhaseResult load(Phase.Load phase, Consumer<Tick> live);

    /** Sends nothing for the phase's duration; connections stay open. */
    void pause(Phase.Pause phase);

    /**
     * Gives the CPU time of a driver that runs elsewhere to {@code to}, once a second, on the thread that waits for an answer. Of one
     * on this machine it is read from outside.
     */
    default void watchCpu(Consumer<PartSample> to) {}

    /** Ends the load phase that is going on, as if its time were over. Any thread may call it. */
    void finish();

    /** Ends at once what is going on now and all that is asked of this session later. Any thread may call it. */
    void cancel();

    /** Closes the connections and the evidence files. */
    @Override
    void close();

    /** A Tick is one second, from 1, of a phase, the last maybe a part; p99Nanos is 0 where not known. */
    public record Tick(String phase, int second, double requestsPerSecond, long p99Nanos, long errors) {}

    /** A WrongUrl recognises, for one thread, a service that keeps refusing: URL or certificate is wrong. */
    final class WrongUrl {
        private static final long PATIENCE_NANOS = 10_000_000_000L;

        private OptionalLong since = OptionalLong.empty();

        /** Adds an attempt's result; tells whether all were refused for so long that waiting is no use. */
        public boolean after(AttemptResult seen, long now) {
            if (!seen.kind().lasts()) {
                since = OptionalLong.empty();
                return false;
            }
            if (since.isEmpty()) {
                since = OptionalLong.of(now);
            }
            return now - since.getAsLong() >= PATIENCE_NANOS;
        }
    }

    /** A Probe says how waiting for the first successful response ended. */
    public sealed interface Probe {
        /** An attempt that failed is followed by the next one after this time. */
        long BETWEEN_ATTEMPTS_NANOS = 3_000_000;

        /** An attempt that has no answer after this time gets another one beside it. */
        long BESIDE_NANOS = 5_000_000_000L;

        /** No more attempts than this wait at a time. */
        int MOST_OPEN = 8;

        /** Returns how many attempts were made, each over a new connection. */
        long attempts();

        /** Answered says that the target is up, since the response came at this {@link System#nanoTime}. */
        record Answered(long nanoTime, long attempts) implements Probe {}

        /** NoAnswer says that the target did not come up, and what came of the last attempt. */
        record NoAnswer(AttemptResult last, long attempts) implements Probe {}
    }

    /** An AttemptResult is what came of a call without success, "status 503", and whether it may change. */
    record AttemptResult(String words, AttemptKind kind) {
        /** NOTHING_YET is the result before the first attempt has ended. */
        public static final AttemptResult NOTHING_YET = new AttemptResult("nothing yet", AttemptKind.NONE);

        /** CONNECTION_REFUSED says that nobody listens at the address. */
        public static final AttemptResult CONNECTION_REFUSED = passing("connection refused");

        /** An open attempt that has waited for less than this says less than the result of the one before it. */
        private static final long LONG_NANOS = 1_000_000_000;

        /** An AttemptKind says whether another attempt can end in another way. */
        public enum AttemptKind {
            /** No attempt has ended. */
            NONE,

            /** A service that starts may answer so at first. */
            PASSING,

            /** The service answers, but knows no such page: a status from 400 to 499. */
            NO_SUCH_PAGE,

            /** The service wants to know who asks, or refuses whoever asked: a status of 401 or 403. */
            NO_LOGIN,

            /** Both sides do not agree on a certificate, on TLS or on a protocol. */
            NO_AGREEMENT;

            /** Tells whether no waiting changes the result. */
            public boolean lasts() {
                return this == NO_SUCH_PAGE || this == NO_LOGIN || this == NO_AGREEMENT;
            }
        }

        /** Returns a result that a later attempt may not have. */
        public static AttemptResult passing(String words) {
            return new AttemptResult(words, AttemptKind.PASSING);
        }

        /** Returns a result that every later attempt has, too. */
        public static AttemptResult noAgreement(String words) {
            return new AttemptResult(words, AttemptKind.NO_AGREEMENT);
        }

        /** Returns the result for an answer whose status is no success. */
        public static AttemptResult status(int status) {
            AttemptKind kind = status == 401 || status == 403
                    ? AttemptKind.NO_LOGIN
                    : status / 100 == 4 ? AttemptKind.NO_SUCH_PAGE : AttemptKind.PASSING;
            return new AttemptResult("status " + status, kind);
        }

        /** Returns what to report at the end: this, the last attempt's result, or how long an open one waits, in ns. */
        public AttemptResult atTheEnd(OptionalLong waiting) {
            return waiting.isPresent() && (kind == AttemptKind.NONE || waiting.getAsLong() >= LONG_NANOS)
                    ? passing(String.format(Locale.ROOT, "no answer within %.1f s", waiting.getAsLong() / 1e9))
                    : this;
        }
    }
}
