package dev.kiln.files;

import java.io.ByteArrayOutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * {@code openat(2)} with flags that Java does not offer. It takes hold of what is there, and neither waits nor reads. There is
 * none but on Linux, with a {@code /proc}, in a JVM that lets Kiln call C.
 */
final class NativeOpen {
    /** What this process has open, each under its number. */
    static final Path DESCRIPTORS = Path.of("/proc/self/fd");

    /** Instead of a folder: a name without one is one in the working directory. */
    static final int NO_FOLDER = -100;

    /** Of asm-generic/fcntl.h. */
    private static final int O_PATH = 0x20_0000;

    private static final int O_CLOEXEC = 0x8_0000;
    private static final int O_WRONLY = 1;

    /** Of linux/falloc.h. */
    private static final int KEEP_SIZE = 1;

    private static final int PUNCH_HOLE = 2;

    /** The kernel for aarch64 has a number of its own. */
    private static final int O_NOFOLLOW = System.getProperty("os.arch", "").equals("aarch64") ? 0x8000 : 0x2_0000;

    /** What becomes of a name that is a link. */
    enum Links {
        REFUSED,
        FOLLOWED
    }

    /** The C library's functions. */
    private record Calls(MethodHandle openat, MethodHandle close, MethodHandle fallocate) {
        private static final Optional<Calls> FOUND = find();

        private static Optional<Calls> find() {
            if (!System.getProperty("os.name", "").equals("Linux") || !Files.isDirectory(DESCRIPTORS)) {
                return Optional.empty();
            }
            try {
                return Optional.of(make());
            } catch (RuntimeException | LinkageError notAllowed) {
                return Optional.empty();
            }
        }

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
                            FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT)),
                    linker.downcallHandle(
                            linker.defaultLookup().findOrThrow("fallocate"),
                            FunctionDescriptor.of(
                                    ValueLayout.JAVA_INT,
                                    ValueLayout.JAVA_INT,
                                    ValueLayout.JAVA_INT,
                                    ValueLayout.JAVA_LONG,
                                    ValueLayout.JAVA_LONG)));
        }
    }

    private NativeOpen() {}

    static boolean usable() {
        return Calls.FOUND.isPresent();
    }

    private static Calls calls() {
        return Calls.FOUND.orElseThrow(
                () -> new UnsupportedOperationException("needs Linux, and a JVM with --enable-native-access"));
    }

    /**
     * A descriptor, or a negative number where there is nothing or it may not be reached.
     *
     * @param name absolute, or one name in the folder
     */
    static int hold(int folder, Path name, Links links) {
        return open(folder, name, O_PATH | O_CLOEXEC | (links == Links.REFUSED ? O_NOFOLLOW : 0));
    }

    /** {@code fallocate(2)}: the bytes are zeros afterwards and take no room. Whether the file system can do that. */
    static boolean hole(Path held, long from, long to) {
        int descriptor = open(NO_FOLDER, held, O_WRONLY | O_CLOEXEC);
        if (descriptor < 0) {
            return false;
        }
        MethodHandle fallocate = calls().fallocate;
        try {
            return (int) fallocate.invokeExact(descriptor, PUNCH_HOLE | KEEP_SIZE, from, to - from) == 0;
        } catch (Throwable e) {
            // As below.
            return false;
        } finally {
            release(descriptor);
        }
    }

    private static int open(int folder, Path name, int flags) {
        MethodHandle openat = calls().openat;
        byte[] bytes = bytes(name);
        try (Arena arena = Arena.ofConfined()) {
            var text = arena.allocate(bytes.length + 1L);
            text.copyFrom(MemorySegment.ofArray(bytes));
            return (int) openat.invokeExact(folder, text, flags);
        } catch (Throwable e) {
            // A method handle declares that it may throw anything; this one calls C.
            return -1;
        }
    }

    /**
     * A name is bytes to the kernel. Java's text of it has others where the locale lacks a character; its URI has each byte
     * that is no plain letter as {@code %XX}, and a slash behind a folder.
     */
    private static byte[] bytes(Path name) {
        String raw = name.toUri().getRawPath();
        if (raw.length() > 1 && raw.endsWith("/")) {
            raw = raw.substring(0, raw.length() - 1);
        }
        if (!name.isAbsolute()) {
            raw = raw.substring(raw.lastIndexOf('/') + 1);
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (int i = 0; i < raw.length(); i++) {
            boolean escaped = raw.charAt(i) == '%';
            bytes.write(escaped ? Integer.parseInt(raw, i + 1, i + 3, 16) : raw.charAt(i));
            i += escaped ? 2 : 0;
        }
        return bytes.toByteArray();
    }

    static void release(int descriptor) {
        MethodHandle close = calls().close;
        try {
            int closed = (int) close.invokeExact(descriptor);
            assert closed == 0;
        } catch (Throwable e) {
            // As above.
            return;
        }
    }
}
