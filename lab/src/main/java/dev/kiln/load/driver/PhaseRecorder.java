package dev.kiln.load.driver;

import dev.kiln.load.driver.Bin.Failure;
import dev.kiln.load.driver.Bin.Latencies;
import java.util.function.LongUnaryOperator;

/** Counts one phase into bins, by completion time. On the I/O thread. */
final class PhaseRecorder {
    /**
     * How a phase is cut.
     *
     * @param binsPerSecond bins to a histogram and a tick
     */
    record Cut(long binNanos, int binsPerSecond) {
        static final Cut STANDARD = new Cut(100_000_000, 10);
    }

    private final BinQueue queue;
    private final LongUnaryOperator backlogAt;
    private final Cut cut;
    private final int calls;
    private final long endNanos;
    private Bin bin;
    private Latencies latencies;
    private int bins;
    private long maxLagNanos;

    /**
     * To be made when the writer has caught up with the phase before.
     *
     * @param backlogAt asked at the end of each bin
     * @param startNanos of the phase, by {@link System#nanoTime}
     * @param calls to be counted each, where a load has several; else 0
     */
    PhaseRecorder(
            BinQueue queue, LongUnaryOperator backlogAt, long startNanos, long durationNanos, Cut cut, int calls) {
        this.queue = queue;
        this.backlogAt = backlogAt;
        this.cut = cut;
        this.calls = calls;
        this.endNanos = startNanos + durationNanos;
        Bin first = queue.takeFree();
        Latencies second = queue.takeFreeLatencies();
        if (first == null || second == null) {
            throw new IllegalStateException("the evidence's writer has not caught up with the phase before");
        }
        bin = first;
        bin.begin(startNanos, Math.min(startNanos + cut.binNanos(), endNanos));
        latencies = second;
        latencies.begin(startNanos, calls);
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

    void succeeded(long now, long latencyNanos, int call) {
        at(now).completed++;
        latencies.record(latencyNanos);
        latencies.calls.succeed(call, latencyNanos);
    }

    void failed(long now, Failure failure, int call) {
        at(now).failed(failure);
        latencies.calls.fail(call);
    }

    private void next() {
        long from = bin.endNanos;
        long to = Math.min(from + cut.binNanos(), endNanos);
        Bin empty = queue.takeFree();
        if (empty == null) {
            bin.endNanos = to;
            return;
        }
        Bin full = bin;
        full.backlog = backlogAt.applyAsLong(from);
        bin = empty;
        bin.begin(from, to);
        boolean second = ++bins % cut.binsPerSecond() == 0;
        Latencies fresh = second ? queue.takeFreeLatencies() : null;
        if (fresh != null) {
            full.latencies = latencies;
            latencies = fresh;
            latencies.begin(from, calls);
        }
        queue.handOver(full);
        if (second) {
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
        bin.latencies = latencies;
        bin.last = true;
        queue.handOver(bin);
        queue.wakeWriter();
    }
}
