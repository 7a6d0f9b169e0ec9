package dev.kiln.host.process;

import dev.kiln.model.experiment.Where.ContainerEngine;
import java.util.List;
import java.util.Optional;

/**
 * A ContainerRemover removes containers that a dead Kiln left. The registry of orphans knows their names, but not how
 * to remove them.
 */
@FunctionalInterface
public interface ContainerRemover {
    Removal remove(ContainerEngine engine, String name);

    /**
     * A Removal says how the removal of a container went.
     *
     * @param existed whether there was such a container
     * @param refusal why it may still be there; empty if it is gone
     */
    record Removal(boolean existed, Optional<String> refusal) {}

    /** Returns the command that removes a container. */
    static List<String> command(ContainerEngine engine, String name) {
        return List.of(engine.id(), "rm", "--force", name);
    }
}
