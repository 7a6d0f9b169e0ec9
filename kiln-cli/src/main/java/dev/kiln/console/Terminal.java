package dev.kiln.console;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;

/** A Terminal is what a stream of this process may end in. It is asked by the stream's descriptor. */
final class Terminal {
    static final int OUT = 1;
    static final int ERR = 2;

    /** The request for the size, as asm-generic/ioctls.h has it for x86-64 and aarch64. */
    private static final long TIOCGWINSZ = 0x5413;

    /** The size is four unsigned shorts, of which the second has the columns: TIOCGWINSZ(2const). */
    private static final long SIZE_BYTES = 8;

    private static final long COLUMNS_AT = 2;

    private Terminal() {}

    /** The function of the C library; empty where Kiln may not call C. */
    private static final class Ioctl {
        private static final Optional<MethodHandle> FOUND = find();

        private Ioctl() {}

        @SuppressWarnings("restricted")
        private static Optional<MethodHandle> find() {
            try {
                Linker linker = Linker.nativeLinker();
                return Optional.of(linker.downcallHandle(
                        linker.defaultLookup().findOrThrow("ioctl"),
                        FunctionDescriptor.of(
                                ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG, ValueLayout.ADDRESS),
                        Linker.Option.firstVariadicArg(2)));
            } catch (RuntimeException | LinkageError notAllowed) {
                return Optional.empty();
            }
        }
    }

    /**
     * Tells whether this stream is a terminal, by its link in {@code /proc}: the Java console only knows about both
     * streams together, and asking it loads a terminal library.
     */
    static boolean is(int descriptor) {
        try {
            String device = Files.readSymbolicLink(Path.of("/proc/self/fd/" + descriptor))
                    .toString();
            return device.startsWith("/dev/pts/") || device.startsWith("/dev/tty");
        } catch (IOException | UnsupportedOperationException e) {
            return false;
        }
    }

    /** Returns how many columns the terminal has now; empty where it does not know, such as a serial line. */
    static OptionalInt columns(int descriptor) {
        return Ioctl.FOUND.map(ioctl -> columns(ioctl, descriptor)).orElse(OptionalInt.empty());
    }

    private static OptionalInt columns(MethodHandle ioctl, int descriptor) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment size = arena.allocate(SIZE_BYTES, Short.BYTES);
            int result = (int) ioctl.invokeExact(descriptor, TIOCGWINSZ, size);
            int columns = Short.toUnsignedInt(size.get(ValueLayout.JAVA_SHORT, COLUMNS_AT));
            return result == 0 && columns > 0 ? OptionalInt.of(columns) : OptionalInt.empty();
        } catch (Throwable e) {
            // A method handle declares that it may throw anything; this one calls C.
            return OptionalInt.empty();
        }
    }
}
