package dev.kiln.model.experiment;

import dev.kiln.model.experiment.Target.AotCache;
import java.util.List;
import java.util.Optional;

/**
 * A Change is what makes a variant of a target, in the words of an experiment file.
 *
 * @param jvmFlags appended to those of the target
 * @param aot in place of the target's; empty to keep it
 */
public record Change(List<Modifier> modifiers, List<String> jvmFlags, Optional<AotCache> aot) {
    public Change {
        modifiers = List.copyOf(modifiers);
        jvmFlags = List.copyOf(jvmFlags);
    }

    public static Change with(Modifier modifier) {
        return new Change(List.of(modifier), List.of(), Optional.empty());
    }

    public static Change flags(String... flags) {
        return new Change(List.of(), List.of(flags), Optional.empty());
    }

    public static Change with(AotCache aot) {
        return new Change(List.of(), List.of(), Optional.of(aot));
    }
}
