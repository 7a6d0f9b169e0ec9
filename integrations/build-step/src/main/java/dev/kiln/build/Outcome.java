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
    /** A Verdict is what an outcome means for a build. */
    public enum Verdict {
        PASSED,
        /** The runs were too few to decide: that is said, and fails no build. */
        UNDECIDED,
        FAILED
    }
}
