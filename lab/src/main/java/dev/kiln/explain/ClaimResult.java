package dev.kiln.explain;

import dev.kiln.model.Claim;
import java.util.List;
import java.util.OptionalDouble;

/**
 * A claim held against the figures of an experiment.
 *
 * @param missing why it is not observable; empty where it is
 */
public record ClaimResult(Claim claim, State state, List<CheckResult> checks, List<String> missing) {
    public ClaimResult {
        checks = List.copyOf(checks);
        missing = List.copyOf(missing);
    }

    /** What the figures say to a claim. */
    public enum State {
        AGREES("agrees"),
        DISAGREES("does not agree"),
        NOT_OBSERVABLE("not observable");

        private final String text;

        State(String text) {
            this.text = text;
        }

        public String text() {
            return text;
        }
    }

    /**
     * One check with its figures.
     *
     * @param left empty where it could not be read; infinite for a time that was never reached
     * @param runs of the side that has fewer
     * @param open the runs do not decide, or a side is a lower bound only, and the truth above it could turn the answer
     */
    public record CheckResult(Claim.Check check, OptionalDouble left, OptionalDouble right, int runs, boolean open) {
        /** Whether both sides are known. */
        public boolean observable() {
            return left.isPresent() && right.isPresent();
        }

        public boolean holds() {
            return observable() && check.op().holds(left.getAsDouble(), right.getAsDouble());
        }
    }
}
