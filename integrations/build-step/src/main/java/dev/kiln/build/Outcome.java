package dev.kiln.build;

import java.nio.file.Path;
import java.util.Optional;

/**
 * An Outcome is how a {@link GateStep} ended.
 *
 * @param exitCode of Kiln, as its reference has them
 * @param report the page of the experiment; empty if none was written
 * @param message the command with its exit code, what Kiln said last, and where the report is
 */
public record Outcome(Verdict verdict, int exitCode, Optional<Path> report, String message) {
    private static final String NOT_DECIDED = "The gate is undecided: there is not enough data. It takes more runs.\n";

    /** A Verdict is what an outcome means for a build. */
    public enum Verdict {
        PASSED,
        /** The runs were too few to decide: that is said, and fails a build only if it is asked to. */
        UNDECIDED,
        FAILED
    }

    /** Returns the message; one that is undecided begins with that. */
    public String told() {
        return (verdict == Verdict.UNDECIDED ? NOT_DECIDED : "") + message;
    }
}
