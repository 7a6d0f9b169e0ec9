package dev.kiln.load;

import dev.kiln.host.proc.ProcFs;
import dev.kiln.host.proc.ThreadTable;
import dev.kiln.host.proc.ThreadTable.Counters;
import dev.kiln.model.load.LoadBin;
import dev.kiln.model.run.Course.Handshakes;
import dev.kiln.model.run.Course.Hung;
import dev.kiln.model.run.Course.Unserved;
import java.util.List;
import java.util.Optional;

/** A PhaseResult is a load phase as a whole, in ns since launch; its series is in the evidence files. */
public record PhaseResult(
        String phase,
        long startNanos,
        long endNanos,
        Requests requests,
        boolean cancelled,
        DriverWork work,
        List<String> warnings) {
    public PhaseResult {
        warnings = List.copyOf(warnings);
    }

    /** Returns the requests and the lag that no bin counts. */
    public Unserved unserved() {
        return new Unserved(
                requests.unfinished(), requests.unsent(), requests.resent(), work.maxLagNanos(), requests.hung());
    }

    /**
     * Requests counts a phase's requests by their outcome.
     *
     * @param completed successful responses within the phase
     * @param unfinished still in flight at the phase's end: started, but neither completed nor failed
     * @param unsent due by the phase's end and never sent (open loop)
     * @param resent sent a second time, because the server closed an idle connection just as they were sent
     * @param hung which of those that were still in flight hung; empty where that is not known
     */
    public record Requests(
            long started,
            long completed,
            LoadBin.Errors errors,
            long unfinished,
            long unsent,
            long resent,
            Optional<Hung> hung) {}

    /**
     * DriverWork is what sending the phase took of the driver.
     *
     * @param cost of the driver's own process during the phase
     * @param loops share of a CPU that each event loop of the driver used; none for a driver with one, and where that is not
     *     known
     * @param maxLagNanos longest time for which the generator itself was late
     */
    public record DriverWork(Handshakes handshakes, Cost cost, List<Double> loops, long maxLagNanos) {
        public DriverWork {
            loops = List.copyOf(loops);
        }

        /** Returns the work of a program that reports its cost alone. */
        public static DriverWork of(Cost cost) {
            return new DriverWork(Handshakes.NONE, cost, List.of(), 0);
        }
    }

    /**
     * A Cost is the CPU time that a process used, from the scheduler. The beans of java.lang.management count in ms and by the
     * wall, which is too coarse for 1 % of a driver that uses 3 % of a CPU.
     *
     * @param cpuNanos all threads, those below included
     * @param jitNanos the JIT compilers' threads
     * @param gcNanos the threads that collect garbage (with the serial collector, the VM thread and all it does)
     */
    public record Cost(long cpuNanos, long jitNanos, long gcNanos) {
        public static final Cost NONE = new Cost(0, 0, 0);

        /** Reads the cost of this JVM since it began; zeros where the kernel does not report it. */
        public static Cost ofThisJvm() {
            return ofJvm(ProcessHandle.current().pid());
        }

        /** Reads the cost of a JVM since it began, without its threads that have ended. */
        public static Cost ofJvm(long pid) {
            try (ThreadTable threads = new ThreadTable(ProcFs.ofThisMachine(), pid, Integer.MAX_VALUE, name -> true)) {
                return threads.refresh().stream()
                        .map(threads::read)
                        .flatMap(Optional::stream)
                        .map(Cost::of)
                        .reduce(NONE, Cost::plus);
            }
        }

        private static Cost of(Counters thread) {
            String name = thread.name();
            boolean jit = compiles(name);
            boolean gc = name.startsWith("VM Thread") || name.startsWith("GC Thread");
            return new Cost(thread.cpuNanos(), jit ? thread.cpuNanos() : 0, gc ? thread.cpuNanos() : 0);
        }

        /** Tells whether a thread of this name is a JIT compiler's. */
        public static boolean compiles(String thread) {
            return thread.startsWith("C1 Comp") || thread.startsWith("C2 Comp");
        }

        private Cost plus(Cost o) {
            return new Cost(cpuNanos + o.cpuNanos, jitNanos + o.jitNanos, gcNanos + o.gcNanos);
        }

        public Cost minus(Cost o) {
            return new Cost(cpuNanos - o.cpuNanos, jitNanos - o.jitNanos, gcNanos - o.gcNanos);
        }

        public double jitShare() {
            return cpuNanos == 0 ? 0 : (double) jitNanos / cpuNanos;
        }
    }
}
