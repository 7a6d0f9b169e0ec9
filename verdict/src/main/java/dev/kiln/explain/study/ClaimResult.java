package dev.kiln.explain.study;

import dev.kiln.model.experiment.Claim;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * A ClaimResult is a claim compared with the figures of an experiment.
 *
 * @param missing why it is not observable; empty where it is
 */
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

    /** A Ratio is the 95 % interval of a ratio, between runs. */
    public record Ratio(double lo, double hi) {}

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
