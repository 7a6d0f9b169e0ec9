package dev.kiln.model.run;

import java.util.List;
import java.util.Optional;

/** A SearchStudy is what others read of {@code tune.json}, with the budget's seconds spent by then. */
public record SearchStudy(int schemaVersion, double spentSeconds, Optional<SearchTable> table) {
    public static final int SCHEMA_VERSION = 1;

    /**
     * A SearchTable is a search for a cure as a page shows it while it goes on. The search writes it anew at each step.
     *
     * @param goal id of what is to be improved
     * @param writtenEpochMillis wall clock when this was written
     * @param candidates in the order of the search; none before the baseline has run
     * @param verdict of the search in a sentence; empty while it goes on
     */
    public record SearchTable(
            String experiment,
            String baseline,
            String goal,
            double budgetSeconds,
            long writtenEpochMillis,
            List<SearchRow> candidates,
            Optional<String> verdict) {
        public SearchTable {
            candidates = List.copyOf(candidates);
        }

        /**
         * A SearchRow is what is known of a candidate.
         *
         * @param changes what it has and the baseline has not, in words
         * @param gains against the baseline of the same block, in the goal's unit; positive is better
         * @param why what became of it, in words
         */
        public record SearchRow(
                String name, List<String> changes, List<Double> gains, CandidateOutcome outcome, String why) {
            public SearchRow {
                changes = List.copyOf(changes);
                gains = List.copyOf(gains);
            }
        }

        /** The CandidateOutcome says what the search decided about a candidate. */
        public enum CandidateOutcome {
            /** The search may still try it, or ended without a decision. */
            OPEN,
            /** The search tries it no more. */
            OUT,
            /** Fresh runs proved it. */
            PROVEN
        }

        /** Returns the table with what is known now. */
        public SearchTable with(List<SearchRow> now, long epochMillis) {
            return new SearchTable(experiment, baseline, goal, budgetSeconds, epochMillis, now, verdict);
        }

        /** Returns the table of the search that has ended. */
        public SearchTable ended(String sentence) {
            return new SearchTable(
                    experiment, baseline, goal, budgetSeconds, writtenEpochMillis, candidates, Optional.of(sentence));
        }
    }
}
