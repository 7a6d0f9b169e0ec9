package dev.kiln.explain.cause;

import dev.kiln.explain.budget.Budget.BlockedTime;
import dev.kiln.model.run.Finding.FindingRemedy;
import dev.kiln.model.run.Finding.RemedyPlace;
import dev.kiln.model.run.Sample.WaitKind;
import java.util.List;

/** WaitsForTask is the cause that requests wait for the work of another thread: a future, a latch, a task of an executor. */
final class WaitsForTask {
    static final CauseId ID = WaitCause.id("waits-for-task", "requests wait for a task of another thread");

    static final WaitCause CAUSE = new WaitCause(
            ID,
            WaitsForTask::is,
            List.of(new FindingRemedy(
                    "give that executor more threads, or do the work on the thread of the request",
                    "the size of the executor behind the frame above",
                    "threads; or a request that cannot overlap its parts",
                    RemedyPlace.PLATFORM)));

    private WaitsForTask() {}

    private static boolean is(BlockedTime place) {
        return (place.kind() == WaitKind.TASK || place.kind() == WaitKind.PARK)
                && !FullQueue.CAUSE.is().test(place)
                && !LockHeld.CAUSE.is().test(place)
                && !PoolExhausted.CAUSE.is().test(place);
    }
}
