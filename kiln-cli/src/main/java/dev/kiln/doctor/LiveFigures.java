package dev.kiln.doctor;

import dev.kiln.explain.window.CpuUse;
import dev.kiln.explain.window.Thresholds;
import dev.kiln.explain.window.WindowEvidence;
import dev.kiln.explain.window.WindowStatistics;
import dev.kiln.model.run.Sample.CompilerSample;
import dev.kiln.model.run.Sample.JitSample;
import dev.kiln.model.run.Sample.ThreadRole;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * LiveFigures are the figures of a living JVM in the time watched. Shares are of one CPU unless said otherwise.
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
        Optional<JitSample.CodeLevels> levels,
        OptionalDouble level4Growth,
        OptionalDouble throttled) {

    /** Returns C2's wait over its wait and CPU: 0.97 when starved by a hundred threads, at most a half when served. */
    public OptionalDouble c2WaitRatio() {
        double demand = c2Cpu.orElse(0) + c2Wait.orElse(0);
        return demand > 0 ? OptionalDouble.of(c2Wait.orElse(0) / demand) : OptionalDouble.empty();
    }

    /** Returns CPU and wait of all compilers together. */
    double compilerDemand() {
        return c2Cpu.orElse(0) + c2Wait.orElse(0) + c1Cpu.orElse(0) + c1Wait.orElse(0);
    }

    static LiveFigures of(WindowEvidence s) {
        return new FiguresBuilder(s).build();
    }

    /** A FiguresBuilder digests the evidence of the time watched into figures. */
    private record FiguresBuilder(WindowEvidence s) {
        LiveFigures build() {
            OptionalDouble target = targetCpu();
            Optional<CpuUse> c2 = use(ThreadRole.C2);
            Optional<CpuUse> c1 = use(ThreadRole.C1);
            double own = Stream.of(c2, c1, use(ThreadRole.GC), use(ThreadRole.VM))
                    .flatMap(Optional::stream)
                    .mapToDouble(CpuUse::cpu)
                    .sum();
            return new LiveFigures(
                    s.seconds(),
                    target,
                    target.isPresent() ? OptionalDouble.of(Math.max(0, target.getAsDouble() - own)) : target,
                    given(c2, CpuUse::cpu),
                    given(c2.filter(use -> s.waitsRecorded()), CpuUse::waiting),
                    given(c1, CpuUse::cpu),
                    given(c1.filter(use -> s.waitsRecorded()), CpuUse::waiting),
                    s.efficiency(),
                    compilationsPerSecond(),
                    lastInt(JitSample::c1Queue),
                    lastInt(JitSample::c2Queue),
                    last(JitSample::levels),
                    level4Growth(),
                    s.cpuLimit().stream()
                            .mapToDouble(WindowEvidence.CpuLimit::share)
                            .findFirst());
        }

        private Optional<CpuUse> use(ThreadRole role) {
            return s.use(role, s.window()).filter(use -> s.threads().has(role));
        }

        private static OptionalDouble given(Optional<CpuUse> known, ToDoubleFunction<CpuUse> value) {
            return known.stream().mapToDouble(value).findFirst();
        }

        /**
         * Returns the CPU of the whole process by the kernel's own sum, which also holds threads that were not sampled
         * or have died.
         */
        private OptionalDouble targetCpu() {
            return s.part("target")
                    // Of less than a second there is no share.
                    .filter(part -> part.cpuShare() > 0 || s.target().isPresent())
                    .map(WindowStatistics.PartUse::cpuShare)
                    .or(() -> s.target().map(CpuUse::cpu))
                    .map(OptionalDouble::of)
                    .orElse(OptionalDouble.empty());
        }

        private OptionalDouble compilationsPerSecond() {
            List<CompilerSample> samples = s.within(s.evidence().compiler(), CompilerSample::timeNanos);
            return samples.size() < 2
                    ? OptionalDouble.empty()
                    : OptionalDouble.of(WindowEvidence.compilationsPerSecond(samples));
        }

        private OptionalDouble level4Growth() {
            List<JitSample> asked = s.within(s.evidence().jit(), JitSample::timeNanos).stream()
                    .filter(sample -> sample.levels().isPresent())
                    .toList();
            if (asked.size() < 2) {
                return OptionalDouble.empty();
            }
            int grown = asked.getLast().levels().orElseThrow().level4()
                    - asked.getFirst().levels().orElseThrow().level4();
            return OptionalDouble.of(1e9
                    * grown
                    / (asked.getLast().timeNanos() - asked.getFirst().timeNanos()));
        }

        /**
         * Returns the last answer, if it is not old: a starved JVM is asked seldom, and what waited minutes ago may be
         * compiled by now.
         */
        private OptionalInt lastInt(Function<JitSample, OptionalInt> part) {
            double oldest = s.window().toNanos() - Thresholds.QUEUE_AGE_SECONDS * 1e9;
            return last(sample ->
                            sample.timeNanos() >= oldest && part.apply(sample).isPresent()
                                    ? Optional.of(part.apply(sample).getAsInt())
                                    : Optional.<Integer>empty())
                    .map(OptionalInt::of)
                    .orElse(OptionalInt.empty());
        }

        private <T> Optional<T> last(Function<JitSample, Optional<T>> part) {
            return s.evidence().jit().stream()
                    .filter(sample -> sample.timeNanos() <= s.window().toNanos())
                    .flatMap(sample -> part.apply(sample).stream())
                    .reduce((earlier, later) -> later);
        }
    }
}
