package dev.kiln.explain.cause;

import dev.kiln.explain.budget.Budget.BlockedTime;
import dev.kiln.model.run.Finding.FindingRemedy;
import dev.kiln.model.run.Finding.RemedyPlace;
import dev.kiln.model.run.Sample.WaitKind;
import java.util.List;

/** PoolExhausted is the cause that requests wait for one of a few: a connection, a permit, or a member that a queue holds. */
final class PoolExhausted {
    static final CauseId ID = WaitCause.id("pool", "requests wait for a pool or a permit");

    static final WaitCause CAUSE = new WaitCause(
            ID,
            PoolExhausted::is,
            List.of(new FindingRemedy(
                    "make the pool larger, or hold its members for less of a request",
                    "the size of the pool that the frame above borrows from",
                    "what the pool protects gets more at a time",
                    RemedyPlace.PLATFORM)));

    private PoolExhausted() {}

    private static boolean is(BlockedTime place) {
        return place.kind() == WaitKind.QUEUE
                || place.kind() == WaitKind.CONDITION
                || (place.kind() == WaitKind.PARK && place.detail().contains("Semaphore"));
    }
}
