package dev.kiln.model;

/** What a living JVM is, as far as its JIT compilers tell. */
public enum LiveState {
    /** It works, and its compilers have nothing left to do. */
    WARM("warm"),
    /** Its compilers are busy, and get the CPU for it. */
    WARMING("warming"),
    /** Its compilers have work and get no CPU for it. */
    STARVED("starved"),
    /** It does next to nothing, so that nothing can be said of its warmth. */
    IDLE("idle"),
    UNKNOWN("unknown");

    private final String text;

    LiveState(String text) {
        this.text = text;
    }

    /** As it stands in JSON. */
    public String text() {
        return text;
    }
}
