package dev.kiln.doctor;

import dev.kiln.host.ProcFs;

/** Something that helps a living JVM and can be taken back. For use by one thread. */
interface Remedy {
    /** Fails if it cannot be applied, or if taking it back would take away what is not ours. */
    void check();

    /** Applies it, or applies it to what has come since. */
    void apply();

    /** Takes it back from what is left of the process; to be called only after {@link #check} found nothing. */
    void undo();

    /**
     * The process that a remedy is for, as another Kiln can find it again.
     *
     * @param startTicks since boot: with the pid, names a process for good
     * @param nice of its compilers before the remedy
     */
    record Target(long pid, long startTicks, int nice) {
        boolean lives(ProcFs fs) {
            return fs.isAlive(pid, startTicks);
        }
    }
}
