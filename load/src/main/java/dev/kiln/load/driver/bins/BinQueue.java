package dev.kiln.load.driver.bins;

import dev.kiln.load.driver.bins.Bin.SecondLatencies;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A BinQueue hands bins from the I/O thread to the writer and back. Lock-free, and touched once per bin only. All bins are made
 * beforehand; when the writer has them all (a disk that stands still), the I/O thread's current bin grows instead, and says so
 * by its times.
 */
public final class BinQueue {
    /** The queue has this many bins: 12.8 s of bins of 100 ms. */
    private static final int BINS = 128;

    /** The queue has latencies for as many seconds. */
    private static final int LATENCIES = 13;

    private static final int FURTHER_LATENCIES = 4;

    private final Queue<Bin> free = new ConcurrentLinkedQueue<>();
    private final Queue<SecondLatencies> freeLatencies = new ConcurrentLinkedQueue<>();
    private final Queue<Bin> full = new ConcurrentLinkedQueue<>();
    private volatile @Nullable Thread writer;

    /** Makes the queue of the first event loop. */
    public BinQueue() {
        this(LATENCIES);
    }

    private BinQueue(int latencies) {
        for (int i = 0; i < BINS; i++) {
            free.add(new Bin(free));
        }
        for (int i = 0; i < latencies; i++) {
            freeLatencies.add(new SecondLatencies(freeLatencies));
        }
    }

    /** Makes a further event loop's queue, same writer, with fewer latencies: those of 16 must fit the heap. */
    public BinQueue another() {
        BinQueue more = new BinQueue(FURTHER_LATENCIES);
        more.writer = writer;
        return more;
    }

    /** Sets the thread that {@link #wakeWriter} wakes. */
    public void writer(Thread thread) {
        writer = thread;
    }

    /** Returns an empty bin, or null when there is none; called by the I/O thread. */
    @Nullable
    public Bin takeFree() {
        return free.poll();
    }

    /** Returns empty latencies, or null when there are none; called by the I/O thread. */
    @Nullable
    public SecondLatencies takeFreeLatencies() {
        return freeLatencies.poll();
    }

    /** Hands a full bin over to the writer; called by the I/O thread. */
    public void handOver(Bin bin) {
        full.add(bin);
    }

    /** Wakes the writer; called by the I/O thread once a second, because it costs a system call. */
    public void wakeWriter() {
        LockSupport.unpark(writer);
    }

    /** Returns the oldest full bin, or null when there is none; called by the writer. */
    @Nullable
    Bin takeFull() {
        return full.poll();
    }
}
