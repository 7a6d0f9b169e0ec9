package dev.kiln.explain.cause;

import dev.kiln.explain.budget.Budget.BlockedTime;
import dev.kiln.model.run.Finding.FindingRemedy;
import dev.kiln.model.run.Finding.RemedyPlace;
import dev.kiln.model.run.Sample.WaitKind;
import java.util.List;

/** PinnedCarrier is the cause that virtual threads keep their carriers while they are blocked. */
final class PinnedCarrier {
    static final CauseId ID = WaitCause.id("pinned", "virtual threads keep their carriers while they wait");

    static final WaitCause CAUSE = new WaitCause(
            ID,
            PinnedCarrier::is,
            List.of(new FindingRemedy(
                    "let nothing block in a static initialiser, below native code, or before JDK 24 in synchronized"
                            + " (java.util.concurrent locks do not keep the carrier)",
                    "-Djdk.virtualThreadScheduler.parallelism=N gives more carriers meanwhile",
                    "a change of the code, or another JDK",
                    RemedyPlace.PLATFORM)));

    private PinnedCarrier() {}

    private static boolean is(BlockedTime place) {
        return place.kind() == WaitKind.PINNED;
    }
}
