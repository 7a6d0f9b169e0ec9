package dev.kiln.explain;

import java.util.List;

/**
 * A run's series for pictures, a value a second. Times are seconds since the first request of the first load phase;
 * start-up is before zero.
 *
 * @param load throughput, latency and errors of each second with load
 * @param jit C2's CPU and wait, and compilations, of each second since launch
 * @param memory resident set, as sampled
 * @param inside what the JVM, a recording and the cgroup told besides
 */
public record Curves(List<LoadPoint> load, List<JitPoint> jit, List<MemoryPoint> memory, Inside inside) {

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
}
