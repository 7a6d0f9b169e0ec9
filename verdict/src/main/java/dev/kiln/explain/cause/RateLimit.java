package dev.kiln.explain.cause;

import dev.kiln.explain.budget.Budget.BlockedTime;
import dev.kiln.model.run.Finding.FindingRemedy;
import dev.kiln.model.run.Finding.RemedyPlace;
import dev.kiln.model.run.Sample.WaitKind;
import java.util.List;

/** RateLimit is the cause that a limiter of a rate makes requests wait for their turn. */
final class RateLimit {
    static final CauseId ID = WaitCause.id("rate-limit", "requests wait for a rate limit");

    static final WaitCause CAUSE = new WaitCause(
            ID,
            RateLimit::is,
            List.of(new FindingRemedy(
                    "raise the limit, or refuse what is over it in place of letting it wait",
                    "the frame above is the limiter",
                    "what the limit protects gets more at a time",
                    RemedyPlace.PLATFORM)));

    private RateLimit() {}

    private static boolean is(BlockedTime place) {
        return place.kind() == WaitKind.RATE_LIMIT;
    }
}
