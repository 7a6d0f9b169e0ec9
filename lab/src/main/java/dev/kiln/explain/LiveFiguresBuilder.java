package dev.kiln.explain;

import dev.kiln.model.CgroupSample;
import dev.kiln.model.CompilerSample;
import dev.kiln.model.JitSample;
import dev.kiln.model.PartSample;
import dev.kiln.model.ThreadRole;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.function.Function;

/** Digests the evidence of the time watched into figures. */
record LiveFiguresBuilder(Situation s) {
    LiveFigures build() {
        OptionalDouble target = targetCpu();
        Situation.Use c2 = use(ThreadRole.C2);
        Situation.Use c1 = use(ThreadRole.C1);
        double own = c2.cpu()
                + c1.cpu()
                + use(ThreadRole.GC).cpu()
                + use(ThreadRole.VM).cpu();
        boolean c2Seen = s.threads().has(ThreadRole.C2);
        boolean c1Seen = s.threads().has(ThreadRole.C1);
        return new LiveFigures(
                s.seconds(),
                target,
                target.isPresent() ? OptionalDouble.of(Math.max(0, target.getAsDouble() - own)) : target,
                given(c2Seen, c2.cpu()),
                given(c2Seen && s.waitsRecorded(), c2.waiting()),
                given(c1Seen, c1.cpu()),
                given(c1Seen && s.waitsRecorded(), c1.waiting()),
                s.efficiency(),
                compilationsPerSecond(),
                lastInt(JitSample::c1Queue),
                lastInt(JitSample::c2Queue),
                last(JitSample::levels),
                level4Growth(),
                throttled());
    }

    private Situation.Use use(ThreadRole role) {
        return s.use(role, s.window());
    }

    private static OptionalDouble given(boolean known, double value) {
        return known ? OptionalDouble.of(value) : OptionalDouble.empty();
    }

    /** Of the whole process by the kernel's own sum: threads that were not looked at and those that died are in it. */
    private OptionalDouble targetCpu() {
        List<PartSample> target = s.within(
                s.evidence().parts().stream()
                        .filter(part -> part.part().equals("target"))
                        .toList(),
                PartSample::timeNanos);
        if (target.size() < 2) {
            return s.target().map(use -> OptionalDouble.of(use.cpu())).orElse(OptionalDouble.empty());
        }
        PartSample first = target.getFirst();
        PartSample last = target.getLast();
        return OptionalDouble.of(
                (last.cpuNanos() - first.cpuNanos()) / (double) (last.timeNanos() - first.timeNanos()));
    }

    private OptionalDouble compilationsPerSecond() {
        List<CompilerSample> samples = s.within(s.evidence().compiler(), CompilerSample::timeNanos);
        return samples.size() < 2
                ? OptionalDouble.empty()
                : OptionalDouble.of(1e9
                        * (samples.getLast().compilations() - samples.getFirst().compilations())
                        / (samples.getLast().timeNanos() - samples.getFirst().timeNanos()));
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
        return OptionalDouble.of(
                1e9 * grown / (asked.getLast().timeNanos() - asked.getFirst().timeNanos()));
    }

    private OptionalDouble throttled() {
        List<CgroupSample> samples = s.within(s.evidence().cgroup(), CgroupSample::timeNanos);
        if (samples.size() < 2) {
            return OptionalDouble.empty();
        }
        long periods = samples.getLast().periods() - samples.getFirst().periods();
        long held = samples.getLast().throttledPeriods() - samples.getFirst().throttledPeriods();
        return OptionalDouble.of(periods > 0 ? (double) held / periods : 0);
    }

    /** A starved JVM is asked seldom: what waited minutes ago may be compiled by now. */
    private OptionalInt lastInt(Function<JitSample, OptionalInt> part) {
        double oldest = s.window().toNanos() - Thresholds.QUEUE_AGE_SECONDS * 1e9;
        return last(sample -> sample.timeNanos() >= oldest && part.apply(sample).isPresent()
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
