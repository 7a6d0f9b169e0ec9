package dev.kiln.explain.cause;

import static dev.kiln.explain.cause.CauseId.proof;

import dev.kiln.explain.window.WindowEvidence;
import dev.kiln.model.run.Finding.Effect;
import java.util.List;

/** Families are the causes that say what requests run, whatever it is compiled to. */
final class Families {
    static final List<CauseId> ALL = List.of(Exceptions.ID, Reflection.ID, LogFormatting.ID, ClassLoading.ID);

    private Families() {}

    /**
     * Lets the crowd of runnable threads give way where requests are known to cost more CPU than at the peak, and for what: more
     * CPU for each request is what makes more threads wait. A crowd that takes from C2 stays one.
     */
    static void named(WindowEvidence s, Findings judged) {
        if (!judged.confirmed(TooManyRunnable.ID) || TooManyRunnable.takesFromC2(s, judged)) {
            return;
        }
        ALL.stream()
                .filter(judged::confirmed)
                .filter(id -> judged.of(id).explains().contains(Effect.BELOW_PEAK))
                .findFirst()
                .ifPresent(known -> judged.replace(
                        TooManyRunnable.ID,
                        TooManyRunnable.ID.ruledOut(proof("more threads wait because requests take more CPU: "
                                + judged.of(known).title()))));
    }
}
