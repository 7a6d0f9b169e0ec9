package dev.kiln.host.process;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * An XdgFolder is where a user keeps something of Kiln's, as the XDG Base Directory Specification has it.
 *
 * @param variable that names the folder above it
 * @param home of the user; Java has {@code ?} where the system knows none, as for a user of a container that is in no list
 */
record XdgFolder(Map<String, String> environment, String variable, String home) {
    XdgFolder {
        environment = Map.copyOf(environment);
    }

    static XdgFolder of(String variable) {
        return new XdgFolder(System.getenv(), variable, System.getProperty("user.home", ""));
    }

    /** Returns the folder that the variable means. A path that is not absolute means none: it would be another in each folder. */
    Optional<Path> named() {
        return Optional.of(Path.of(environment.getOrDefault(variable, "")))
                .filter(Path::isAbsolute)
                .map(folder -> folder.resolve("kiln"));
    }

    /** Returns the folder in the user's home; empty for a user who has none. */
    Optional<Path> inHome(String usual) {
        return Optional.of(Path.of(home))
                .filter(Path::isAbsolute)
                .map(folder -> folder.resolve(usual).resolve("kiln"));
    }

    /** Returns the one that is named, or that in the home; empty where there is neither. */
    Optional<Path> find(String usual) {
        return named().or(() -> inHome(usual));
    }
}
