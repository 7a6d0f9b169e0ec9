package dev.kiln.stats;

import java.util.OptionalInt;

/** A RunsNeeded says how many runs a side answer a question, or that no number does. */
public sealed interface RunsNeeded {
    /** @param aSide at least 2 */
    record Runs(int aSide) implements RunsNeeded {}

    /** No number of runs answers the question. */
    record NoNumber(Why why) implements RunsNeeded {}

    /** A Why is the reason for which no number of runs answers. */
    enum Why {
        /** The figure is known to a bin or a unit only, and the question is finer. */
        RESOLUTION,
        /** Sessions differ by more than the question, and runs of a session have that in common. */
        SESSIONS,
        /** Nobody knows how much sessions differ. */
        SESSIONS_UNKNOWN,
        /** The answer would take more than {@link Power#MOST_RUNS} runs a side. */
        TOO_MANY
    }

    /** Returns the runs a side; empty where no number answers. */
    default OptionalInt number() {
        return this instanceof Runs runs ? OptionalInt.of(runs.aSide()) : OptionalInt.empty();
    }

    /** Returns the same answer, with {@code why} in place of TOO_MANY: the reason for which so many would be needed. */
    default RunsNeeded tooManyFor(Why why) {
        return equals(new NoNumber(Why.TOO_MANY)) ? new NoNumber(why) : this;
    }

    /** Returns the answer in words behind "; "; purpose is as in "shows a change of 5 %", bin has its unit. */
    default String words(String purpose, String bin) {
        return switch (this) {
            case Runs runs -> runs.aSide() + " runs a side " + purpose;
            case NoNumber no ->
                "no number of runs " + purpose + ": "
                        + switch (no.why()) {
                            case RESOLUTION -> "each figure is known to " + bin;
                            case SESSIONS -> "sessions differ by too much for that, and runs do not change it";
                            case SESSIONS_UNKNOWN -> "how much sessions differ is not known";
                            case TOO_MANY -> "it would take more than " + Figures.number(Power.MOST_RUNS) + " a side";
                        };
        };
    }
}
