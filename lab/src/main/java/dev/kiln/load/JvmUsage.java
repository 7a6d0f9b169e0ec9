package dev.kiln.load;

import dev.kiln.load.PhaseResult.Cost;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * CPU time of the threads of a JVM, from the scheduler, in ns. The beans of java.lang.management count in ms and by the wall,
 * which is too coarse for 1 % of a driver that uses 3 % of a CPU.
 */
public final class JvmUsage {
    private JvmUsage() {}

    /** Of this JVM since it began; zeros where the kernel does not say. */
    static Cost own() {
        return of(Path.of("/proc/self/task"));
    }

    /** Of another JVM since it began, less its threads that have ended. */
    public static Cost of(long pid) {
        return of(Path.of("/proc", Long.toString(pid), "task"));
    }

    private static Cost of(Path all) {
        long cpu = 0;
        long jit = 0;
        long gc = 0;
        try (DirectoryStream<Path> tasks = Files.newDirectoryStream(all)) {
            for (Path task : tasks) {
                long nanos = onCpu(task);
                String name = read(task.resolve("comm"));
                cpu += nanos;
                if (name.startsWith("C1 Compiler") || name.startsWith("C2 Compiler")) {
                    jit += nanos;
                } else if (name.startsWith("VM Thread") || name.startsWith("GC Thread")) {
                    gc += nanos;
                }
            }
        } catch (IOException e) {
            return new Cost(0, 0, 0);
        }
        return new Cost(cpu, jit, gc);
    }

    private static long onCpu(Path task) {
        String schedstat = read(task.resolve("schedstat"));
        int space = schedstat.indexOf(' ');
        return space < 0 ? 0 : Long.parseLong(schedstat.substring(0, space));
    }

    /** Empty when the thread has just ended. */
    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return "";
        }
    }
}
