package dev.kiln.explain.cause;

import dev.kiln.model.run.CodeFamily;
import dev.kiln.model.run.Finding.FindingRemedy;
import dev.kiln.model.run.Finding.RemedyPlace;
import java.util.List;
import java.util.Optional;

/**
 * LogFormatting is the cause that requests spend their CPU on lines of a log. A thread that waits for the log, for its lock or
 * for the file, does not run and is not counted here.
 */
final class LogFormatting {
    static final CauseId ID = FamilyCause.id("log-formatting", "requests spend their CPU on log lines");

    static final FamilyCause CAUSE = new FamilyCause(
            ID,
            CodeFamily.LOGGING,
            "made a line of the log",
            FamilyCause.Seen.A_PART,
            s -> Optional.empty(),
            List.of(new FindingRemedy(
                    "log less of each request",
                    "a higher level for the logger that the frame above calls; no class, method or line of the caller in the"
                            + " pattern, because each takes a stack trace",
                    "lines that are missed later",
                    RemedyPlace.LAUNCH_FLAG)));

    private LogFormatting() {}
}
