package dev.kiln.model.experiment;

import dev.kiln.model.experiment.Target.AotCache;
import java.util.List;
import java.util.Optional;

/** A Change makes a variant of a target: flags are appended, and an AOT cache replaces the target's. */
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
