package dev.kiln.doctor;

/** Something that helps a living JVM and can be taken back. For use by one thread. */
interface Remedy {
    /** Fails if it cannot be applied, or if taking it back would take away what is not ours. */
    void check();

    /** Applies it, or applies it to what has come since. */
    void apply();

    /** Takes it back from what is left of the process; to be called only after {@link #check} found nothing. */
    void undo();
}
