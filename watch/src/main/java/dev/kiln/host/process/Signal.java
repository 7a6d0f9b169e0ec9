package dev.kiln.host.process;

import dev.kiln.host.proc.ProcStatus;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/** Signals that Java itself cannot send, and TERM. */
public enum Signal {
    TERM(15),
    INT(2),
    QUIT(3);

    /** This is SIGQUIT's bit in {@code /proc/PID/status}; bit n-1 is signal n, see proc_pid_status(5). */
    private static final long QUIT_BIT = 1L << 2;

    private final int number;

    Signal(int number) {
        this.number = number;
    }

    /** Sends it, and returns whether it was sent. QUIT kills most programs: see {@link #catchesQuit}. */
    @SuppressWarnings("restricted")
    public boolean send(long pid) {
        // kill(2) and no program of that name: an image without a shell has none.
        Linker linker = Linker.nativeLinker();
        MethodHandle kill = linker.downcallHandle(
                linker.defaultLookup().findOrThrow("kill"),
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
        try {
            return (int) kill.invokeExact(Math.toIntExact(pid), number) == 0;
        } catch (Throwable e) {
            // A method handle declares that it may throw anything; this one calls C.
            return false;
        }
    }

    /** Tells by {@code /proc/PID/status} whether SIGQUIT has a handler, without which it would kill. */
    public static boolean catchesQuit(String status) {
        String caught = ProcStatus.field(status, "SigCgt");
        try {
            return (Long.parseUnsignedLong(caught, 16) & QUIT_BIT) != 0;
        } catch (NumberFormatException e) {
            return false;
        }
    }
}
