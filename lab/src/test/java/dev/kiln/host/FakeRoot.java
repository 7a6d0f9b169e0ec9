package dev.kiln.host;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Files laid out like those of a machine. */
final class FakeRoot {
    private final Path root;

    FakeRoot(Path root) {
        this.root = root;
    }

    FakeRoot with(String path, String text) {
        try {
            Path file = root.resolve(path);
            Files.createDirectories(file.getParent());
            Files.writeString(file, text);
            return this;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    ProcFs fs() {
        return new ProcFs(root);
    }
}
