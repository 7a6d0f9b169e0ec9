package dev.kiln.explain.cause;

import dev.kiln.explain.budget.Budget.BlockedTime;
import dev.kiln.model.run.Finding.FindingRemedy;
import dev.kiln.model.run.Finding.RemedyPlace;
import dev.kiln.model.run.Sample.WaitKind;
import java.util.List;

/** SlowDisk is the cause that requests wait for a file: a read, a write, or a forced one. */
final class SlowDisk {
    static final CauseId ID = WaitCause.id("disk", "requests wait for a file");

    static final WaitCause CAUSE = new WaitCause(
            ID,
            SlowDisk::is,
            List.of(new FindingRemedy(
                    "write less, in batches, or on another thread; force to disk less often",
                    "the frame above is the writer or reader",
                    "what is not forced is lost in a crash",
                    RemedyPlace.PLATFORM)));

    private SlowDisk() {}

    private static boolean is(BlockedTime place) {
        return place.kind() == WaitKind.FILE;
    }
}
