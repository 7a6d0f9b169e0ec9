package dev.kiln.model.run;

import java.util.List;
import java.util.Optional;

/** A Verdict says whether a run reached its peak. Kiln gives a verdict only if an interval supports it. */
public sealed interface Verdict {
    /**
     * The end is at 95 % of the peak or above, its interval above 90 %, and C2 was not starved then.
     *
     * @param atLeast share of the peak that the interval lies above: 0.9, unless another was set
     */
    record Peaked(boolean byThroughputAlone, PeakCode code, double atLeast) implements Verdict {
        private static final double USUAL = 0.9;

        /** Makes a peak of the usual constants. */
        public Peaked(boolean byThroughputAlone, PeakCode code) {
            this(byThroughputAlone, code, USUAL);
        }

        /** Makes a peak that no flag keeps low. */
        public Peaked(boolean byThroughputAlone) {
            this(byThroughputAlone, PeakCode.ANY);
        }
    }

    /**
     * The end is that of a peak, in a process that had run before Kiln attached to it: so how long it took from its start
     * to its peak is not known.
     *
     * @param ran how long it had run before, in words
     * @param way how its throughput came to the peak, in words
     */
    record AtPeak(Peaked peaked, String ran, String way) implements Verdict {}

    /** A PeakCode says what code the JVM's flags leave to a peak: it is lower than it could be without C2. */
    enum PeakCode {
        ANY("compiled code"),
        C1("C1 code"),
        INTERPRETED("interpreted code");

        private final String text;

        PeakCode(String text) {
            this.text = text;
        }

        public String text() {
            return text;
        }
    }

    /** Throughput was level below 95 % of the peak; the figures that show it are the reasons. */
    record FalsePlateau(List<String> reasons) implements Verdict {
        public FalsePlateau {
            reasons = List.copyOf(reasons);
        }
    }

    /** Throughput was below 95 % of the peak and rising at the end, which is told in words. */
    record StillClimbing(String ended) implements Verdict {}

    /** Throughput was below 95 % of the peak; whether it was level or rising is not known. */
    record BelowPeak(String ended) implements Verdict {}

    /** A level held for 20 s was higher than what came later, which may be the load after the pause alone. */
    record Slowing(boolean afterPause) implements Verdict {
        /** Returns what the series showed, in half a sentence. */
        public String seen() {
            return afterPause ? "the load after the pause served less" : "it served more before";
        }
    }

    /** Throughput goes back and forth between two levels in requests per second. */
    record Cycling(double high, double low, double periodSeconds) implements Verdict {}

    /** The rate was served at the end, so no peak is seen; offered and what would decide are in words. */
    record Served(String offered, String decide) implements Verdict {}

    /** @param atSeconds from the first request on; after it next to nothing was served */
    record StoppedServing(double atSeconds) implements Verdict {}

    record Invalid(List<String> reasons) implements Verdict {
        public Invalid {
            reasons = List.copyOf(reasons);
        }
    }

    /** No interval supports any other verdict; what is known and what would decide are in words. */
    record CannotTell(String known, String decide) implements Verdict {}

    /** Returns what is known of the end that was at the peak; empty for any other verdict. */
    default Optional<Peaked> end() {
        return switch (this) {
            case Peaked peaked -> Optional.of(peaked);
            case AtPeak at -> Optional.of(at.peaked());
            case FalsePlateau plateau -> Optional.empty();
            case StillClimbing climbing -> Optional.empty();
            case BelowPeak below -> Optional.empty();
            case Slowing slowing -> Optional.empty();
            case Cycling cycling -> Optional.empty();
            case StoppedServing stopped -> Optional.empty();
            case Served served -> Optional.empty();
            case Invalid invalid -> Optional.empty();
            case CannotTell cannot -> Optional.empty();
        };
    }

    /** Returns the verdict as it stands in reports and in JSON. */
    default String text() {
        return switch (this) {
            case Peaked peaked -> "peaked";
            case AtPeak at -> "at peak";
            case FalsePlateau plateau -> "false plateau";
            case StillClimbing climbing -> "still climbing";
            case BelowPeak below -> "below peak";
            case Slowing slowing -> "slowing";
            case Cycling cycling -> "cycling";
            case StoppedServing stopped -> "stopped";
            case Served served -> "served";
            case Invalid invalid -> "invalid";
            case CannotTell cannot -> "cannot tell";
        };
    }
}
