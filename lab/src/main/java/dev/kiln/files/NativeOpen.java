package dev.kiln.files;

import java.nio.file.AccessDeniedException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;

/**
 * Opens a regular file, whatever somebody puts in its place meanwhile. A look before opening does not do: the file can be
 * exchanged for a pipe in between, and Java's open waits until somebody writes to a pipe. So Kiln first takes hold of what
 * is there with {@code O_PATH}, which neither waits nor touches a device, looks at that, and opens the very same thing.
 */
final class NativeOpen {
    /** Of {@code open(2)}, with the numbers of Linux on x86-64. */
    private static final int O_PATH = 0x20_0000;

    private static final int O_CLOEXEC = 0x8_0000;

    private static final int O_NOFOLLOW =
            System.getProperty("os.arch", "").equals("aarch64") ? 0x8000 : 0x2_0000; // asm-arm64/fcntl.h has its own

    /** The C library's functions. */
    private record Calls(MethodHandle open, MethodHandle close) {
        private static final Calls INSTANCE = make();

        @SuppressWarnings("restricted")
        private static Calls make() {
            Linker linker = Linker.nativeLinker();
            return new Calls(
                    linker.downcallHandle(
                            linker.defaultLookup().findOrThrow("open"),
                            FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_INT),
                            Linker.Option.firstVariadicArg(2)),
                    linker.downcallHandle(
                            linker.defaultLookup().findOrThrow("close"),
                            FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT)));
        }

        int hold(Path file, Links links) {
            try (Arena arena = Arena.ofConfined()) {
                return (int) open.invokeExact(
                        arena.allocateFrom(file.toAbsolutePath().toString()), O_PATH | O_CLOEXEC | (links == Links.REFUSED ? O_NOFOLLOW : 0));
            } catch (Throwable e) {
                // A method handle declares that it may throw anything; this one calls C.
                return -1;
            }
        }

        boolean release(int descriptor) {
            try {
                return (int) close.invokeExact(descriptor) == 0;
            } catch (Throwable e) {
                return false;
            }
        }
    }

    /** What becomes of a file that is a link. */
    enum Links {
        REFUSED,
        FOLLOWED
    }

    private NativeOpen() {}

    /** @param how to open what is there; nothing is made */
    static FileChannel regular(Path file, Links links, OpenOption... how) throws IOException {
        int held = Calls.INSTANCE.hold(file, links);
        if (held < 0) {
            // It is not there, or may not be reached: this says which.
            requireRegular(
                    file,
                    links == Links.REFUSED
                            ? Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
                            : Files.readAttributes(file, BasicFileAttributes.class));
            throw new FileSystemException(file.toString(), null, "it cannot be opened");
        }
        try {
            Path same = Path.of("/proc/self/fd/" + held);
            requireRegular(file, Files.readAttributes(same, BasicFileAttributes.class));
            return FileChannel.open(same, how);
        } catch (AccessDeniedException e) {
            throw new AccessDeniedException(file.toString());
        } finally {
            Calls.INSTANCE.release(held);
        }
    }

    private static void requireRegular(Path file, BasicFileAttributes found) throws IOException {
        if (!found.isRegularFile()) {
            throw new FileSystemException(
                    file.toString(),
                    null,
                    found.isSymbolicLink()
                            ? "it is a link, and Kiln follows none here"
                            : found.isDirectory() ? "it is a folder" : "it is no regular file, but a pipe or a device");
        }
    }
}
