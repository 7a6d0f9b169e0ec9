package dev.kiln.compare;

import dev.kiln.stats.HodgesLehmann;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/**
 * One metric of two configurations, b held against a.
 *
 * @param form what the estimate is
 * @param estimate with its interval lo to hi; the interval is empty where there are too few runs, or times are censored
 * @param p two-sided
 * @param pAdjusted for the number of comparisons: Holm on the primary metric, Benjamini and Hochberg on the others
 * @param crossCheck the exact test beside it
 * @param ranks Hodges and Lehmann's ratio and interval
 * @param paired runs of one block were compared with one another
 * @param runsNeeded a side, to show a change of the size asked for with 80 % power
 * @param notes what a reader must know
 */
public record MetricComparison(
        Metric metric,
        Side a,
        Side b,
        Form form,
        OptionalDouble estimate,
        OptionalDouble lo,
        OptionalDouble hi,
        OptionalDouble p,
        OptionalDouble pAdjusted,
        Optional<CrossCheck> crossCheck,
        Optional<HodgesLehmann> ranks,
        boolean paired,
        Verdict verdict,
        OptionalInt runsNeeded,
        List<String> notes) {
    public MetricComparison {
        notes = List.copyOf(notes);
    }

    public enum Form {
        RATIO,
        DIFFERENCE
    }

    public enum Verdict {
        HIGHER,
        LOWER,
        NO_DIFFERENCE_SHOWN,
        /** The interval and the exact test disagree. */
        INCONCLUSIVE,
        /** So few runs that the exact test could not reject whatever they were. */
        EXPLORATORY,
        /** Runs of one configuration are of different classes: no pooled time. */
        NOT_POOLED,
        /** A side has one run, so nothing says how much runs differ. */
        NOT_ENOUGH_RUNS
    }

    /** Where the verdict goes. */
    public enum Meaning {
        BETTER,
        WORSE,
        NEITHER
    }

    /**
     * One configuration's runs.
     *
     * @param reached of these, for times; all of them for other metrics
     * @param centre geometric mean, of a difference the mean, of censored times the mean of min(T, horizon)
     * @param median empty if it lies beyond the horizon
     * @param horizon of a time, where runs are censored
     */
    public record Side(int runs, int reached, OptionalDouble centre, OptionalDouble median, OptionalDouble horizon) {
        public boolean censored() {
            return reached < runs;
        }
    }

    /** An exact test, by name. */
    public record CrossCheck(String method, double p) {}

    public Meaning meaning() {
        boolean higher = verdict == Verdict.HIGHER;
        if ((!higher && verdict != Verdict.LOWER) || metric.better() == Metric.Better.UNKNOWN) {
            return Meaning.NEITHER;
        }
        return higher == (metric.better() == Metric.Better.HIGHER) ? Meaning.BETTER : Meaning.WORSE;
    }

    /** Counts stand instead of a time. */
    MetricComparison notPooled(String why) {
        return new MetricComparison(
                metric,
                a,
                b,
                form,
                OptionalDouble.empty(),
                OptionalDouble.empty(),
                OptionalDouble.empty(),
                OptionalDouble.empty(),
                OptionalDouble.empty(),
                Optional.empty(),
                Optional.empty(),
                paired,
                Verdict.NOT_POOLED,
                OptionalInt.empty(),
                List.of(why));
    }

    /** After many comparisons are counted: what does not hold is not shown. */
    MetricComparison adjusted(double pForAll, double alpha, String method) {
        boolean falls = (verdict == Verdict.HIGHER || verdict == Verdict.LOWER) && pForAll >= alpha;
        List<String> more = new ArrayList<>(notes);
        if (falls) {
            more.add("not shown once all comparisons are counted (" + method + ")");
        }
        return new MetricComparison(
                metric,
                a,
                b,
                form,
                estimate,
                lo,
                hi,
                p,
                OptionalDouble.of(pForAll),
                crossCheck,
                ranks,
                paired,
                falls ? Verdict.NO_DIFFERENCE_SHOWN : verdict,
                runsNeeded,
                more);
    }
}
