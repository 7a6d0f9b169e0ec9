package dev.kiln.load.driver;

import dev.kiln.load.driver.bins.Bin;
import dev.kiln.load.driver.bins.BinQueue;
import dev.kiln.load.driver.bins.BinSum;
import dev.kiln.model.KilnException;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** The thread that writes: takes full bins from the queue about once a second, so that a disk never holds up the I/O thread. */
final class BinWriter {
    /** The I/O thread wakes this thread once a second; this is for when the I/O thread itself stands still. */
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

    /** What the event loops hand over, once it is added up. */
    BinSum bins() {
        return bins;
    }

    /** To be called before the phase begins; until then there is nothing to write. */
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
