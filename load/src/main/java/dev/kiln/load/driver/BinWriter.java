package dev.kiln.load.driver;

import dev.kiln.load.driver.bins.Bin;
import dev.kiln.load.driver.bins.BinQueue;
import dev.kiln.load.driver.bins.BinSum;
import dev.kiln.model.KilnException;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A BinWriter is the thread that writes: it takes full bins from the queue about once a second, so that a disk never delays the
 * I/O thread.
 */
final class BinWriter {
    /** The I/O thread wakes this thread once a second; this limit applies when the I/O thread itself stands still. */
    private static final long POLL_NANOS = 1_000_000_000;

    private final BinSum bins = new BinSum();
    private final Thread thread;
    private volatile @Nullable PhaseLog log;
    private volatile boolean stopped;

    BinWriter(BinQueue queue) {
        thread = new Thread(this::run, "kiln-writer");
        thread.setDaemon(true);
        queue.writer(thread);
        thread.start();
    }

    /** Returns the bins that the event loops hand over, added up. */
    BinSum bins() {
        return bins;
    }

    /** Sets the log of the next phase. It is called before the phase begins; until then there is nothing to write. */
    void begin(PhaseLog next) {
        log = next;
    }

    private void run() {
        while (!stopped) {
            LockSupport.parkNanos(POLL_NANOS);
            PhaseLog current = log;
            if (current != null) {
                drain(current);
            }
        }
    }

    private void drain(PhaseLog current) {
        boolean some = false;
        for (Bin bin = bins.next(); bin != null; bin = bins.next()) {
            some = true;
            try {
                current.write(bin);
            } catch (KilnException e) {
                current.fail(e);
            }
            bin.giveBack();
        }
        try {
            current.flush();
        } catch (KilnException e) {
            current.fail(e);
        }
        if (some && bins.hasEnded()) {
            current.complete();
        }
    }

    void stop() throws InterruptedException {
        stopped = true;
        LockSupport.unpark(thread);
        thread.join();
    }
}
