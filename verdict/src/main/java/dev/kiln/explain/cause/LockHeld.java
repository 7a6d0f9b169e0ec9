package dev.kiln.explain.cause;

import dev.kiln.explain.budget.Budget.BlockedTime;
import dev.kiln.model.run.Finding.FindingRemedy;
import dev.kiln.model.run.Finding.RemedyPlace;
import dev.kiln.model.run.Sample.WaitKind;
import java.util.List;

/** LockHeld is the cause that requests wait for a lock that another thread holds. */
final class LockHeld {
    static final CauseId ID = WaitCause.id("lock", "requests wait for a lock");

    static final WaitCause CAUSE = new WaitCause(
            ID,
            LockHeld::is,
            List.of(new FindingRemedy(
                    "hold the lock for less of a request, or split it",
                    "the frame above is where they wait; its owner is named where it is known",
                    "a change of the code; nothing that Kiln can try",
                    RemedyPlace.PLATFORM)));

    private LockHeld() {}

    private static boolean is(BlockedTime place) {
        return place.kind() == WaitKind.MONITOR || (place.kind() == WaitKind.PARK && isLock(place.detail()));
    }

    /** Tells whether a blocker is one of the JDK's locks: a thread dump names its class. */
    private static boolean isLock(String blocker) {
        return blocker.contains("ReentrantLock")
                || blocker.contains("ReentrantReadWriteLock")
                || blocker.contains("StampedLock");
    }
}
