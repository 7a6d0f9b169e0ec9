package dev.kiln.explain.cause;

import dev.kiln.explain.budget.Budget.BlockedTime;
import dev.kiln.model.run.Finding.FindingRemedy;
import dev.kiln.model.run.Finding.RemedyPlace;
import dev.kiln.model.run.Sample.WaitKind;
import java.util.List;

/** ClassInit is the cause that requests wait until another thread has initialised a class. */
final class ClassInit {
    static final CauseId ID = WaitCause.id("class-initialisation", "requests wait for the initialisation of a class");

    static final WaitCause CAUSE = new WaitCause(
            ID,
            ClassInit::is,
            List.of(new FindingRemedy(
                    "initialise the class at the start, or do less in its initialiser",
                    "the frame above needs the class",
                    "a longer start",
                    RemedyPlace.PLATFORM)));

    private ClassInit() {}

    private static boolean is(BlockedTime place) {
        return place.kind() == WaitKind.CLASS_INIT;
    }
}
