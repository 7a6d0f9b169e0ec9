package dev.kiln.explain.cause;

import dev.kiln.model.run.CodeFamily;
import dev.kiln.model.run.Finding.FindingRemedy;
import dev.kiln.model.run.Finding.RemedyPlace;
import java.util.List;
import java.util.Optional;

/** Reflection is the cause that requests spend their CPU on looking up methods and fields, or on the way to call them. */
final class Reflection {
    static final CauseId ID = FamilyCause.id("reflection", "requests spend their CPU on reflection");

    static final FamilyCause CAUSE = new FamilyCause(
            ID,
            CodeFamily.REFLECTION,
            "looked up a member of a class, or prepared a reflective call",
            FamilyCause.Seen.A_PART,
            s -> Optional.empty(),
            List.of(new FindingRemedy(
                    "look a member up once and keep it",
                    "the frame above looks most of them up; a MethodHandle in a static final field is compiled like a call",
                    "a change of code",
                    RemedyPlace.LAUNCH_FLAG)));

    private Reflection() {}
}
