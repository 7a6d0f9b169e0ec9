package dev.kiln.runner;

import dev.kiln.model.RunInfo.Outcome;

/** One run has failed; the experiment goes on with the next. */
final class RunFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final Outcome outcome;
    private final String said;

    /**
     * @param message what happened
     * @param said what the failed process said last; may be empty
     */
    RunFailure(Outcome outcome, String message, String said) {
        super(message);
        this.outcome = outcome;
        this.said = said;
    }

    Outcome outcome() {
        return outcome;
    }

    String said() {
        return said;
    }
}
