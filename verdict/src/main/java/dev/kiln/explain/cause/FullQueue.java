package dev.kiln.explain.cause;

import dev.kiln.explain.budget.Budget.BlockedTime;
import dev.kiln.model.run.Finding.FindingRemedy;
import dev.kiln.model.run.Finding.RemedyPlace;
import dev.kiln.model.run.Sample.WaitKind;
import java.util.List;

/** FullQueue is the cause that requests wait in front of a queue: for a worker of an executor that has too few, or for room. */
final class FullQueue {
    static final CauseId ID = WaitCause.id("queue", "requests wait in a queue");

    static final WaitCause CAUSE = new WaitCause(
            ID,
            FullQueue::is,
            List.of(new FindingRemedy(
                    "give that executor more threads, or do the work on the thread of the request",
                    "the size of the executor that is named above, or that takes from the queue",
                    "threads; what its tasks use gets more at a time",
                    RemedyPlace.PLATFORM)));

    private FullQueue() {}

    private static boolean is(BlockedTime place) {
        return place.kind() == WaitKind.FULL_QUEUE || place.behind().isPresent();
    }
}
