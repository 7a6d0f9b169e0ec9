package dev.kiln.load.driver;

import dev.kiln.load.driver.http.Calls;
import dev.kiln.load.driver.http.Connection;
import dev.kiln.load.driver.http.IoThread;
import dev.kiln.load.driver.http.Line;
import dev.kiln.load.driver.http.Slot;
import dev.kiln.load.driver.http.Slot.Outcomes;
import dev.kiln.model.load.LoadSpec;
import io.netty.channel.Channel;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** LoopLines are an event loop's connections; between requests some move to another. On the I/O thread. */
@SuppressWarnings("FutureReturnValueIgnored") // what came of it is looked at when it is done
final class LoopLines {
    private final Outcomes owner;
    private final Consumer<List<Slot>> arrivals;
    private final IoThread io;
    private final List<Calls> targets;
    private final List<Line> here = new ArrayList<>();
    private final List<Line> leaving = new ArrayList<>();
    private final List<Slot> slots = new ArrayList<>();
    /** These slots belong to connections that have moved away. */
    private final Set<Slot> gone = new HashSet<>();

    private @Nullable LoopLines to;
    private boolean closed;

    /** Makes lines that deal connections out to targets in turn, and tell arrivals from other loops. */
    LoopLines(Outcomes owner, Consumer<List<Slot>> arrivals, IoThread io, List<Calls> targets) {
        this.owner = owner;
        this.arrivals = arrivals;
        this.io = io;
        this.targets = targets;
    }

    /** Makes the connections of this event loop, of so many to which they are dealt out in turn. */
    void make(LoadSpec spec, int number, int of) {
        for (int i = number; i < spec.connections(); i += of) {
            here.add(new Line(io, target(i)));
        }
        // Neighbours are of different connections, so that the first requests of a phase go over all of them.
        for (int stream = 0; stream < spec.inFlight() / spec.connections(); stream++) {
            for (int i = 0; i < here.size(); i++) {
                Slot slot =
                        here.get(i).slot(owner, number + i * of, spec.timeout().toNanos());
                slots.add(slot);
                if (spec.inSession()) {
                    slot.joinSession();
                }
            }
        }
    }

    /** Returns how many connections are here to stay. */
    int size() {
        return here.size();
    }

    private Calls target(int connection) {
        return targets.get(connection % targets.size());
    }

    /** Returns the slots of the connections here. The list changes, so a caller must not keep it. */
    List<Slot> slots() {
        if (!gone.isEmpty()) {
            slots.removeIf(gone::contains);
            gone.clear();
        }
        return slots;
    }

    void close() {
        closed = true;
        slots().forEach(Slot::drop);
    }

    /** Gives every n-th connection to another event loop. From now on such a connection sends no new request here. */
    void give(int every, LoopLines there) {
        to = there;
        for (int i = every - 1; i < here.size(); i += every) {
            Line line = here.get(i);
            leaving.add(line);
            line.slots().forEach(slot -> slot.leaves = true);
        }
        here.removeIf(Line::leaves);
    }

    /** Moves leaving connections with nothing in flight, from time to time, outside of their work. */
    void goOn() {
        LoopLines there = to;
        if (there != null && !closed) {
            leaving.removeIf(line -> goes(line, there));
        }
    }

    private boolean goes(Line line, LoopLines there) {
        Connection open = line.open();
        if (!line.isIdle() || (open != null && !open.isQuiet())) {
            return false;
        }
        if (open == null) {
            depart(line, there);
            there.io.execute(() -> there.arrive(line));
        } else {
            // Whatever this loop still had to do for the channel is done before the second task.
            open.channel.deregister().addListener(done -> io.execute(() -> release(line, open.channel, there)));
        }
        return true;
    }

    /** Passes a deregistered channel on to the other event loop, unless the server has closed it meanwhile. */
    private void release(Line line, Channel channel, LoopLines there) {
        if (closed) {
            channel.close();
        } else if (!channel.isActive()) {
            leaving.add(line);
        } else {
            depart(line, there);
            there.io.register(channel).addListener(registered -> there.arrive(line));
        }
    }

    private void depart(Line line, LoopLines there) {
        gone.addAll(line.slots());
        line.moved(there.io, there.target(line.number()));
    }

    /** Adds a connection that has moved here; called on this event loop. */
    private void arrive(Line line) {
        here.add(line);
        slots().addAll(line.slots());
        line.slots().forEach(slot -> slot.arrive(owner));
        if (closed) {
            line.slots().forEach(Slot::drop);
        } else {
            arrivals.accept(line.slots());
        }
    }

    /** FreeSlots are first in, first out: connections are used alike. They are fixed and allocate nothing. */
    static final class FreeSlots {
        private final Slot[] slots;
        private int head;
        private int size;

        FreeSlots(int capacity) {
            slots = new Slot[capacity];
        }

        boolean isEmpty() {
            return size == 0;
        }

        void add(Slot slot) {
            int at = head + size++;
            slots[at < slots.length ? at : at - slots.length] = slot;
        }

        /** Takes out the first one; only when not empty. */
        Slot take() {
            Slot slot = slots[head];
            head = head + 1 == slots.length ? 0 : head + 1;
            size--;
            return slot;
        }

        void clear() {
            head = 0;
            size = 0;
        }

        /** Takes out those that leave. */
        void release() {
            for (int i = size; i > 0; i--) {
                Slot slot = take();
                if (!slot.leaves) {
                    add(slot);
                }
            }
        }

        /** Returns the slot that {@link #take} takes next; only when not empty. */
        Slot first() {
            return slots[head];
        }
    }
}
