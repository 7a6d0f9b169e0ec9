package dev.kiln.compare;

import dev.kiln.model.Metric;
import dev.kiln.stats.AnalysisConfig;
import dev.kiln.stats.Conclusion;
import dev.kiln.stats.HodgesLehmann;
import dev.kiln.stats.RunsNeeded;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/**
 * A Comparison holds several configurations against the first one, the baseline, metric by metric.
 *
 * @param primary id of the metric that the conclusion is about
 * @param effect the change, as a share, that runs needed are given for
 * @param notes what a reader must know of all of it, most important first
 * @param confidence of the intervals but those that have one of their own: that of the constants, or higher where several
 *     comparisons are to hold together
 * @param config the constants that were set
 */
public record Comparison(
        Configuration baseline,
        List<Against> others,
        String primary,
        double effect,
        List<String> notes,
        double confidence,
        AnalysisConfig config) {
    public Comparison {
        others = List.copyOf(others);
        notes = List.copyOf(notes);
    }

    /** An Against is one configuration compared with the baseline, and why that is not fair, if it is not. */
    public record Against(Configuration other, List<MetricComparison> metrics, List<String> differences) {
        /** Tells whether nothing is concluded: two sessions, and nobody knows of any metric how much sessions differ. */
        public boolean twoSessions() {
            return metrics.stream().anyMatch(m -> m.verdict() == Conclusion.TWO_SESSIONS)
                    && metrics.stream()
                            .allMatch(m -> m.verdict() == Conclusion.TWO_SESSIONS
                                    || m.verdict() == Conclusion.NOT_ENOUGH_RUNS);
        }

        public Against {
            metrics = List.copyOf(metrics);
            differences = List.copyOf(differences);
        }
    }

    /**
     * A MetricComparison is one metric of two configurations, b compared with a.
     *
     * @param runsNeeded a side, to show a change of the size asked for with 80 % power by the tests that decide; empty where
     *     there is no ratio
     */
    public record MetricComparison(
            Quantity metric,
            ComparedSides sides,
            MetricChange change,
            ChangeTests tests,
            Conclusion verdict,
            Optional<RunsNeeded> runsNeeded,
            List<String> notes) {
        public MetricComparison {
            notes = List.copyOf(notes);
        }

        /** ComparedSides are the runs that were compared, those of one block with one another where paired. */
        public record ComparedSides(Side a, Side b, boolean paired) {}

        /**
         * A MetricChange is how far b lies from a.
         *
         * @param estimate with its interval lo to hi; the interval is empty where there are too few runs, or times are
         *     censored
         * @param bound which end of the interval is open
         * @param confidence of the interval: that of the analysis, or higher where several comparisons are counted
         */
        public record MetricChange(
                Form form,
                OptionalDouble estimate,
                OptionalDouble lo,
                OptionalDouble hi,
                Bound bound,
                double confidence) {}

        public enum Form {
            RATIO,
            DIFFERENCE
        }

        /**
         * ChangeTests are what speaks against a change by chance.
         *
         * @param p two-sided
         * @param pAdjusted for the number of comparisons: Holm on the primary metric, Benjamini and Hochberg on the others
         * @param crossCheck the exact test of the same difference; empty for two sessions
         * @param ranks Hodges and Lehmann's ratio and interval
         * @param tooFew why no figures could have shown a change; empty where some could
         */
        public record ChangeTests(
                OptionalDouble p,
                OptionalDouble pAdjusted,
                Optional<CrossCheck> crossCheck,
                Optional<HodgesLehmann> ranks,
                Optional<TooFew> tooFew) {
            private ChangeTests adjusted(double pForAll) {
                return new ChangeTests(p, OptionalDouble.of(pForAll), crossCheck, ranks, tooFew);
            }
        }

        /**
         * TooFew says that there are too few runs to show a change, whatever their figures are.
         *
         * @param needed the least number that can show one, with its unit: {@code 4 runs a side}; empty where the sides
         *     are of two sessions, which no number of runs makes one
         * @param note the same with its reason
         */
        public record TooFew(Optional<String> needed, String note) {}

        /** A Bound is what is left of the estimate and its interval where the figure of a side is a lower bound. */
        public enum Bound {
            NONE,
            /** The estimate and the interval's lower end hold; there is no upper end. */
            AT_LEAST,
            /** The estimate and the interval's upper end hold; there is no lower end. */
            AT_MOST,
            /** Both sides may be higher: nothing holds. */
            UNKNOWN
        }

        /** A Meaning is whether a change that was shown is good; NEITHER where none was, or nobody knows. */
        public enum Meaning {
            BETTER,
            WORSE,
            NEITHER
        }

        /**
         * A Side is the runs of one configuration.
         *
         * @param reached of these, for times; all of them for other metrics
         * @param centre geometric mean, of a difference the mean, of censored times the mean of min(T, horizon)
         * @param sd standard deviation of the runs; empty for one run, and for censored times
         * @param median empty if it lies beyond the horizon
         * @param horizon of a time, where runs are censored
         * @param atLeast the true figure may be higher
         */
        public record Side(
                int runs,
                int reached,
                OptionalDouble centre,
                OptionalDouble sd,
                OptionalDouble median,
                OptionalDouble horizon,
                boolean atLeast) {
            public boolean censored() {
                return reached < runs;
            }
        }

        /** A CrossCheck is the p of an exact test, with the test's name. */
        public record CrossCheck(String method, double p) {}

        /** Returns why there are too few runs, where that is so, and then the other notes. */
        public List<String> allNotes() {
            return Stream.concat(tests.tooFew().map(TooFew::note).stream(), notes.stream())
                    .toList();
        }

        public Meaning meaning() {
            boolean higher = verdict == Conclusion.HIGHER;
            if (!verdict.shown() || metric.better() == Metric.Better.UNKNOWN) {
                return Meaning.NEITHER;
            }
            return higher == (metric.better() == Metric.Better.HIGHER) ? Meaning.BETTER : Meaning.WORSE;
        }

        /** Returns this with the p of all comparisons; a difference whose p is not below alpha is none. */
        MetricComparison adjusted(double pForAll, double alpha, String method) {
            boolean falls = verdict.shown() && pForAll >= alpha;
            List<String> more = new ArrayList<>(notes);
            if (falls) {
                more.add("not shown once all comparisons are counted (" + method + ")");
            }
            return new MetricComparison(
                    metric,
                    sides,
                    change,
                    tests.adjusted(pForAll),
                    falls ? Conclusion.NO_DIFFERENCE_SHOWN : verdict,
                    runsNeeded,
                    more);
        }
    }
}
