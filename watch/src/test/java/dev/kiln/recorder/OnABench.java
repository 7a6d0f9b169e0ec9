package dev.kiln.recorder;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** OnABench is what tests of a recorder share that watch a program of their own: each has a bench. */
abstract class OnABench {
    @TempDir
    private Path directory = Path.of("");

    RecorderBench bench;

    @BeforeEach
    void open() {
        bench = new RecorderBench(directory);
    }

    @AfterEach
    void close() {
        bench.close();
    }
}
