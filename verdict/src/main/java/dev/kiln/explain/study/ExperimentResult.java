package dev.kiln.explain.study;

import dev.kiln.explain.VariantResult;
import dev.kiln.model.experiment.Claim;
import dev.kiln.model.experiment.Protocol;
import dev.kiln.model.run.RunInfo;
import dev.kiln.stats.AnalysisConfig;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SequencedMap;

/** An ExperimentResult is what an experiment's evidence says, and config every constant that was used. */
public record ExperimentResult(
        String name,
        Protocol protocol,
        List<VariantResult> variants,
        Answers answers,
        LaunchFacts facts,
        Optional<SweepResult> sweep,
        AnalysisConfig config) {
    /** Answers are what an experiment says in words: a sentence, footnotes by importance, and its claims. */
    public record Answers(String conclusion, List<String> footnotes, List<ClaimResult> claims) {}

    /**
     * LaunchFacts are how the runs were made.
     *
     * @param how the first run's facts: host, CPUs, load, launch
     * @param launches facts of one run of each variant, in the variants' order: the first whose JVM was seen, or the
     *     first
     */
    public record LaunchFacts(Optional<RunInfo> how, SequencedMap<String, RunInfo> launches) {
        public LaunchFacts {
            launches = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(launches));
        }
    }

    public String conclusion() {
        return answers.conclusion;
    }

    public List<String> footnotes() {
        return answers.footnotes;
    }

    public List<ClaimResult> claims() {
        return answers.claims;
    }

    public Optional<RunInfo> how() {
        return facts.how;
    }

    public SequencedMap<String, RunInfo> launches() {
        return facts.launches;
    }

    /** A ClaimResult is a claim held against the figures; missing says why it is not observable. */
    public record ClaimResult(Claim claim, State state, List<CheckResult> checks, List<String> missing) {
        public ClaimResult {
            checks = List.copyOf(checks);
            missing = List.copyOf(missing);
        }

        /** A State is what the figures say to a claim. */
        public enum State {
            AGREES("agrees"),
            DISAGREES("does not agree"),
            /** An open claim is called not-observable in a result file. */
            OPEN("open");

            private final String text;

            State(String text) {
                this.text = text;
            }

            public String text() {
                return text;
            }
        }

        /** A Ratio is the interval of a ratio, between runs: 95 %, or more where its width chose how many there are. */
        public record Ratio(double lo, double hi, double confidence) {}

        /**
         * A CheckResult is one check with its figures.
         *
         * @param left empty where it could not be read; infinite for a time that was never reached
         * @param runs of the side that has fewer
         * @param open the runs do not decide, or a side is a lower bound only, and the truth above it could turn the answer
         * @param ratio of the left side to the right one; empty where too few runs have both
         */
        public record CheckResult(
                Claim.Check check,
                OptionalDouble left,
                OptionalDouble right,
                int runs,
                boolean open,
                Optional<Ratio> ratio) {
            /** Tells whether both sides are known; without them the check cannot hold. */
            public boolean observable() {
                return left.isPresent() && right.isPresent();
            }

            public boolean holds() {
                return observable() && check.op().holds(left.getAsDouble(), right.getAsDouble());
            }
        }
    }
}
