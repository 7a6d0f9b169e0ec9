package dev.kiln.load.driver.bins;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** A BinSum adds up event loops' bins of the same time, or of as long as one that grew behind the writer. */
public final class BinSum {
    private final List<LoopPart> parts = new ArrayList<>();
    /** The sum is what there is of the next bin; null before any loop has handed over its part. */
    private @Nullable Bin sum;
    /** The last bin that was whole ended here. */
    private long whole;

    private long end;

    private static final class LoopPart {
        private final BinQueue queue;
        private long end;
        private long backlog;
        private boolean last;

        LoopPart(BinQueue queue, long end) {
            this.queue = queue;
            this.end = end;
        }

        /** Tells whether the loop still has to hand over a part of the bin between these times. */
        boolean lacks(long from, long to) {
            return !last && (end < to || end == from);
        }
    }

    /** Begins a phase, of these loops and at this time. */
    public synchronized void begin(List<BinQueue> queues, long startNanos) {
        parts.clear();
        queues.forEach(queue -> parts.add(new LoopPart(queue, startNanos)));
        whole = startNanos;
        end = startNanos;
    }

    /** Adds an event loop to the phase; returns when its first bin begins, empty if the phase has ended. */
    public synchronized OptionalLong join(BinQueue queue) {
        if (hasEnded()) {
            return OptionalLong.empty();
        }
        parts.add(new LoopPart(queue, whole));
        return OptionalLong.of(whole);
    }

    /** Tells whether all loops have handed over their last bin. */
    public synchronized boolean hasEnded() {
        return parts.stream().allMatch(part -> part.last);
    }

    /** Returns the next bin to which all loops have handed over their parts; null if there is none yet. */
    public synchronized @Nullable Bin next() {
        boolean added = true;
        while (added) {
            added = false;
            for (LoopPart part : parts) {
                if (part.lacks(whole, end)) {
                    Bin bin = part.queue.takeFull();
                    if (bin == null) {
                        return null;
                    }
                    add(bin, part);
                    added = true;
                }
            }
        }
        Bin done = sum;
        if (done != null) {
            done.endNanos = end;
            done.backlog = parts.stream().mapToLong(part -> part.backlog).sum();
            whole = end;
            sum = null;
        }
        return done;
    }

    private void add(Bin bin, LoopPart part) {
        part.end = bin.endNanos;
        part.backlog = bin.backlog;
        part.last = bin.last;
        end = Math.max(end, bin.endNanos);
        Bin before = sum;
        if (before == null) {
            sum = bin;
        } else {
            before.add(bin);
            bin.giveBack();
        }
    }
}
