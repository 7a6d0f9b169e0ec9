package dev.kiln.doctor;

import dev.kiln.doctor.LiveDiagnosis.LiveState;

/**
 * A Readiness is what a readiness probe is told of a JVM: whether traffic may come. Each judgement changes it or leaves
 * it as it was.
 *
 * @param ready nothing is, before it was seen warm
 */
public record Readiness(boolean ready) {
    public static final Readiness NOT_YET = new Readiness(false);

    /**
     * Returns it after one more judgement.
     *
     * @param whole whether it is of a whole window: a quiet second after the first look proves nothing
     */
    public Readiness after(LiveState state, boolean whole) {
        return switch (state) {
            // A warm JVM that nobody asks for anything is still warm.
            case IDLE, UNKNOWN -> this;
            case WARM -> new Readiness(ready || whole);
            case WARMING, STARVED -> NOT_YET;
        };
    }
}
