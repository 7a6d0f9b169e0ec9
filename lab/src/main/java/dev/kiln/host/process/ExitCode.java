package dev.kiln.host.process;

import java.util.List;
import java.util.OptionalInt;

/**
 * What the exit code of a process tells. Java gives 128 and its number for a signal that ended the process, and a program
 * may exit with the same number: a JVM does so after SIGTERM. So a signal is never more than what it looks like.
 */
public final class ExitCode {
    private static final int SIGNALLED = 128;

    /** The last of the real-time signals, see signal(7). */
    private static final int MOST_SIGNALS = 64;

    /** From 1 on, as Linux numbers them on x86 and ARM, see signal(7). */
    private static final List<String> NAMES = List.of(
            ("HUP INT QUIT ILL TRAP ABRT BUS FPE KILL USR1 SEGV USR2 PIPE ALRM TERM STKFLT CHLD CONT STOP TSTP TTIN TTOU"
                            + " URG XCPU XFSZ VTALRM PROF WINCH IO PWR SYS")
                    .split(" "));

    private ExitCode() {}

    /** The signal after which a process has this code; empty if there is none. */
    public static OptionalInt signal(int code) {
        return code > SIGNALLED && code <= SIGNALLED + MOST_SIGNALS
                ? OptionalInt.of(code - SIGNALLED)
                : OptionalInt.empty();
    }

    /** How a process ended, in words that go on after its name. */
    public static String text(int code) {
        OptionalInt signal = signal(code);
        if (signal.isEmpty()) {
            return "exited with code " + code;
        }
        int number = signal.getAsInt();
        String name = number <= NAMES.size() ? ", SIG" + NAMES.get(number - 1) : "";
        return "exited with code " + code + " (as after signal " + number + name + ")";
    }
}
