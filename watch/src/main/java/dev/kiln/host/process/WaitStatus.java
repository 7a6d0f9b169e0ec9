package dev.kiln.host.process;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The wait status of a child of Java, which reaps it and keeps only one number of it. A pidfd that was opened before still
 * has the status, from Linux 6.15 on: PIDFD_GET_INFO of include/uapi/linux/pidfd.h. On an older kernel, and of a child that
 * ended before it could be opened, it is not known.
 */
public final class WaitStatus {
    /** The same on x86-64 and on aarch64. */
    private static final long PIDFD_OPEN = 434;

    /** {@code _IOWR(0xFF, 11, struct pidfd_info)} in its first size. */
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

    /** The C library's functions. */
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
