package dev.kiln.runner;

import dev.kiln.host.process.LogTail;
import dev.kiln.model.Secrets;
import dev.kiln.model.run.Course.Outcome;
import dev.kiln.remote.AgentLost;
import java.nio.file.Path;
import java.util.function.Supplier;

/** A RunFailure says that one run has failed; the experiment goes on with the next. */
final class RunFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private static final int TOLD_LINES = 15;

    private final Outcome outcome;
    private final String said;

    /** Makes a failure with what the failed process said last, if it said anything. */
    RunFailure(Outcome outcome, String message, String said) {
        super(message);
        this.outcome = outcome;
        this.said = said;
    }

    /** Makes a failure with what the target said last, at the end of its log. */
    RunFailure(Outcome outcome, String message, Path log) {
        this(outcome, message, LogTail.lastLines(log, TOLD_LINES));
    }

    /** Asks an agent. One that is lost meanwhile ends this run alone, as one that is lost later does. */
    static <T> T asking(Supplier<T> question) {
        try {
            return question.get();
        } catch (AgentLost lost) {
            throw new RunFailure(Outcome.LAB_FAILED, String.valueOf(lost.getMessage()), lost.remedy());
        }
    }

    Outcome outcome() {
        return outcome;
    }

    String said() {
        return said;
    }

    /** Returns a message, and below it what somebody said, without the secrets in both: it goes to a job's log. */
    static String with(String message, String said) {
        return Secrets.HIDDEN.text(said.isBlank() ? message : message + "\n  " + said.replace("\n", "\n  "));
    }
}
