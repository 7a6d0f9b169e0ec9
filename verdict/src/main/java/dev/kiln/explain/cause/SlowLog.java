package dev.kiln.explain.cause;

import dev.kiln.explain.budget.Budget.BlockedTime;
import dev.kiln.model.run.Finding.FindingRemedy;
import dev.kiln.model.run.Finding.RemedyPlace;
import dev.kiln.model.run.Sample.WaitKind;
import java.util.List;

/** SlowLog is the cause that requests wait until a line is written to the log, or for others that write one. */
final class SlowLog {
    static final CauseId ID = WaitCause.id("logging", "requests wait for the log");

    static final WaitCause CAUSE = new WaitCause(
            ID,
            SlowLog::is,
            List.of(new FindingRemedy(
                    "log less for each request, or write lines on a thread of the logger",
                    "Logback: AsyncAppender; Log4j: AsyncLogger; Quarkus: quarkus.log.file.async; the frame above is the logger, or what it writes to",
                    "lines that are not written yet are lost in a crash; a queue that is full blocks again, or drops lines",
                    RemedyPlace.PLATFORM)));

    private SlowLog() {}

    private static boolean is(BlockedTime place) {
        return place.kind() == WaitKind.LOGGING;
    }
}
