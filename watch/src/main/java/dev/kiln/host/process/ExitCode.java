package dev.kiln.host.process;

import java.util.List;
import java.util.OptionalInt;

/**
 * How a process ended. Java gives 128 and its number for a signal that ended the process, and a program may exit with the
 * same number: a JVM does so after SIGTERM, and a shell after a child that a signal ended. Only the wait status tells them
 * apart.
 *
 * @param code as Java and shells give it
 */
public record ExitCode(int code, ExitKind known) {
    /** An ExitKind says what the wait status tells of the exit. */
    public enum ExitKind {
        EXIT,
        SIGNAL,
        /** It was not seen. */
        UNSURE
    }

    private static final int SIGNALLED = 128;

    /** These bits of a wait status hold the signal, see WTERMSIG and WEXITSTATUS in wait(2). */
    private static final int SIGNAL_BITS = 0x7F;

    private static final int CODE_SHIFT = 8;
    private static final int CODE_BITS = 0xFF;

    /** The last of the real-time signals, see signal(7). */
    private static final int MOST_SIGNALS = 64;

    /** The names of signals begin with number 1, as Linux numbers them on x86 and ARM, see signal(7). */
    private static final List<String> NAMES = List.of(
            ("HUP INT QUIT ILL TRAP ABRT BUS FPE KILL USR1 SEGV USR2 PIPE ALRM TERM STKFLT CHLD CONT STOP TSTP TTIN TTOU"
                            + " URG XCPU XFSZ VTALRM PROF WINCH IO PWR SYS")
                    .split(" "));

    /** Returns the exit of a process whose wait status was not seen. */
    public static ExitCode unsure(int code) {
        return new ExitCode(code, ExitKind.UNSURE);
    }

    /** Returns the exit that a wait status describes, as wait(2) has it. */
    static ExitCode ofStatus(int status) {
        int signal = status & SIGNAL_BITS;
        return signal == 0
                ? new ExitCode(status >> CODE_SHIFT & CODE_BITS, ExitKind.EXIT)
                : new ExitCode(SIGNALLED + signal, ExitKind.SIGNAL);
    }

    /** The signal that ended it, as far as is known; empty if there is none. */
    public OptionalInt signal() {
        return known == ExitKind.EXIT ? OptionalInt.empty() : likeSignal();
    }

    private OptionalInt likeSignal() {
        return code > SIGNALLED && code <= SIGNALLED + MOST_SIGNALS
                ? OptionalInt.of(code - SIGNALLED)
                : OptionalInt.empty();
    }

    /** Describes the exit in words that go on after the name of the process. */
    public String text() {
        OptionalInt like = likeSignal();
        if (like.isEmpty()) {
            return "exited with code " + code;
        }
        int number = like.getAsInt();
        String signal = "signal " + number + (number <= NAMES.size() ? ", SIG" + NAMES.get(number - 1) : "");
        return switch (known) {
            case EXIT -> "exited with code " + code + ", as a JVM or a shell does after " + signal;
            case SIGNAL -> "was killed by " + signal;
            case UNSURE -> "exited with code " + code + " (as after " + signal + ")";
        };
    }
}
