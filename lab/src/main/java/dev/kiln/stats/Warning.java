package dev.kiln.stats;

/**
 * What a reader must know to read a result right; printed as a footnote.
 *
 * @param text a sentence without its full stop
 */
public record Warning(Code code, String text) {
    public enum Code {
        /** Bins were masked as dips. */
        DIPS_MASKED,
        /** Dips within the steady state. */
        DISTURBANCES,
        /** The tail is shorter than that of a warm-up phase. */
        SHORT_TAIL,
        /** Nothing was served in the tail, so there is no peak. */
        NO_THROUGHPUT,
        /** The run's own peak is below the reference. */
        PLATEAU_BELOW_REFERENCE,
        /** The reference comes from a phase that was not steady itself. */
        REFERENCE_IS_LOWER_BOUND,
        REFERENCE_WHILE_COMPILING,
        /** The reference comes from a phase whose throughput rose from its beginning to its end. */
        REFERENCE_WHILE_CLIMBING,
        /** More than the accepted share of bins is invalid, or one close to a reported time. */
        INVALID_BINS,
        /** Too few runs for the conclusion asked for. */
        TOO_FEW_RUNS,
        /** Times were cut off by the horizon. */
        CENSORED,
        /** The number of rearrangements is too large for an exact answer. */
        NOT_EXACT
    }
}
