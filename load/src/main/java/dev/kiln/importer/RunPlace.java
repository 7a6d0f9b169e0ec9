package dev.kiln.importer;

import java.nio.file.Path;
import java.util.Optional;

/**
 * A RunPlace is a run's name and where it lies.
 *
 * @param name what its variant and number are told by
 * @param folder in which its loads lie
 */
record RunPlace(String name, RunName told, Path folder) {
    /** Returns the folder in which others of its name would lie. */
    Path parent() {
        boolean isFolder =
                folder.getFileName() != null && folder.getFileName().toString().equals(name);
        return isFolder ? Optional.ofNullable(folder.getParent()).orElse(folder) : folder;
    }

    RunPlace below(String prefix) {
        RunName below = new RunName(told.variant().map(variant -> prefix + "-" + variant), told.number());
        return new RunPlace(name, below, folder);
    }
}
