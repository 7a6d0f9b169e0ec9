package dev.kiln.load.driver;

import dev.kiln.load.LoadSession;
import dev.kiln.load.PhaseResult.Cost;
import dev.kiln.load.driver.IoThread.Transport;
import dev.kiln.model.FeedTable;
import dev.kiln.model.LoadSpec;
import java.nio.file.Path;
import java.util.Optional;

/** The driver's parts within the test's own JVM, for what needs no process. */
final class LocalDriver {
    private final IoThread io;
    private final BinQueue queue = new BinQueue();
    private final BinWriter writer = new BinWriter(queue);

    LocalDriver(Transport transport) {
        io = new IoThread(transport);
    }

    LoadSession open(LoadSpec spec, Path directory) {
        return open(spec, Optional.empty(), directory);
    }

    LoadSession open(LoadSpec spec, Optional<FeedTable> feed, Path directory) {
        return new LocalSession(
                io,
                queue,
                writer,
                spec,
                feed,
                directory,
                System.nanoTime(),
                PhaseRecorder.Cut.STANDARD,
                Cost::ofThisJvm);
    }

    void close() throws InterruptedException {
        io.stop();
        writer.stop();
    }
}
