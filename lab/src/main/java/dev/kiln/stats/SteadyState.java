package dev.kiln.stats;

import java.util.OptionalDouble;

/**
 * Whether and from when a series is steady, and its class.
 *
 * @param start first bin of the suffix of segments at the tail's level; the length of the series if there is none
 */
record SteadyState(
        boolean steady,
        int start,
        OptionalDouble startSeconds,
        SteadyClass steadyClass,
        SubLabel subLabel,
        int reversals) {
    static SteadyState of(int bins, Segments segments, Tail tail, AnalysisConfig config) {
        int suffix = segments.suffixWithin(tail.level(), config.delta());
        int start = segments.start(suffix);
        Trend trend = tail.trend().trend();
        boolean steady = bins - start >= tail.bins() && trend == Trend.LEVEL;
        int reversals = segments.reversals(config.delta());
        SteadyClass steadyClass = SteadyClass.WARMUP;
        if (!steady) {
            steadyClass = SteadyClass.NO_STEADY_STATE;
        } else if (start == 0) {
            steadyClass = SteadyClass.FLAT;
        } else if (segments.anyAbove((1 + config.delta()) * tail.level(), suffix)) {
            steadyClass = SteadyClass.SLOWDOWN;
        }
        OptionalDouble seconds = steady ? OptionalDouble.of(start * config.binSeconds()) : OptionalDouble.empty();
        boolean oscillating = !steady && reversals >= config.oscillationReversals();
        return new SteadyState(steady, start, seconds, steadyClass, subLabel(trend, oscillating), reversals);
    }

    /** A tail that goes somewhere says more than turns that may lie far back. */
    private static SubLabel subLabel(Trend trend, boolean oscillating) {
        return switch (trend) {
            case CLIMBING -> SubLabel.CLIMBING;
            case DECLINING -> SubLabel.DECLINING;
            case LEVEL -> oscillating ? SubLabel.OSCILLATING : SubLabel.LEVEL;
        };
    }
}
