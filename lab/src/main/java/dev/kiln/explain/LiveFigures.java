package dev.kiln.explain;

import dev.kiln.model.JitSample;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/**
 * A living JVM in the time watched. Shares are of one CPU unless said otherwise.
 *
 * @param seconds watched
 * @param targetCpu the whole process
 * @param programCpu the process without compilers, collector and the JVM's other own threads
 * @param c2Wait C2 threads waiting for a CPU on average
 * @param efficiency compilers' CPU time over compile time
 * @param compilationsPerSecond empty where the JVM's counters cannot be read
 * @param c2Queue methods that waited for C2 when it was last asked
 * @param levels methods in use by level when it was last asked
 * @param level4Growth methods at level 4 that came within the answers, per second
 * @param throttled share of the scheduler's periods in which a CPU limit held it back
 */
public record LiveFigures(
        double seconds,
        OptionalDouble targetCpu,
        OptionalDouble programCpu,
        OptionalDouble c2Cpu,
        OptionalDouble c2Wait,
        OptionalDouble c1Cpu,
        OptionalDouble c1Wait,
        OptionalDouble efficiency,
        OptionalDouble compilationsPerSecond,
        OptionalInt c1Queue,
        OptionalInt c2Queue,
        Optional<JitSample.Levels> levels,
        OptionalDouble level4Growth,
        OptionalDouble throttled) {

    /** Wait over wait and CPU of C2: 0.97 when starved by a hundred threads, at most a half when served. */
    public OptionalDouble c2WaitRatio() {
        double demand = c2Cpu.orElse(0) + c2Wait.orElse(0);
        return demand > 0 ? OptionalDouble.of(c2Wait.orElse(0) / demand) : OptionalDouble.empty();
    }

    /** CPU and wait of all compilers. */
    double compilerDemand() {
        return c2Cpu.orElse(0) + c2Wait.orElse(0) + c1Cpu.orElse(0) + c1Wait.orElse(0);
    }
}
