package dev.kiln.load.driver;

import dev.kiln.load.driver.http.Calls;
import dev.kiln.load.driver.http.Slot;
import java.util.ArrayDeque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** ThinkTimes queue thinking slots, first in, first out by think time; queues do not allocate once grown. */
final class ThinkTimes {
    private record ThinkQueue(long nanos, ArrayDeque<Slot> slots) {}

    private final List<ThinkQueue> queues;

    /** @param calls of one target: those of all have equal think times */
    ThinkTimes(Calls calls) {
        queues = calls.thinkNanos().stream()
                .map(nanos -> new ThinkQueue(nanos, new ArrayDeque<>()))
                .toList();
    }

    /** Lets the slot's user think after its last call; returns whether that call has a think time. */
    boolean add(Slot slot, long now) {
        long nanos = slot.call().thinkNanos;
        if (nanos == 0) {
            return false;
        }
        for (int i = 0; i < queues.size(); i++) {
            ThinkQueue queue = queues.get(i);
            if (queue.nanos == nanos) {
                slot.thinksUntil = now + nanos;
                slot.thinks = true;
                queue.slots.add(slot);
                return true;
            }
        }
        return false;
    }

    /** Returns when the next user is done, by {@link System#nanoTime}, at most the time given. */
    long nextDone(long later) {
        long next = later;
        for (int i = 0; i < queues.size(); i++) {
            Slot first = queues.get(i).slots.peek();
            next = first == null ? next : Math.min(next, first.thinksUntil);
        }
        return next;
    }

    /** Removes a slot whose user is done, and returns it; null if there is none. */
    @Nullable
    Slot poll(long now) {
        for (int i = 0; i < queues.size(); i++) {
            ArrayDeque<Slot> slots = queues.get(i).slots;
            Slot first = slots.peek();
            if (first != null && now >= first.thinksUntil) {
                first.thinks = false;
                return slots.poll();
            }
        }
        return null;
    }
}
