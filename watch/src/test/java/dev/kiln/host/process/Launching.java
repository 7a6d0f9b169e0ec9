package dev.kiln.host.process;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Launching is what tests that launch processes share: a folder, and a launcher whose processes end with the test. */
public abstract class Launching {
    @TempDir
    protected Path directory;

    protected OrphanRegistry registry;
    protected Launcher launcher;

    @BeforeEach
    void open() {
        registry = new OrphanRegistry(directory.resolve("state"));
        launcher = new Launcher(registry, note -> {});
    }

    @AfterEach
    void close() {
        launcher.close();
        registry.close();
    }
}
