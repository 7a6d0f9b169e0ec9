package dev.kiln.host.process;

import dev.kiln.host.proc.ProcStatus;
import java.util.List;

/** Signals that Java itself cannot send, and TERM. */
public enum Signal {
    TERM,
    INT,
    QUIT;

    /** Bit of SIGQUIT (signal 3) in the masks of {@code /proc/PID/status}; bit n-1 is signal n, see proc_pid_status(5). */
    private static final long QUIT_BIT = 1L << 2;

    /** Sends it, and returns whether it was sent. QUIT kills most programs: see {@link #catchesQuit}. */
    public boolean send(long pid) {
        return Programs.run(List.of("sh", "-c", "kill -" + this + " " + pid)).exit() == 0;
    }

    /**
     * Whether the process has a handler for SIGQUIT, without which the signal would kill it.
     *
     * @param status text of {@code /proc/PID/status}
     */
    public static boolean catchesQuit(String status) {
        String caught = ProcStatus.field(status, "SigCgt");
        try {
            return (Long.parseUnsignedLong(caught, 16) & QUIT_BIT) != 0;
        } catch (NumberFormatException e) {
            return false;
        }
    }
}
