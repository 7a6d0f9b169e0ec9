package dev.kiln.load;

/** Slots that are free, first in first out, so that all connections are used alike. Fixed size, allocates nothing. */
final class SlotQueue {
    private final Slot[] slots;
    private int head;
    private int size;

    SlotQueue(int capacity) {
        slots = new Slot[capacity];
    }

    boolean isEmpty() {
        return size == 0;
    }

    void add(Slot slot) {
        int at = head + size++;
        slots[at < slots.length ? at : at - slots.length] = slot;
    }

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
}
