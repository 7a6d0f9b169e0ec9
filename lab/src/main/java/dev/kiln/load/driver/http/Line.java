package dev.kiln.load.driver.http;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where the connections of some slots come from. Over HTTP/2 they share one, and with HTTP/1.1 each has one of its own. On the
 * I/O thread.
 */
public final class Line {
    private IoThread io;
    private Calls calls;
    private final List<Slot> slots = new ArrayList<>();
    /** The shared one; null until a request needs it. */
    private @Nullable Http2Connection shared;

    /** Has no slots yet: each one adds itself. */
    public Line(IoThread io, Calls calls) {
        this.io = io;
        this.calls = calls;
    }

    Calls calls() {
        return calls;
    }

    void serves(Slot slot) {
        slots.add(slot);
    }

    /** Whether no slot has a use for a connection. */
    boolean rests() {
        for (Slot slot : slots) {
            if (!slot.isResting()) {
                return false;
            }
        }
        return true;
    }

    /** Among those of the load. */
    public int number() {
        return slots.getFirst().number;
    }

    /** Whether it is on its way to another event loop. */
    public boolean leaves() {
        return slots.getFirst().leaves;
    }

    /** All slots that send over its connections. */
    public List<Slot> slots() {
        return slots;
    }

    /** Whether nothing of it is in flight, and no user of it thinks. */
    public boolean isIdle() {
        for (Slot slot : slots) {
            if (slot.busy() || slot.thinks) {
                return false;
            }
        }
        return true;
    }

    /** The one that the next request would go over; null if that would open one. */
    @Nullable
    public Connection open() {
        return calls.http2() ? shared : slots.getFirst().connection();
    }

    /** Further connections are made over there. */
    public void moved(IoThread there, Calls over) {
        io = there;
        calls = over;
    }

    /** How many requests it may have in flight. */
    int streams() {
        return slots.size();
    }

    void warn(String warning) {
        slots.getFirst().warn(warning);
    }

    /** For a slot that has none. */
    Connection connection(Slot slot) {
        if (!calls.http2()) {
            return new Http1Connection(io, slot);
        }
        Http2Connection open = shared;
        if (open == null) {
            open = new Http2Connection(io, this);
            shared = open;
        }
        return open;
    }

    /** Further requests go over another connection than this. */
    void leave(Http2Connection left) {
        if (left.equals(shared)) {
            shared = null;
        }
        slots.forEach(slot -> slot.left(left));
    }
}
