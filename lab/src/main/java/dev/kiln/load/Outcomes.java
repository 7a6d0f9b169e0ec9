package dev.kiln.load;

/** Who is told what became of a slot's request. All methods run on the engine's thread. */
interface Outcomes {
    /** A good answer was complete at {@code now}. */
    void succeeded(Slot slot, long now);

    void failed(Slot slot, long now, Failure failure);

    /** The server closed an idle connection just as the request was sent over it; it is sent again over a new one. */
    void resent(Slot slot);

    /** After either of the first two: the slot can begin another request. */
    void ready(Slot slot, long now);
}
