package dev.kiln.explain.cause;

import dev.kiln.explain.budget.Budget.BlockedTime;
import dev.kiln.model.run.Finding.FindingRemedy;
import dev.kiln.model.run.Finding.RemedyPlace;
import dev.kiln.model.run.Sample.WaitKind;
import java.util.List;

/**
 * Sleeping is the cause that requests wait for a time that the code itself chose: a delay, a retry, a limit of a rate. A closed
 * loop cannot tell these apart: with so many requests in flight, one rate and one response time belong together, whichever
 * of the two the code has set. A limiter that is known by its name is {@link RateLimit}.
 */
final class Sleeping {
    static final CauseId ID =
            WaitCause.id("sleep", "requests wait for a time that the code itself chose: a sleep, or a limit of a rate");

    static final WaitCause CAUSE = new WaitCause(
            ID,
            Sleeping::is,
            List.of(new FindingRemedy(
                    "do not sleep on the thread of a request, or raise the limit of the rate",
                    "the frame above is where it sleeps",
                    "a change of the code; nothing that Kiln can try",
                    RemedyPlace.PLATFORM)));

    private Sleeping() {}

    private static boolean is(BlockedTime place) {
        return place.kind() == WaitKind.SLEEP;
    }
}
