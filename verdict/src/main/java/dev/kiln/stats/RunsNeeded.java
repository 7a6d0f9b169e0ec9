package dev.kiln.stats;

import java.util.OptionalInt;

/** How many runs a side answer a question, or that no number does. */
public sealed interface RunsNeeded {
    /** @param aSide at least 2 */
    record Runs(int aSide) implements RunsNeeded {}

    /** More runs do not help. */
    record NoNumber(Why why) implements RunsNeeded {}

    /** Why no number of runs answers. */
    enum Why {
        /** What is measured is known to a bin only, and the question is finer. */
        RESOLUTION,
        /** Sessions differ by more than the question, and runs of a session have that in common. */
        SESSIONS,
        /** Nobody knows how much sessions differ. */
        SESSIONS_UNKNOWN,
        /** It would take more than {@link Power#MOST_RUNS}. */
        TOO_MANY
    }

    /** Runs a side; empty where no number answers. */
    default OptionalInt number() {
        return this instanceof Runs runs ? OptionalInt.of(runs.aSide()) : OptionalInt.empty();
    }

    /** The same, where too many would be needed for the reason {@code why}. */
    default RunsNeeded tooManyFor(Why why) {
        return equals(new NoNumber(Why.TOO_MANY)) ? new NoNumber(why) : this;
    }

    /**
     * In words, so that it can follow "; ".
     *
     * @param purpose what the runs are for, as in "shows a change of 5 %"
     * @param bin that what is measured is known to, with its unit
     */
    default String words(String purpose, String bin) {
        return switch (this) {
            case Runs runs -> runs.aSide() + " runs a side " + purpose;
            case NoNumber no ->
                "no number of runs " + purpose + ": "
                        + switch (no.why()) {
                            case RESOLUTION -> "times are known to " + bin;
                            case SESSIONS -> "sessions differ by too much for that, and runs do not change it";
                            case SESSIONS_UNKNOWN -> "how much sessions differ is not known";
                            case TOO_MANY -> "it would take more than " + Figures.number(Power.MOST_RUNS) + " a side";
                        };
        };
    }
}
