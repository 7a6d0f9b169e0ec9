package dev.kiln.doctor;

import dev.kiln.explain.window.CpuUse;
import dev.kiln.explain.window.Thresholds;
import dev.kiln.explain.window.WindowEvidence;
import dev.kiln.explain.window.WindowStatistics;
import dev.kiln.model.run.JitState;
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
 * @param throttled share of the scheduler's periods in which a CPU limit held it back
 */
public record LiveFigures(
        double seconds,
        OptionalDouble targetCpu,
        OptionalDouble programCpu,
        OptionalDouble throttled,
        LiveCompiler c1,
        LiveCompiler c2,
        LiveCompilation compilation) {

    /**
     * A LiveCompiler is what the threads of C1 or of C2 got, and have left to do.
     *
     * @param waiting threads waiting for a CPU on average
     * @param queue methods that waited for it when it was last asked
     */
    public record LiveCompiler(OptionalDouble cpu, OptionalDouble waiting, OptionalInt queue) {
        /** Returns the wait over wait and CPU: 0.97 when starved by a hundred threads, at most a half when served. */
        OptionalDouble waitRatio() {
            double demand = demand();
            return demand > 0 ? OptionalDouble.of(waiting.orElse(0) / demand) : OptionalDouble.empty();
        }

        private double demand() {
            return cpu.orElse(0) + waiting.orElse(0);
        }
    }

    /**
     * A LiveCompilation is what the compilers have made of the program.
     *
     * @param efficiency compilers' CPU time over compile time
     * @param perSecond compilations; empty where the JVM's counters cannot be read
     * @param levels methods in use by level when it was last asked
     * @param level4Growth methods at level 4 that came within the answers, per second
     */
    public record LiveCompilation(
            OptionalDouble efficiency,
            OptionalDouble perSecond,
            Optional<JitState.CodeLevels> levels,
            OptionalDouble level4Growth) {}

    /** Returns CPU and wait of all compilers together. */
    double compilerDemand() {
        return c2.demand() + c1.demand();
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
                    s.cpuLimit().stream()
                            .mapToDouble(WindowEvidence.CpuLimit::share)
                            .findFirst(),
                    compiler(c1, JitSample::c1Queue),
                    compiler(c2, JitSample::c2Queue),
                    new LiveCompilation(
                            s.efficiency(), compilationsPerSecond(), last(JitSample::levels), level4Growth()));
        }

        private LiveCompiler compiler(Optional<CpuUse> use, Function<JitSample, OptionalInt> queue) {
            return new LiveCompiler(
                    given(use, CpuUse::cpu),
                    given(use.filter(known -> s.waitsRecorded()), CpuUse::waiting),
                    lastInt(queue));
        }

        private Optional<CpuUse> use(ThreadRole role) {
            return s.use(role, s.window()).filter(use -> s.threads().has(role));
        }

        private static OptionalDouble given(Optional<CpuUse> known, ToDoubleFunction<CpuUse> value) {
            return known.stream().mapToDouble(value).findFirst();
        }

        /** Returns the CPU of the process by the kernel's sum, which has threads that were not sampled or died. */
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

        /** Returns the last answer, if it is not old: a starved JVM is asked seldom, and much may have changed. */
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
