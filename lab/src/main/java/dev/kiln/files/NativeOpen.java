package dev.kiln.files;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/** {@code openat(2)} with flags that Java does not offer. It takes hold of what is there, and neither waits nor reads. */
final class NativeOpen {
    /** Instead of a folder: a name without one is one in the working directory. */
    static final int NO_FOLDER = -100;

    /** Of asm-generic/fcntl.h. */
    private static final int O_PATH = 0x20_0000;

    private static final int O_CLOEXEC = 0x8_0000;

    /** The kernel for aarch64 has a number of its own. */
    private static final int O_NOFOLLOW = System.getProperty("os.arch", "").equals("aarch64") ? 0x8000 : 0x2_0000;

    /** What becomes of a name that is a link. */
    enum Links {
        REFUSED,
        FOLLOWED
    }

    /** The C library's functions. */
    private record Calls(MethodHandle openat, MethodHandle close) {
        private static final Calls INSTANCE = make();

        @SuppressWarnings("restricted")
        private static Calls make() {
            Linker linker = Linker.nativeLinker();
            return new Calls(
                    linker.downcallHandle(
                            linker.defaultLookup().findOrThrow("openat"),
                            FunctionDescriptor.of(
                                    ValueLayout.JAVA_INT,
                                    ValueLayout.JAVA_INT,
                                    ValueLayout.ADDRESS,
                                    ValueLayout.JAVA_INT),
                            Linker.Option.firstVariadicArg(3)),
                    linker.downcallHandle(
                            linker.defaultLookup().findOrThrow("close"),
                            FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT)));
        }
    }

    private NativeOpen() {}

    /** A descriptor, or a negative number where there is nothing or it may not be reached. */
    static int hold(int folder, String name, Links links) {
        int flags = O_PATH | O_CLOEXEC | (links == Links.REFUSED ? O_NOFOLLOW : 0);
        try (Arena arena = Arena.ofConfined()) {
            return (int) Calls.INSTANCE.openat.invokeExact(folder, arena.allocateFrom(name), flags);
        } catch (Throwable e) {
            // A method handle declares that it may throw anything; this one calls C.
            return -1;
        }
    }

    static void release(int descriptor) {
        try {
            int closed = (int) Calls.INSTANCE.close.invokeExact(descriptor);
            assert closed == 0;
        } catch (Throwable e) {
            // As above.
            return;
        }
    }
}
