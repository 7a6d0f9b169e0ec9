package dev.kiln.stats;

import java.util.Optional;
import java.util.OptionalDouble;

/** A Conclusion is what a comparison shows when the interval and the exact test are read together. */
public enum Conclusion {
    HIGHER,
    LOWER,
    /** Neither the interval nor the exact test shows a difference; this is no proof of equality. */
    NO_DIFFERENCE_SHOWN,
    /** The interval and the exact test disagree. */
    INCONCLUSIVE,
    /** There are so few runs that the exact test could not reject whatever their figures were. */
    EXPLORATORY,
    /** A side has one run, so nothing shows how much runs differ. */
    NOT_ENOUGH_RUNS,
    /** The sides are of two sessions, and nobody knows how much sessions differ. */
    TWO_SESSIONS,
    /** A side is only known to be at least so much, and a higher value could turn the answer. */
    CANNOT_TELL;

    /**
     * Concludes from the interval's p and the exact test's p together.
     *
     * @param estimate above 0 if the second configuration is higher
     * @param exactP empty where there are too many rearrangements for an exact answer
     * @param smallestPossible p that the exact test gives at best
     */
    public static Conclusion of(
            double estimate, double modelP, OptionalDouble exactP, double smallestPossible, double alpha) {
        boolean model = modelP < alpha;
        boolean exact = exactP.isEmpty() ? model : exactP.getAsDouble() < alpha;
        if (smallestPossible >= alpha) {
            return EXPLORATORY;
        }
        if (model != exact) {
            return INCONCLUSIVE;
        }
        if (!model) {
            return NO_DIFFERENCE_SHOWN;
        }
        return estimate > 0 ? HIGHER : LOWER;
    }

    public boolean shown() {
        return this == HIGHER || this == LOWER;
    }

    /** Returns why there is no answer, if so; needed has the runs or pairs for one, with their unit. */
    public Optional<String> why(double smallestPossible, String needed) {
        return switch (this) {
            case EXPLORATORY ->
                Optional.of("exploratory: the smallest p that the exact test can give for so few is "
                        + Figures.number(smallestPossible) + "; at least " + needed + " can show a difference");
            case INCONCLUSIVE -> Optional.of("inconclusive: the interval and the exact test disagree");
            case HIGHER, LOWER, NO_DIFFERENCE_SHOWN, NOT_ENOUGH_RUNS, TWO_SESSIONS, CANNOT_TELL -> Optional.empty();
        };
    }
}
