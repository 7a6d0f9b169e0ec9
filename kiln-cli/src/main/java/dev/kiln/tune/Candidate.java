package dev.kiln.tune;

import dev.kiln.model.experiment.Change;
import dev.kiln.model.experiment.Variant;
import java.util.List;
import java.util.Optional;

/**
 * A Candidate is a variant that may be a cure.
 *
 * @param change what it is of the baseline; empty for a variant of the user's own
 * @param causes titles of the causes that it is a remedy of, one for each change; none for a variant of the user's own
 * @param cost what it costs to have it; empty where nobody knows
 * @param parts the two that it is together; none of a single change
 */
public record Candidate(
        Variant variant, Optional<Change> change, List<String> causes, Optional<String> cost, List<Candidate> parts) {
    public Candidate {
        causes = List.copyOf(causes);
        parts = List.copyOf(parts);
    }

    public String name() {
        return variant.name();
    }

    /** Returns a candidate for a variant of the experiment's own. */
    public static Candidate of(Variant variant) {
        return new Candidate(variant, Optional.empty(), List.of(), Optional.empty(), List.of());
    }

    public Candidate with(Variant other) {
        return new Candidate(other, change, causes, cost, parts);
    }
}
