package dev.kiln.explain;

import dev.kiln.model.Finding;
import dev.kiln.model.Finding.Curve;
import dev.kiln.model.Finding.Effect;
import dev.kiln.model.Finding.Moment;
import dev.kiln.model.Finding.Proof;
import dev.kiln.model.Finding.Remedy;
import dev.kiln.model.Finding.State;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What a cause is called, and what it can do. It stands with the cause.
 *
 * @param id stable, for scripts
 * @param seenIn the curve in which its moments are seen
 * @param can what it can have caused once it is confirmed
 */
record CauseId(String id, String title, Curve seenIn, Set<Effect> can) {
    static final Set<Effect> LEVEL = Set.of(Effect.BELOW_PEAK);
    static final Set<Effect> ANY = Set.of(Effect.values());

    Finding held(double weight, List<Proof> evidence, List<Remedy> remedies) {
        return held(title, can, weight, evidence, remedies);
    }

    /** For a cause that is there, but need not have done all that it can. */
    Finding held(String as, Set<Effect> did, double weight, List<Proof> evidence, List<Remedy> remedies) {
        return new Finding(id, as, seenIn, State.HELD, Math.clamp(weight, 0, 1), did, evidence, remedies);
    }

    Finding ruledOut(Proof... evidence) {
        return new Finding(id, title, seenIn, State.RULED_OUT, 0, Set.of(), List.of(evidence), List.of());
    }

    /** @param missing what is missing, and how to get it */
    Finding notObservable(String missing) {
        return new Finding(id, title, seenIn, State.NOT_OBSERVABLE, 0, Set.of(), List.of(proof(missing)), List.of());
    }

    static Proof proof(String text) {
        return new Proof(text, Optional.empty());
    }

    static Proof proof(String text, Moment when) {
        return new Proof(text, Optional.of(when));
    }
}
