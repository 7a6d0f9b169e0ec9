package dev.kiln.host.process;

import dev.kiln.model.experiment.Where.ContainerEngine;
import java.util.List;
import java.util.Optional;

/** A ContainerRemover removes a dead Kiln's containers, of which the registry knows only the names. */
@FunctionalInterface
public interface ContainerRemover {
    Removal remove(ContainerEngine engine, String name);

    /** A Removal says whether there was such a container, and why it may still be there. */
    record Removal(boolean existed, Optional<String> refusal) {}

    /** Returns the command that removes a container. */
    static List<String> command(ContainerEngine engine, String name) {
        return List.of(engine.id(), "rm", "--force", name);
    }
}
