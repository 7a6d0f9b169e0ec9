package dev.kiln.model;

import java.util.List;

/** What a run comes to, once the curve is joined with the JIT's own evidence. */
public sealed interface Verdict {
    /**
     * Steady, not below the reference, compilers quiet.
     *
     * @param byThroughputAlone without evidence of the compilers
     */
    record Peaked(boolean byThroughputAlone) implements Verdict {}

    /** Steady, but held down: each reason says by what it is known. */
    record FalsePlateau(List<String> reasons) implements Verdict {}

    record StillClimbing() implements Verdict {}

    record Unstable() implements Verdict {}

    record Slowing() implements Verdict {}

    record Invalid(List<String> reasons) implements Verdict {}

    /** @param missing what, and how much of it */
    record NotEnoughData(String missing) implements Verdict {}

    /** As it stands in reports and in JSON. */
    default String text() {
        return switch (this) {
            case Peaked peaked -> "peaked";
            case FalsePlateau plateau -> "false plateau";
            case StillClimbing climbing -> "still climbing";
            case Unstable unstable -> "unstable";
            case Slowing slowing -> "slowing";
            case Invalid invalid -> "invalid";
            case NotEnoughData few -> "not enough data";
        };
    }
}
