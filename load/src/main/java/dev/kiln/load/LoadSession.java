package dev.kiln.load;

import dev.kiln.model.experiment.Protocol.Phase;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * A LoadSession is the load of one run. All methods but {@link #cancel} and {@link #finish} are called by one thread at a time.
 */
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

    /** Ends the load phase that is going on, as if its time were over. Any thread may call it. */
    void finish();

    /** Ends at once what is going on now and all that is asked of this session later. Any thread may call it. */
    void cancel();

    /** Closes the connections and the evidence files. */
    @Override
    void close();

    /**
     * A Tick is one second of a phase, for a live display.
     *
     * @param second of the phase, from 1; the last may be a partial one
     * @param requestsPerSecond completed
     * @param p99Nanos of the requests completed in it; 0 where that is not known
     * @param errors all kinds, as far as they are known
     */
    public record Tick(String phase, int second, double requestsPerSecond, long p99Nanos, long errors) {}

    /**
     * A WrongUrl recognises a service that is up and keeps refusing in a way that waiting does not change: the URL or the
     * certificate is wrong. It is for one thread.
     */
    final class WrongUrl {
        private static final long PATIENCE_NANOS = 10_000_000_000L;

        private OptionalLong since = OptionalLong.empty();

        /**
         * Adds the result of an attempt.
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

        /**
         * Answered says that the target is up.
         *
         * @param nanoTime when the response had been received, by {@link System#nanoTime}
         */
        record Answered(long nanoTime, long attempts) implements Probe {}

        /**
         * NoAnswer says that the target did not come up.
         *
         * @param last what came of the last attempt
         */
        record NoAnswer(AttemptResult last, long attempts) implements Probe {}
    }
}
