package dev.kiln.explain;

import dev.kiln.stats.Fall;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;

/**
 * A run's series for pictures, a value a second. Times are seconds since the first request of the first load phase;
 * start-up is before zero.
 *
 * @param load throughput, latency and errors of each second with load
 * @param cpu the target's CPU in each second with load in which it is known
 * @param jit C2's CPU and wait, and compilations, of each second since launch
 * @param memory resident set, as sampled
 * @param inside what the JVM, a recording and the cgroup told besides
 */
public record Curves(
        List<LoadPoint> load, List<CpuPoint> cpu, List<JitPoint> jit, List<MemoryPoint> memory, Inside inside) {

    public record LoadPoint(
            String phase, double second, double requestsPerSecond, double p50Millis, double p99Millis, long errors) {}

    /**
     * C2 in one second.
     *
     * @param c2Cpu share of one CPU
     * @param c2Wait C2 threads waiting for a CPU on average
     */
    public record JitPoint(double second, double c2Cpu, double c2Wait) {}

    public record MemoryPoint(double second, long rssBytes) {}

    /**
     * The target's CPU around one second of load: over the shortest stretch between two recorded rows that covers it, so that
     * requests and CPU are of the same time.
     *
     * @param requests successful responses per second
     * @param used CPU seconds of the target, all its threads and children, per second
     * @param idle idle CPU seconds per second of the CPUs that the target may use; NaN where not recorded
     */
    public record CpuPoint(String phase, double second, double requests, double used, double idle) {
        /** CPU per second below which its steps of 10 ms, one each for user and system time, would be over a tenth. */
        private static final double LEAST_USED = 0.05;

        /** NaN where the target used too little CPU to tell. */
        public double requestsPerCpuSecond() {
            return used < LEAST_USED ? Double.NaN : requests / used;
        }
    }

    /** Why throughput fell from one stretch to another, in seconds of these curves; empty if it did not, or CPU is not known. */
    public Optional<Fall> fall(
            double beforeFrom, double beforeTo, double afterFrom, double afterTo, double binSeconds) {
        return Fall.between(
                seconds(point -> point.second() >= beforeFrom && point.second() < beforeTo),
                seconds(point -> point.second() >= afterFrom && point.second() < afterTo),
                binSeconds);
    }

    /**
     * Seconds in which throughput fell below its surroundings and why, in one phase.
     *
     * @param from since the first request
     * @param to exclusive
     * @param lost share of the throughput around
     */
    public record Dip(double from, double to, double lost, Fall.Because because) {}

    /** By phase; a second more or less on both sides, as CPU is known between rows a second apart. */
    public List<Dip> dips(double binSeconds) {
        List<Dip> dips = new ArrayList<>();
        for (String phase : cpu.stream().map(CpuPoint::phase).distinct().toList()) {
            List<CpuPoint> points =
                    cpu.stream().filter(point -> point.phase().equals(phase)).toList();
            for (Fall.Dip dip : Fall.dips(seconds(point -> point.phase().equals(phase)))) {
                dips.add(new Dip(
                        points.get(dip.from()).second(),
                        points.get(dip.to() - 1).second() + binSeconds,
                        dip.lost(),
                        dip.because()));
            }
        }
        return dips;
    }

    private Fall.Seconds seconds(Predicate<CpuPoint> which) {
        List<CpuPoint> points = cpu.stream().filter(which).toList();
        return new Fall.Seconds(
                column(points, CpuPoint::requests), column(points, CpuPoint::used), column(points, CpuPoint::idle));
    }

    private static double[] column(List<CpuPoint> points, ToDoubleFunction<CpuPoint> value) {
        return points.stream().mapToDouble(value).toArray();
    }
}
