package dev.kiln.doctor;

/** Something that helps a living JVM and can be taken back. For use by one thread. */
interface Remedy {
    /** Applies it, or applies it to what has come since. */
    void apply();

    /** Takes it back from what is left of the process; harmless if it was never applied. */
    void undo();
}
