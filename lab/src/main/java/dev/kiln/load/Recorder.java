package dev.kiln.load;

import java.util.function.LongUnaryOperator;

/** Counts one phase into bins, by completion time. On the engine's thread. */
final class Recorder {
    private final BinQueue queue;
    private final LongUnaryOperator backlogAt;
    private final long binNanos;
    private final int binsPerWake;
    private final long endNanos;
    private Bin bin;
    private int bins;
    private long maxLagNanos;

    /**
     * @param backlogAt asked at the end of each bin
     * @param startNanos of the phase, by {@link System#nanoTime}
     * @param binsPerWake after how many bins the writer is woken
     * @param first an empty bin
     */
    Recorder(
            BinQueue queue,
            LongUnaryOperator backlogAt,
            Bin first,
            long startNanos,
            long durationNanos,
            long binNanos,
            int binsPerWake) {
        this.queue = queue;
        this.backlogAt = backlogAt;
        this.binNanos = binNanos;
        this.binsPerWake = binsPerWake;
        this.endNanos = startNanos + durationNanos;
        this.bin = first;
        bin.begin(startNanos, Math.min(startNanos + binNanos, endNanos));
    }

    long endNanos() {
        return endNanos;
    }

    long maxLagNanos() {
        return maxLagNanos;
    }

    /** The bin that {@code now} falls into; to be asked for each event, with times that do not go back. */
    Bin at(long now) {
        while (now >= bin.endNanos && bin.endNanos < endNanos) {
            next();
        }
        return bin;
    }

    private void next() {
        long from = bin.endNanos;
        long to = Math.min(from + binNanos, endNanos);
        Bin empty = queue.takeFree();
        if (empty == null) {
            bin.endNanos = to;
            return;
        }
        bin.backlog = backlogAt.applyAsLong(bin.endNanos);
        queue.handOver(bin);
        bin = empty;
        bin.begin(from, to);
        if (++bins % binsPerWake == 0) {
            queue.wakeWriter();
        }
    }

    void lag(long now, long lagNanos) {
        Bin current = at(now);
        current.lagNanos = Math.max(current.lagNanos, lagNanos);
        maxLagNanos = Math.max(maxLagNanos, lagNanos);
    }

    /** Hands over the last bin. A phase that is cancelled ends where it was cancelled. */
    void end(long now) {
        at(Math.min(now, endNanos));
        bin.endNanos = Math.min(bin.endNanos, Math.max(now, bin.startNanos));
        bin.backlog = backlogAt.applyAsLong(bin.endNanos);
        bin.last = true;
        queue.handOver(bin);
        queue.wakeWriter();
    }
}
