package dev.kiln.host.proc;

import dev.kiln.model.KilnException;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Reads /proc and /sys below a root, which is {@code /} except in tests. For files that are read often, see
 * {@link HotFile}.
 */
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

    /** A path below the root. */
    public Path path(String relative) {
        return root.resolve(relative);
    }

    /** The file's text, or empty where it does not exist, cannot be read or its process has died. */
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

    /** The number of the thread that asks; empty on another system than Linux. */
    public static OptionalInt thisThread() {
        try {
            Path thread = Files.readSymbolicLink(Path.of("/proc/thread-self"));
            return OptionalInt.of(Integer.parseInt(thread.getFileName().toString()));
        } catch (IOException | UnsupportedOperationException e) {
            return OptionalInt.empty();
        }
    }

    /** All processes. */
    public int[] pids() {
        return numbersIn(path("proc"));
    }

    /** Threads of a process; none when it has died. */
    public int[] tids(long pid) {
        return numbersIn(path("proc/" + pid + "/task"));
    }

    /** A file of one thread, such as {@code comm} or {@code schedstat}. */
    Path taskPath(long pid, int tid, String file) {
        return path("proc/" + pid + "/task/" + tid + "/" + file);
    }

    /** The same file's text; empty when the thread has died. */
    public Optional<String> taskText(long pid, int tid, String file) {
        return text("proc/" + pid + "/task/" + tid + "/" + file);
    }

    /** The name of a thread, cut to 15 bytes; the empty text when it has died. */
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
}
