package dev.kiln.load.driver;

import dev.kiln.load.driver.http.Calls;
import dev.kiln.load.driver.http.Slot;
import dev.kiln.model.experiment.Protocol.Phase;
import dev.kiln.model.load.LoadSpec;
import java.time.Duration;

/**
 * LoopClaims give one event loop the next request of a load. Several loops share one schedule and one feed: under a lock, so
 * that each request is sent once, and the one that is due next has the row that comes next. They are used on the I/O thread.
 */
final class LoopClaims {
    /** NONE says that no request is due. */
    static final long NONE = -1;
    /** USED_UP says that the feed has no row left. */
    static final long USED_UP = -2;

    private final boolean first;
    private final boolean varies;
    private final Object lock;
    private boolean shared;
    private Pace pace;
    private long startNanos;

    /** Makes claims of one loop: the first counts what is due for all, under a lock if shared. */
    LoopClaims(LoadSpec spec, Calls calls, Object lock, boolean first, boolean shared) {
        this.lock = lock;
        this.first = first;
        this.shared = shared;
        varies = calls.varies();
        pace = new Pace(spec, new Phase.Load("none", Duration.ofNanos(1)), calls.recording());
    }

    void begin(Pace next, long start) {
        pace = next;
        startNanos = start;
    }

    /** Makes the lock necessary, because from now on other event loops take requests too. */
    void share() {
        shared = true;
    }

    /** Tells whether requests are due by the clock (open loop). */
    boolean isOpen() {
        return pace.isOpen();
    }

    /** Returns how many connections may send at this time. */
    int connections(long now) {
        return pace.connections(now - startNanos);
    }

    /** Returns when the next request is due, by {@link System#nanoTime}; only in the open loop. */
    long nextDue() {
        if (!shared) {
            return startNanos + pace.nextDue();
        }
        synchronized (lock) {
            return startNanos + pace.nextDue();
        }
    }

    /** Takes the next due request (open loop) for a slot: ns since the phase began, negative for none. */
    long due(Slot slot, long now, long endNanos) {
        if (!shared) {
            return dueAlone(slot, now, endNanos);
        }
        synchronized (lock) {
            return dueAlone(slot, now, endNanos);
        }
    }

    private long dueAlone(Slot slot, long now, long endNanos) {
        long due = pace.nextDue();
        // Of none that is left it is the phase's end.
        if (due > now - startNanos || due >= endNanos - startNanos) {
            return NONE;
        }
        if (!slot.take()) {
            return USED_UP;
        }
        pace.sent();
        return due;
    }

    /** Takes the next request (closed loop), and tells whether there is one. */
    boolean next(Slot slot) {
        if (!shared || !varies) {
            return slot.take();
        }
        synchronized (lock) {
            return slot.take();
        }
    }

    /** Counts requests due beyond those that this loop sent; summed over loops, they wait (open loop). */
    long waiting(long at, long sent) {
        if (!pace.isOpen()) {
            return 0;
        }
        long due = first ? pace.dueBy(at - startNanos) : 0;
        return shared ? due - sent : Math.max(0, due - sent);
    }
}
