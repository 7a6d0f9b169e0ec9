package dev.kiln.host.proc;

import dev.kiln.model.KilnException;
import java.io.Closeable;
import java.io.FileInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalInt;

/** ProcFs reads /proc and /sys below a root, / but in tests; see {@link HotFile} for files read often. */
public final class ProcFs {
    private final Path root;

    public ProcFs(Path root) {
        this.root = root;
    }

    /** Returns the files of this machine's kernel; throws where that is not Linux. */
    public static ProcFs ofThisMachine() {
        String system = System.getProperty("os.name", "an unknown system");
        if (!system.equals("Linux")) {
            throw KilnException.machine(
                    "Kiln observes processes on Linux, and this machine has " + system,
                    "results can be read here: report, compare, explain, gate, import, serve. To measure, run Kiln in a"
                            + " container or on a machine with Linux");
        }
        return new ProcFs(Path.of("/"));
    }

    /** Returns a path below the root. */
    public Path path(String relative) {
        return root.resolve(relative);
    }

    /** Returns the file's text, or empty where it does not exist, cannot be read or its process has died. */
    public Optional<String> text(String relative) {
        // One read of many bytes. Files.readAllBytes would read one byte first, because the file claims to be empty.
        // A number below /proc/sys gives nothing at a second read.
        try (InputStream file = new FileInputStream(path(relative).toFile())) {
            return Optional.of(new String(file.readNBytes(Integer.MAX_VALUE), StandardCharsets.UTF_8));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** Returns where a symbolic link leads, or empty where it cannot be read. */
    public Optional<String> link(String relative) {
        try {
            return Optional.of(Files.readSymbolicLink(path(relative)).toString());
        } catch (IOException | UnsupportedOperationException e) {
            return Optional.empty();
        }
    }

    /** Returns the number of the thread that asks; empty on another system than Linux. */
    public static OptionalInt thisThread() {
        try {
            Path thread = Files.readSymbolicLink(Path.of("/proc/thread-self"));
            return OptionalInt.of(Integer.parseInt(thread.getFileName().toString()));
        } catch (IOException | UnsupportedOperationException e) {
            return OptionalInt.empty();
        }
    }

    /** Returns the pids of all processes. */
    public int[] pids() {
        return numbersIn(path("proc"));
    }

    /** Returns the threads of a process; none when it has died. */
    public int[] tids(long pid) {
        return numbersIn(path("proc/" + pid + "/task"));
    }

    /** Returns a file of one thread, such as {@code comm} or {@code schedstat}. */
    Path taskPath(long pid, int tid, String file) {
        return path("proc/" + pid + "/task/" + tid + "/" + file);
    }

    /** Returns the same file's text; empty when the thread has died. */
    public Optional<String> taskText(long pid, int tid, String file) {
        return text("proc/" + pid + "/task/" + tid + "/" + file);
    }

    /** Returns the name of a thread, cut to 15 bytes; the empty text when it has died. */
    public String threadName(long pid, int tid) {
        return taskText(pid, tid, "comm").orElse("").strip();
    }

    /** Tells whether the process with that start time is still there: a pid alone may have been given to another. */
    public boolean isAlive(long pid, long startTicks) {
        return stat(pid)
                .filter(stat -> stat.startTicks() == startTicks && !stat.isDead())
                .isPresent();
    }

    public Optional<ProcStat> stat(long pid) {
        return text("proc/" + pid + "/stat").flatMap(ProcStat::parse);
    }

    /** java.io lists a directory of 200 entries several times faster than java.nio, which makes a Path of each. */
    private static int[] numbersIn(Path directory) {
        String[] names = directory.toFile().list();
        if (names == null) {
            return new int[0];
        }
        int[] numbers = new int[names.length];
        int count = 0;
        for (String name : names) {
            if (Character.isDigit(name.charAt(0))) {
                numbers[count++] = Integer.parseInt(name);
            }
        }
        return Arrays.copyOf(numbers, count);
    }

    /**
     * A HotFile is one of /proc or /sys that is read again and again. Reading an open file from position 0 makes the
     * kernel generate it again, at a tenth of the cost of opening it each time. It is a RandomAccessFile because a
     * recorder spends its first minute in the interpreter, where the read of a channel costs twice as much. Once
     * compiled, both cost the same.
     */
    public static final class HotFile implements Closeable {
        /** Up to this size java.io reads through the stack, above it allocates for each read. */
        private static final int CHUNK = 8192;

        private final RandomAccessFile file;

        /** A Buffer is what files are read into: one for all files of a thread. */
        static final class Buffer {
            private final ProcText text = new ProcText(CHUNK);
        }

        /**
         * @throws AccessDeniedException when the file exists but cannot be opened. For java.io this is the same exception
         *     as the death of the process, with another message in the user's language
         */
        HotFile(Path file) throws IOException {
            try {
                this.file = new RandomAccessFile(file.toFile(), "r");
            } catch (FileNotFoundException e) {
                if (Files.exists(file)) {
                    throw new AccessDeniedException(file.toString(), null, e.getMessage());
                }
                throw e;
            }
        }

        /** Returns the file as it is now, until the buffer's next read; fails when its process has died. */
        ProcText read(Buffer buffer) throws IOException {
            ProcText text = buffer.text;
            file.seek(0);
            int length = file.read(text.bytes, 0, CHUNK);
            // One read gives all of a small /proc file; a second one, to see its end, would double the cost.
            int read = length;
            while (read == CHUNK) {
                if (text.bytes.length - length < CHUNK) {
                    text.bytes = Arrays.copyOf(text.bytes, text.bytes.length * 2);
                }
                read = file.read(text.bytes, length, CHUNK);
                length += Math.max(read, 0);
            }
            if (length <= 0) {
                throw new IOException("empty");
            }
            text.length = length;
            return text.at(0);
        }

        /** A failure is ignored: closing a file that was only read loses nothing. */
        @Override
        public void close() {
            try {
                file.close();
            } catch (IOException e) {
                // Nothing to lose.
            }
        }
    }
}
