package dev.kiln.load.driver;

import dev.kiln.host.proc.CpuLists;
import dev.kiln.host.proc.ProcFs;
import dev.kiln.host.proc.ProcStat.Sched;
import dev.kiln.host.proc.ProcStatus;
import java.util.List;
import java.util.OptionalInt;

/**
 * How many event loops a session may have, and on which CPUs.
 *
 * @param least from the start
 * @param cpus of the driver's process, for one loop each; none where loops are neither pinned nor watched
 * @param busy share of a CPU from which a loop needs another beside it
 */
record LoopCpus(int least, List<Integer> cpus, double busy) {
    /** Before a loop is late, and above what one loop needs for most services; a guess. */
    private static final double BUSY = 0.8;

    /** Tests say here how many loops they want, however many CPUs there are. */
    static final String PROPERTY = "kiln.driver.loops";

    /** So many loops, and they stay. */
    static LoopCpus always(int loops) {
        return new LoopCpus(loops, List.of(), BUSY);
    }

    /** Of this process. */
    static LoopCpus ofThisJvm() {
        String status = ProcFs.ofThisMachine().text("proc/self/status").orElse("");
        return new LoopCpus(
                Math.max(1, Integer.getInteger(PROPERTY, 1)),
                CpuLists.parse(ProcStatus.field(status, "Cpus_allowed_list")),
                BUSY);
    }

    /** The most loops of a load. */
    int most(int connections) {
        return Math.min(connections, Math.max(least, cpus.size()));
    }

    /** The CPUs of a loop once there are several. */
    List<Integer> of(int loop) {
        return List.of(cpus.get(loop % cpus.size()));
    }

    /** CPU time of a thread since it began; 0 where the kernel does not tell. */
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
