package dev.kiln.model.run;

/** A ThreadState is what the kernel says that a thread does, see proc_pid_stat(5). */
public enum ThreadState {
    /** It runs or waits for a CPU. */
    RUNNABLE("R"),
    SLEEPING("S"),
    /** It sleeps, and no signal wakes it: it waits for a disk, for a page from one, or for a lock of the kernel's. */
    UNINTERRUPTIBLE("D"),
    OTHER("O"),
    NOT_RECORDED("");

    private final String letter;

    ThreadState(String letter) {
        this.letter = letter;
    }

    /** Returns what stands for it in tables: the kernel's own letter, if Kiln knows the state. */
    public String letter() {
        return letter;
    }

    public static ThreadState of(String letter) {
        for (ThreadState state : values()) {
            if (state.letter.equals(letter)) {
                return state;
            }
        }
        return OTHER;
    }
}
