package dev.kiln.load;

import dev.kiln.host.ProcFs;
import dev.kiln.host.ThreadTable;
import dev.kiln.host.ThreadTable.Counters;
import dev.kiln.load.PhaseResult.Cost;
import java.util.Optional;

/**
 * CPU time of the threads of a JVM, from the scheduler, in ns. The beans of java.lang.management count in ms and by the wall,
 * which is too coarse for 1 % of a driver that uses 3 % of a CPU.
 */
public final class JvmUsage {
    private JvmUsage() {}

    /** Of this JVM since it began; zeros where the kernel does not say. */
    public static Cost own() {
        return of(ProcessHandle.current().pid());
    }

    /** Of another JVM since it began, less its threads that have ended. */
    public static Cost of(long pid) {
        try (ThreadTable threads = new ThreadTable(ProcFs.ofThisMachine(), pid)) {
            return threads.refresh().stream()
                    .map(threads::read)
                    .flatMap(Optional::stream)
                    .map(JvmUsage::of)
                    .reduce(new Cost(0, 0, 0), Cost::plus);
        }
    }

    private static Cost of(Counters thread) {
        String name = thread.name();
        boolean jit = name.startsWith("C1 Compiler") || name.startsWith("C2 Compiler");
        boolean gc = name.startsWith("VM Thread") || name.startsWith("GC Thread");
        return new Cost(thread.cpuNanos(), jit ? thread.cpuNanos() : 0, gc ? thread.cpuNanos() : 0);
    }
}
