package dev.kiln.host;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.OptionalLong;

/**
 * CPU time of all children that have ended and were waited for: getrusage(2). {@code /proc} has the same in steps of 10 ms,
 * which is a quarter of the start of a small JVM.
 */
public final class ChildUsage {
    private static final int RUSAGE_CHILDREN = -1;

    /** {@code struct rusage} of 64-bit Linux: two timevals of seconds and microseconds, and 14 numbers. */
    private static final long RUSAGE_BYTES = (2 * 2 + 14) * 8;

    private ChildUsage() {}

    /** User and system time; empty where the C library cannot be asked. The difference of two calls is of use. */
    @SuppressWarnings("restricted")
    public static OptionalLong cpuNanos() {
        Linker linker = Linker.nativeLinker();
        MethodHandle getrusage = linker.downcallHandle(
                linker.defaultLookup().findOrThrow("getrusage"),
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.ADDRESS));
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment usage = arena.allocate(RUSAGE_BYTES, Long.BYTES);
            int failed = (int) getrusage.invokeExact(RUSAGE_CHILDREN, usage);
            return failed == 0 ? OptionalLong.of(nanos(usage, 0) + nanos(usage, 2)) : OptionalLong.empty();
        } catch (Throwable e) {
            // A method handle declares that it may throw anything; this one calls C.
            return OptionalLong.empty();
        }
    }

    private static long nanos(MemorySegment usage, int index) {
        return usage.getAtIndex(ValueLayout.JAVA_LONG, index) * 1_000_000_000
                + usage.getAtIndex(ValueLayout.JAVA_LONG, index + 1) * 1_000;
    }
}
