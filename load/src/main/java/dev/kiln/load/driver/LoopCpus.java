package dev.kiln.load.driver;

import dev.kiln.host.proc.ProcFs;
import dev.kiln.host.proc.ProcStat.Sched;
import dev.kiln.host.proc.ProcStatus;
import dev.kiln.host.proc.Topology.CpuLists;
import java.util.List;
import java.util.OptionalInt;

/**
 * LoopCpus say how many event loops a session may have, and on which CPUs.
 *
 * @param least from the start
 * @param cpus of the driver's process, for one loop each; none where loops are neither pinned nor watched
 * @param busy share of a CPU from which a loop needs another beside it
 */
record LoopCpus(int least, List<Integer> cpus, double busy) {
    /** The share is below that at which a loop is late, and above what most services need; a guess. */
    private static final double BUSY = 0.8;

    /** Tests set this property to the number of loops that they want, however many CPUs there are. */
    static final String PROPERTY = "kiln.driver.loops";

    /** Returns settings for a fixed number of loops. */
    static LoopCpus always(int loops) {
        return new LoopCpus(loops, List.of(), BUSY);
    }

    /** Reads the CPUs that this process may use. */
    static LoopCpus ofThisJvm() {
        String status = ProcFs.ofThisMachine().text("proc/self/status").orElse("");
        return new LoopCpus(
                Math.max(1, Integer.getInteger(PROPERTY, 1)),
                CpuLists.parse(ProcStatus.field(status, "Cpus_allowed_list")),
                BUSY);
    }

    /** Returns how many loops a load may have at most. */
    int most(int connections) {
        return Math.min(connections, Math.max(least, cpus.size()));
    }

    /** Returns the CPU to which a loop is pinned once there are several. */
    List<Integer> of(int loop) {
        return List.of(cpus.get(loop % cpus.size()));
    }

    /** Returns the CPU time of a thread since it began, in ns; 0 where the kernel does not report it. */
    static long cpuNanos(OptionalInt tid) {
        return tid.isEmpty()
                ? 0
                : ProcFs.ofThisMachine()
                        .taskText(ProcessHandle.current().pid(), tid.getAsInt(), "schedstat")
                        .flatMap(Sched::parse)
                        .map(Sched::cpuNanos)
                        .orElse(0L);
    }
}
