package dev.kiln.load;

/** How waiting for the first successful response ended. */
public sealed interface Probe {
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
     * @param lastSeen what came of the last attempt, in words: "connection refused", "status 503", "no answer within 5 s"
     */
    record Unanswered(String lastSeen, long attempts) implements Probe {}
}
