package dev.kiln.load;

import dev.kiln.model.experiment.Protocol.Phase;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** The load of one run. All methods but {@link #cancel} and {@link #finish} are called by one thread at a time. */
public interface LoadSession extends AutoCloseable {
    /**
     * Sends the first call over new connections, every few ms, until it is answered with success. A request without an
     * answer stays open, and others follow beside it: a service may do much of its start in its first response. Gives up
     * early on a service that only refuses ({@link WrongUrl}).
     *
     * @param stillAlive asked every few ms; when it says no, waiting ends and the session is cancelled
     */
    Probe awaitFirstResponse(Duration timeout, BooleanSupplier stillAlive);

    /**
     * Sends load for the phase's duration.
     *
     * @param live called once a second, on the calling thread
     */
    PhaseResult load(Phase.Load phase, Consumer<Tick> live);

    /** Sends nothing for the phase's duration; connections stay open. */
    void pause(Phase.Pause phase);

    /** From any thread: ends the load phase that is going on, as if its time were over. */
    void finish();

    /** From any thread: ends what is going on now, and all that is asked of this session later, at once. */
    void cancel();

    /** Closes the connections and the evidence files. */
    @Override
    void close();

    /**
     * One second of a phase, for a live display.
     *
     * @param second of the phase, from 1; the last may be a partial one
     * @param requestsPerSecond completed
     * @param p99Nanos of the requests completed in it; 0 where that is not known
     * @param errors all kinds, as far as they are known
     */
    public record Tick(String phase, int second, double requestsPerSecond, long p99Nanos, long errors) {}

    /** A service that is up and for some time answers what no waiting will change: the URL or the certificate is wrong. Not for use by several threads. */
    final class WrongUrl {
        private static final long PATIENCE_NANOS = 10_000_000_000L;

        private OptionalLong since = OptionalLong.empty();

        /**
         * Takes what came of an attempt.
         *
         * @return whether all attempts were refused for so long that no other answer will come
         */
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

    /** How waiting for the first successful response ended. */
    public sealed interface Probe {
        /** From the end of an attempt to the next. */
        long BETWEEN_ATTEMPTS_NANOS = 3_000_000;

        /** After so long without an answer, another attempt follows beside the one that waits. */
        long BESIDE_NANOS = 5_000_000_000L;

        /** Attempts that wait at a time. */
        int MOST_OPEN = 8;

        /** New connections tried. */
        long attempts();

        /**
         * The target is up.
         *
         * @param nanoTime when the response had been received, by {@link System#nanoTime}
         */
        record Answered(long nanoTime, long attempts) implements Probe {}

        /**
         * It is not.
         *
         * @param last what came of the last attempt
         */
        record Unanswered(AttemptResult last, long attempts) implements Probe {}
    }
}
