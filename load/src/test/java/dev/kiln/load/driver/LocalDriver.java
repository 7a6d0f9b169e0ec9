package dev.kiln.load.driver;

import dev.kiln.load.PhaseResult.Cost;
import dev.kiln.load.driver.bins.BinQueue;
import dev.kiln.load.driver.http.IoThread;
import dev.kiln.load.driver.http.IoThread.Transport;
import dev.kiln.model.load.FeedTable;
import dev.kiln.model.load.LoadSpec;
import java.nio.file.Path;
import java.util.Optional;

/** The driver's parts within the test's own JVM, for what needs no process. */
final class LocalDriver {
    private final IoThread io;
    private final BinQueue queue = new BinQueue();
    private final BinWriter writer = new BinWriter(queue);

    private final LoopCpus cpus;

    LocalDriver(Transport transport) {
        this(transport, LoopCpus.always(1));
    }

    LocalDriver(Transport transport, LoopCpus cpus) {
        io = new IoThread(transport);
        this.cpus = cpus;
    }

    LocalSession open(LoadSpec spec, Path directory) {
        return open(spec, Optional.empty(), directory);
    }

    LocalSession open(LoadSpec spec, Optional<FeedTable> feed, Path directory) {
        return new LocalSession(
                io,
                queue,
                writer,
                spec,
                feed,
                directory,
                System.nanoTime(),
                System.currentTimeMillis(),
                PhaseRecorder.Cut.STANDARD,
                cpus,
                Cost::ofThisJvm,
                LocalSession.DISK);
    }

    void close() throws InterruptedException {
        io.stop();
        writer.stop();
    }
}
