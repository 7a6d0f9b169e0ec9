package dev.kiln.explain.cause;

import static dev.kiln.explain.cause.CauseId.proof;

import dev.kiln.explain.window.WindowEvidence;
import dev.kiln.model.run.CodeFamily;
import dev.kiln.model.run.Finding.Effect;
import dev.kiln.model.run.Finding.FindingRemedy;
import dev.kiln.model.run.Finding.RemedyPlace;
import java.util.List;
import java.util.Optional;

/** Families are the causes that say what requests run, whatever it is compiled to. */
final class Families {
    /** Requests spend their CPU on looking up methods and fields, or on the way to call them. */
    static final FamilyCause REFLECTION = new FamilyCause(
            FamilyCause.id("reflection", "requests spend their CPU on reflection"),
            CodeFamily.REFLECTION,
            "looked up a member of a class, or prepared a reflective call or a method handle",
            FamilyCause.Seen.A_PART,
            s -> Optional.empty(),
            List.of(new FindingRemedy(
                    "look a member up once and keep it",
                    "the frame above looks most of them up; a MethodHandle in a static final field is compiled like a call",
                    "a change of code",
                    RemedyPlace.CODE)));

    /**
     * Requests spend their CPU on lines of a log. A thread that waits for the log, for its lock or for the file, does not run and
     * is not counted here.
     */
    static final FamilyCause LOG_FORMATTING = new FamilyCause(
            FamilyCause.id("log-formatting", "requests spend their CPU on log lines"),
            CodeFamily.LOGGING,
            "made a line of the log",
            FamilyCause.Seen.A_PART,
            s -> Optional.empty(),
            List.of(new FindingRemedy(
                    "log less of each request",
                    "a higher level for the logger that the frame above calls; no class, method or line of the caller in the"
                            + " pattern, because each takes a stack trace",
                    "lines that are missed later",
                    RemedyPlace.CODE)));

    static final List<CauseId> ALL = List.of(Exceptions.ID, REFLECTION.id(), LOG_FORMATTING.id(), ClassLoading.ID);

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
