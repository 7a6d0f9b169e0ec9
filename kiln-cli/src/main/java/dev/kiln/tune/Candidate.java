package dev.kiln.tune;

import dev.kiln.model.experiment.Change;
import dev.kiln.model.experiment.Modifier;
import dev.kiln.model.experiment.Target;
import dev.kiln.model.experiment.Variant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

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

    /**
     * Tells whether it does no more than let C2's code come sooner, or do without it. What favoured compilers win is the bound of what
     * any of these can.
     */
    boolean isOfCompilers() {
        return change.filter(made -> made.aot().isEmpty()
                        && made.jvmFlags().isEmpty()
                        && !made.modifiers().isEmpty()
                        && made.modifiers().stream().allMatch(Modifier::isOfCompilers))
                .isPresent();
    }

    private boolean has(Class<? extends Modifier> kind) {
        return change.stream().flatMap(made -> made.modifiers().stream()).anyMatch(kind::isInstance);
    }

    /** Returns the candidate that shows what compilers with all the CPU that they want win; empty if there is none. */
    static Optional<Candidate> bound(List<Candidate> candidates) {
        return Stream.<Class<? extends Modifier>>of(Modifier.CompilerPriority.class, Modifier.XBatch.class)
                .flatMap(kind -> candidates.stream().filter(one -> one.isOfCompilers() && one.has(kind)))
                .findFirst();
    }

    /**
     * Returns what it takes of rights and risk, as a rank: a flag, a cache that has to be built, rights of the process, threads of
     * another kind, more of the machine. A combination takes what its parts take.
     */
    int price() {
        if (!parts.isEmpty()) {
            return parts.stream().mapToInt(Candidate::price).sum();
        }
        Target target = variant.target();
        return (target.aot().isPresent() ? 2 : 0)
                + (has(Modifier.CompilerPriority.class) ? 3 : 0)
                + (has(Modifier.VirtualThreads.class) ? 4 : 0)
                + (has(Modifier.BoostedStart.class) || has(Modifier.Cpus.class) || has(Modifier.CpuQuota.class) ? 5 : 0)
                + 1;
    }

    /** Tells whether another has its name, or is launched the same way. */
    boolean isSame(Candidate other) {
        Target mine = variant.target();
        Target theirs = other.variant().target();
        return name().equals(other.name())
                || (mine.program().equals(theirs.program())
                        && mine.jvm().equals(theirs.jvm())
                        && mine.modifiers().equals(theirs.modifiers())
                        && mine.hooks().equals(theirs.hooks()));
    }

    public Candidate with(Variant other) {
        return new Candidate(other, change, causes, cost, parts);
    }
}
