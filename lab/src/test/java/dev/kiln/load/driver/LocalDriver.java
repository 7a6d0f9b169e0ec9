package dev.kiln.load.driver;

import dev.kiln.load.JvmUsage;
import dev.kiln.load.LoadSession;
import dev.kiln.load.driver.Engine.Transport;
import dev.kiln.model.LoadSpec;
import java.nio.file.Path;

/** The driver's parts within the test's own JVM, for what needs no process. */
final class LocalDriver {
    private final Engine engine;
    private final BinQueue queue = new BinQueue();
    private final BinWriter writer = new BinWriter(queue);

    LocalDriver(Transport transport) {
        engine = new Engine(transport);
    }

    LoadSession open(LoadSpec spec, Path directory) {
        return new LocalSession(
                engine, queue, writer, spec, directory, System.nanoTime(), PhaseRecorder.Cut.STANDARD, JvmUsage::own);
    }

    void close() throws InterruptedException {
        engine.stop();
        writer.stop();
    }
}
