package dev.kiln.host.process;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * An ExitCode says how a process ended. Java gives 128 and its number for a signal that ended the process, and a
 * program may exit with the same number: a JVM does so after SIGTERM, and a shell after a child that a signal ended.
 * Only the wait status tells them apart.
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

    /** This is the last of the real-time signals, see signal(7). */
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

    /** Returns the signal that ended it, as far as is known; empty if there is none. */
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

    /**
     * A WaitStatus is that of a child of Java, which reaps it and keeps only one number of it. A pidfd that was opened
     * before still has the status, from Linux 6.15 on: PIDFD_GET_INFO of include/uapi/linux/pidfd.h. On an older
     * kernel, and of a child that ended before it could be opened, it is not known.
     */
    public static final class WaitStatus {
        /** The number is the same on x86-64 and on aarch64. */
        private static final long PIDFD_OPEN = 434;

        /** This is {@code _IOWR(0xFF, 11, struct pidfd_info)} in its first size. */
        private static final long GET_INFO = 0xC040_FF0BL;

        private static final int INFO_BYTES = 64;

        /** Bit of the mask, the first field, with which the status is asked for and told. */
        private static final long INFO_EXIT = 1L << 3;

        /** The status is at this offset of the kernel's answer. */
        private static final int EXIT_AT = 60;

        private final Process process;
        private OptionalInt pidfd = OptionalInt.empty();
        private OptionalInt status = OptionalInt.empty();

        private WaitStatus(Process process) {
            this.process = process;
        }

        /** Call it as soon as the process has started. */
        public static WaitStatus of(Process process) {
            WaitStatus kept = new WaitStatus(process);
            kept.open();
            var unused = process.onExit().thenRun(kept::keep);
            return kept;
        }

        /** Says how the process ended; empty while it runs. */
        public Optional<ExitCode> exit() {
            if (process.isAlive()) {
                return Optional.empty();
            }
            keep();
            return Optional.of(known());
        }

        private synchronized ExitCode known() {
            int code = process.exitValue();
            // Another process cannot be it: the pidfd would be of one that Java has not reaped.
            return status.isPresent() && ExitCode.ofStatus(status.getAsInt()).code() == code
                    ? ExitCode.ofStatus(status.getAsInt())
                    : ExitCode.unsure(code);
        }

        private synchronized void open() {
            PidfdCalls.FOUND.ifPresent(calls -> pidfd = calls.open(process.pid()));
        }

        private synchronized void keep() {
            if (pidfd.isPresent()) {
                status = PidfdCalls.FOUND.orElseThrow().statusAndClose(pidfd.getAsInt());
                pidfd = OptionalInt.empty();
            }
        }

        /** PidfdCalls are the C library's functions. */
        private record PidfdCalls(MethodHandle syscall, MethodHandle ioctl, MethodHandle close) {
            private static final Optional<PidfdCalls> FOUND = find();

            private static Optional<PidfdCalls> find() {
                try {
                    return Optional.of(make());
                } catch (RuntimeException | LinkageError notAllowed) {
                    return Optional.empty();
                }
            }

            @SuppressWarnings("restricted")
            private static PidfdCalls make() {
                Linker linker = Linker.nativeLinker();
                return new PidfdCalls(
                        linker.downcallHandle(
                                linker.defaultLookup().findOrThrow("syscall"),
                                FunctionDescriptor.of(
                                        ValueLayout.JAVA_LONG,
                                        ValueLayout.JAVA_LONG,
                                        ValueLayout.JAVA_INT,
                                        ValueLayout.JAVA_INT),
                                Linker.Option.firstVariadicArg(1)),
                        linker.downcallHandle(
                                linker.defaultLookup().findOrThrow("ioctl"),
                                FunctionDescriptor.of(
                                        ValueLayout.JAVA_INT,
                                        ValueLayout.JAVA_INT,
                                        ValueLayout.JAVA_LONG,
                                        ValueLayout.ADDRESS),
                                Linker.Option.firstVariadicArg(2)),
                        linker.downcallHandle(
                                linker.defaultLookup().findOrThrow("close"),
                                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT)));
            }

            OptionalInt open(long pid) {
                try {
                    long descriptor = (long) syscall.invokeExact(PIDFD_OPEN, Math.toIntExact(pid), 0);
                    return descriptor < 0 ? OptionalInt.empty() : OptionalInt.of(Math.toIntExact(descriptor));
                } catch (Throwable e) {
                    // A method handle declares that it may throw anything; this one calls C.
                    return OptionalInt.empty();
                }
            }

            OptionalInt statusAndClose(int descriptor) {
                try (Arena arena = Arena.ofConfined()) {
                    MemorySegment info = arena.allocate(INFO_BYTES, Long.BYTES);
                    info.set(ValueLayout.JAVA_LONG, 0, INFO_EXIT);
                    int failed = (int) ioctl.invokeExact(descriptor, GET_INFO, info);
                    int unused = (int) close.invokeExact(descriptor);
                    return failed == 0 && (info.get(ValueLayout.JAVA_LONG, 0) & INFO_EXIT) != 0
                            ? OptionalInt.of(info.get(ValueLayout.JAVA_INT, EXIT_AT))
                            : OptionalInt.empty();
                } catch (Throwable e) {
                    return OptionalInt.empty();
                }
            }
        }
    }
}
