package dev.kiln.load.driver.http;

import dev.kiln.load.driver.http.Slot.ConnectionSource;
import dev.kiln.load.driver.http.Slot.Outcomes;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A Line is where slots' connections come from: one over HTTP/2, one each over HTTP/1.1. */
public final class Line implements ConnectionSource {
    private IoThread io;
    private Calls calls;
    private final List<Slot> slots = new ArrayList<>();
    /** The last connection that was made is null until a request needs one. */
    private @Nullable Connection last;

    /** Makes a line that has no slots yet. */
    public Line(IoThread io, Calls calls) {
        this.io = io;
        this.calls = calls;
    }

    /** Adds a slot, by its number among the load's connections; its owner is told of its requests. */
    public Slot slot(Outcomes owner, int number, long timeoutNanos) {
        Slot slot = new Slot(this, owner, number, timeoutNanos);
        slots.add(slot);
        return slot;
    }

    @Override
    public Calls calls() {
        return calls;
    }

    @Override
    public boolean rests() {
        for (Slot slot : slots) {
            if (!slot.isResting()) {
                return false;
            }
        }
        return true;
    }

    /** Returns the number of this line among those of the load. */
    public int number() {
        return slots.getFirst().number;
    }

    /** Tells whether the line is on its way to another event loop. */
    public boolean leaves() {
        return slots.getFirst().leaves;
    }

    /** Returns all slots that send over its connections. */
    public List<Slot> slots() {
        return slots;
    }

    /** Tells whether none of its requests is in flight, and none of its users thinks. */
    public boolean isIdle() {
        for (Slot slot : slots) {
            if (slot.busy() || slot.thinks) {
                return false;
            }
        }
        return true;
    }

    /** Returns the connection that the next request would use; null if that would open one. */
    @Nullable
    public Connection open() {
        Connection open = last;
        return open != null && open.takesMore() ? open : null;
    }

    /** Moves the line: further connections are made on the other event loop. */
    public void moved(IoThread there, Calls over) {
        io = there;
        calls = over;
    }

    @Override
    public Connection connection(Slot by) {
        Connection open = open();
        if (open == null) {
            open = calls.http2() ? new Http2Connection(io, calls, slots) : new Http1Connection(io, calls, by);
            last = open;
        }
        return open;
    }
}
