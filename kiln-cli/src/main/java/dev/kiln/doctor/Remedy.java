package dev.kiln.doctor;

import dev.kiln.host.proc.ProcFs;

/** A Remedy helps a live JVM and can be undone. For use by one thread. */
interface Remedy {
    /** Fails if it cannot be applied, or if undoing it would remove what Kiln did not add. */
    void check();

    /** Applies it. A later call applies it to what is new since then. */
    void apply();

    /** Undoes it in what is left of the process. Call it only if {@link #check} did not fail. */
    void undo();

    /**
     * A RemedyTarget is the process that a remedy is for, in a form by which another Kiln finds it again.
     *
     * @param startTicks start time in ticks since boot. With the pid, it identifies a process for good
     * @param nice of its compilers before the remedy
     */
    record RemedyTarget(long pid, long startTicks, int nice) {
        boolean lives(ProcFs fs) {
            return fs.isAlive(pid, startTicks);
        }
    }
}
