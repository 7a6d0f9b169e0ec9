package dev.kiln.load.driver.bins;

import dev.kiln.load.driver.bins.Bin.Latencies;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Hands bins from the I/O thread to the writer and back. Lock-free, and touched once per bin only. All bins are made beforehand; when
 * the writer has them all (a disk that stands still), the I/O thread's current bin grows instead, and says so by its times.
 */
public final class BinQueue {
    /** 12.8 s of bins of 100 ms. */
    private static final int BINS = 128;

    /** As many seconds. */
    private static final int LATENCIES = 13;

    private static final int FURTHER_LATENCIES = 4;

    private final Queue<Bin> free = new ConcurrentLinkedQueue<>();
    private final Queue<Latencies> freeLatencies = new ConcurrentLinkedQueue<>();
    private final Queue<Bin> full = new ConcurrentLinkedQueue<>();
    private volatile @Nullable Thread writer;

    /** For the first event loop. */
    public BinQueue() {
        this(LATENCIES);
    }

    private BinQueue(int latencies) {
        for (int i = 0; i < BINS; i++) {
            free.add(new Bin(free));
        }
        for (int i = 0; i < latencies; i++) {
            freeLatencies.add(new Latencies(freeLatencies));
        }
    }

    /** For a further event loop, with the same writer. It has fewer latencies, because those of 16 loops are to fit into the heap. */
    public BinQueue another() {
        BinQueue more = new BinQueue(FURTHER_LATENCIES);
        more.writer = writer;
        return more;
    }

    /** Tells whom {@link #wakeWriter} wakes. */
    public void writer(Thread thread) {
        writer = thread;
    }

    /** For the I/O thread: an empty bin, or null when there is none. */
    @Nullable
    public Bin takeFree() {
        return free.poll();
    }

    /** For the I/O thread: empty latencies, or null when there are none. */
    @Nullable
    public Latencies takeFreeLatencies() {
        return freeLatencies.poll();
    }

    /** For the I/O thread. */
    public void handOver(Bin bin) {
        full.add(bin);
    }

    /** For the I/O thread: costs a system call, so it is done once a second. */
    public void wakeWriter() {
        LockSupport.unpark(writer);
    }

    /** For the writer: the oldest full bin, or null when there is none. */
    @Nullable
    Bin takeFull() {
        return full.poll();
    }
}
