package dev.kiln.host;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Programs of this machine. */
public final class Programs {
    private Programs() {}

    /** In the PATH, or where the system keeps its tools. */
    public static Optional<Path> find(String name) {
        return Commands.onPath(name);
    }

    /** What a program says that ends by itself, whatever its exit code. */
    public static String says(List<String> command) {
        return Commands.run(command).output();
    }
}
