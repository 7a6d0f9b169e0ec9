package dev.kiln.host.proc;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Files laid out like those of a machine. */
public final class FakeRoot {
    private final Path root;

    public FakeRoot(Path root) {
        this.root = root;
    }

    public FakeRoot with(String path, String text) {
        try {
            Path file = root.resolve(path);
            Files.createDirectories(file.getParent());
            Files.writeString(file, text);
            return this;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public ProcFs fs() {
        return new ProcFs(root);
    }
}
