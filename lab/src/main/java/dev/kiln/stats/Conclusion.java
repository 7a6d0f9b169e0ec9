package dev.kiln.stats;

import java.util.List;
import java.util.OptionalDouble;

/** What a comparison shows when the model's test and the exact one are read together. */
public enum Conclusion {
    HIGHER,
    LOWER,
    /** Neither test rejects; it is no proof of equality. */
    NO_DIFFERENCE_SHOWN,
    /** The tests disagree. */
    INCONCLUSIVE,
    /** So few runs that the exact test could not reject whatever they were. */
    EXPLORATORY;

    /**
     * Both tests together.
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

    List<Warning> warnings(int runsNeeded) {
        return switch (this) {
            case EXPLORATORY ->
                List.of(new Warning(
                        Warning.Code.TOO_FEW_RUNS,
                        "exploratory: so few runs cannot show a difference, at least " + runsNeeded + " a side can"));
            case INCONCLUSIVE ->
                List.of(new Warning(
                        Warning.Code.METHODS_DISAGREE,
                        "inconclusive: the interval on logarithms and the exact test disagree"));
            case HIGHER, LOWER, NO_DIFFERENCE_SHOWN -> List.of();
        };
    }
}
