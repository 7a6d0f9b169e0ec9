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
 * NativeOpen calls {@code openat(2)} with flags that Java does not offer. It holds a file or folder, and neither waits
 * nor reads. It is usable only on Linux, with a {@code /proc}, in a JVM that lets Kiln call C.
 */
final class NativeOpen {
    /** This folder has everything that this process has open, each under the number of its descriptor. */
    static final Path DESCRIPTORS = Path.of("/proc/self/fd");

    /** This number stands for a folder: a name is then one in the working directory. */
    static final int NO_FOLDER = -100;

    /** This flag is from asm-generic/fcntl.h: the file is held, but neither read nor written. */
    private static final int O_PATH = 0x20_0000;

    private static final int O_CLOEXEC = 0x8_0000;
    private static final int O_WRONLY = 1;

    /** This flag is from linux/falloc.h: the file keeps its size. */
    private static final int KEEP_SIZE = 1;

    private static final int PUNCH_HOLE = 2;

    /** This flag has a number of its own in the kernel for aarch64. */
    private static final int O_NOFOLLOW = System.getProperty("os.arch", "").equals("aarch64") ? 0x8000 : 0x2_0000;

    /** Links says whether a name that is a link is refused or followed. */
    enum Links {
        REFUSED,
        FOLLOWED
    }

    /** FileCalls are the functions of the C library that are used here. */
    private record FileCalls(MethodHandle openat, MethodHandle close, MethodHandle fallocate) {
        private static final Optional<FileCalls> FOUND = find();

        private static Optional<FileCalls> find() {
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
        private static FileCalls make() {
            Linker linker = Linker.nativeLinker();
            return new FileCalls(
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
        return FileCalls.FOUND.isPresent();
    }

    private static FileCalls calls() {
        return FileCalls.FOUND.orElseThrow(
                () -> new UnsupportedOperationException("needs Linux, and a JVM with --enable-native-access"));
    }

    /** Holds a file or folder by an absolute path or a name in a folder; negative where it cannot. */
    static int hold(int folder, Path name, Links links) {
        return open(folder, name, O_PATH | O_CLOEXEC | (links == Links.REFUSED ? O_NOFOLLOW : 0));
    }

    /** Calls {@code fallocate(2)} to make zeros without room; tells whether the file system can do that. */
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
     * Returns the bytes that the kernel has for a name. Java's text of it has others where the locale lacks a
     * character; its URI has each byte that is no plain letter as {@code %XX}, and a slash behind a folder.
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
