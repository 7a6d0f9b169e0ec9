package dev.kiln.explain.cause;

import dev.kiln.explain.budget.Budget.BudgetPart;
import dev.kiln.model.run.Finding;
import dev.kiln.model.run.Finding.Curve;
import dev.kiln.model.run.Finding.Effect;
import dev.kiln.model.run.Finding.FindingRemedy;
import dev.kiln.model.run.Finding.FindingState;
import dev.kiln.model.run.Finding.Moment;
import dev.kiln.model.run.Finding.Proof;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A CauseId is what a cause is called, and what it can do. It stands with the cause; others ask for its role, not for
 * its name.
 *
 * @param id stable, for scripts
 * @param seenIn the curve in which its moments are seen
 * @param can what it can have caused once it is confirmed
 * @param roles what it means for verdicts beyond that
 * @param takes the parts of a request's time that it makes longer; none where that is not known
 */
public record CauseId(String id, String title, Curve seenIn, Set<Effect> can, Set<Role> roles, Set<BudgetPart> takes) {
    /** What is there in the reference as well explains nothing of a difference to it. */
    public static final Set<Effect> NONE = Set.of();

    public static final Set<Effect> LEVEL = Set.of(Effect.BELOW_PEAK);
    public static final Set<Effect> ANY = Set.of(Effect.values());

    /** A Role is what a confirmed cause means for the process as a whole. */
    public enum Role {
        /** This cause is a limit that makes every thread wait: favoured compilers gain nothing. */
        LIMITS_CPU,
        /** This cause leaves C2 with work and without the CPU for it. */
        STARVES_C2,
        /** This cause makes methods wait for C2. */
        QUEUES_FOR_C2,
        /** This cause quiets the compilers because they had to give up, not because they are done. */
        STOPS_COMPILERS,
        /** This cause can be judged only where the load is known. The load of a live process is not. */
        NEEDS_LOAD
    }

    public CauseId(String id, String title, Curve seenIn, Set<Effect> can, Role... roles) {
        this(id, title, seenIn, can, Set.of(roles), Set.of());
    }

    /** Returns the same cause with the parts of a request's time that it makes longer. */
    CauseId taking(BudgetPart... parts) {
        return new CauseId(id, title, seenIn, can, roles, Set.of(parts));
    }

    public Finding confirmed(double weight, List<Proof> evidence, List<FindingRemedy> remedies) {
        return confirmed(title, can, weight, evidence, remedies);
    }

    /** Tells whether this finding is of this cause, and confirmed. */
    boolean confirmedBy(Finding finding) {
        return finding.id().equals(id) && finding.state() == FindingState.CONFIRMED;
    }

    /**
     * Confirms a cause under another title and with fewer effects: it is there, but need not have done all that it can.
     */
    public Finding confirmed(
            String as, Set<Effect> did, double weight, List<Proof> evidence, List<FindingRemedy> remedies) {
        return new Finding(id, as, seenIn, FindingState.CONFIRMED, Math.clamp(weight, 0, 1), did, evidence, remedies);
    }

    public Finding ruledOut(Proof... evidence) {
        return new Finding(id, title, seenIn, FindingState.RULED_OUT, 0, Set.of(), List.of(evidence), List.of());
    }

    /**
     * Makes the finding that the cause could not be judged.
     *
     * @param missing what is missing, and how to get it
     */
    public Finding notObservable(String missing) {
        return new Finding(
                id, title, seenIn, FindingState.NOT_OBSERVABLE, 0, Set.of(), List.of(proof(missing)), List.of());
    }

    public static Proof proof(String text) {
        return new Proof(text, Optional.empty());
    }

    public static Proof proof(String text, Moment when) {
        return new Proof(text, Optional.of(when));
    }
}
