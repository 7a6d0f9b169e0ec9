package dev.kiln.explain.window;

import dev.kiln.model.run.FlightDigest;
import dev.kiln.model.run.FlightDigest.FlightCompilations;
import dev.kiln.model.run.FlightDigest.TierShare;
import dev.kiln.model.run.RunEvidence;
import dev.kiln.model.run.Sample.CompilerSample;
import dev.kiln.model.run.Sample.JitSample;
import dev.kiln.model.run.Treatment.AotUse;
import dev.kiln.stats.Descriptive;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;

/** A JitWindow computes what the compilers and their code did in a window of the run. */
record JitWindow(RunEvidence evidence, Window window) {
    private static final long SECOND = 1_000_000_000L;
    private static final long AGE_NANOS = Math.round(Thresholds.QUEUE_AGE_SECONDS * SECOND);

    WindowStatistics.Jit statistics() {
        List<JitSample> within = window.of(evidence.jit(), JitSample::timeNanos);
        return new WindowStatistics.Jit(
                Descriptive.median(within.stream()
                        .filter(sample -> sample.c2Queue().isPresent())
                        .mapToDouble(sample -> sample.c2Queue().getAsInt())),
                Descriptive.median(within.stream()
                        .flatMap(sample -> sample.levels().stream())
                        .filter(levels -> levels.level2() + levels.level3() > 0)
                        .mapToDouble(levels -> 100.0 * levels.level3() / (levels.level2() + levels.level3()))),
                new WindowStatistics.AotYield(
                        evidence.info().treatment().aot().stream()
                                .flatMapToLong(use -> use.sharedClasses().stream())
                                .asDoubleStream()
                                .findFirst(),
                        evidence.info().treatment().aot().flatMap(AotUse::coverage).stream()
                                .mapToDouble(Double::doubleValue)
                                .findFirst()),
                compiled(),
                new WindowStatistics.SampledFrames(frames(TierShare::c1), frames(TierShare::inlined)),
                new WindowStatistics.NotEntrant(
                        evidence.jit().stream()
                                        .anyMatch(sample -> sample.levels().isPresent()
                                                && sample.timeNanos() >= Recorded.end(evidence) - AGE_NANOS)
                                ? notEntrant(0, Long.MAX_VALUE)
                                : OptionalDouble.empty(),
                        notEntrant(window.fromNanos(), window.toNanos())));
    }

    private WindowStatistics.Compiled compiled() {
        return new WindowStatistics.Compiled(
                growth(CompilerSample::compilations),
                growth(CompilerSample::codeBytes).stream()
                        .map(bytes -> bytes / 1e3 / window.seconds())
                        .findFirst(),
                recorded(FlightDigest::compilations, FlightCompilations::timeNanos).stream()
                        .mapToDouble(compilations -> compilations.maxNanos() / 1e9)
                        .max());
    }

    /** Returns by how much the code that may not be entered grew; empty where that was not recorded. */
    private OptionalDouble notEntrant(long fromNanos, long toNanos) {
        OptionalDouble before = fromNanos == 0 ? OptionalDouble.of(0) : lastNotEntrant(0, fromNanos);
        OptionalDouble after = lastNotEntrant(fromNanos, toNanos);
        return before.isPresent() && after.isPresent()
                ? OptionalDouble.of(after.getAsDouble() - before.getAsDouble())
                : OptionalDouble.empty();
    }

    private OptionalDouble lastNotEntrant(long afterNanos, long toNanos) {
        return evidence.jit().stream()
                .filter(sample -> sample.timeNanos() > afterNanos && sample.timeNanos() <= toNanos)
                .flatMap(sample -> sample.levels().stream())
                .flatMapToInt(levels -> levels.notEntrant().stream())
                .asDoubleStream()
                .reduce((earlier, later) -> later);
    }

    /** Returns one kind of frame in per cent of the execution samples in the window; empty without samples. */
    private OptionalDouble frames(ToIntFunction<TierShare> kind) {
        List<TierShare> within = recorded(FlightDigest::tiers, TierShare::timeNanos);
        long all = within.stream()
                .mapToLong(tier -> tier.interpreted() + tier.c1() + tier.c2() + tier.inlined() + tier.nativeCode())
                .sum();
        return all == 0
                ? OptionalDouble.empty()
                : OptionalDouble.of(100.0 * within.stream().mapToInt(kind).sum() / all);
    }

    /** Returns the rows of the window; a row is of the second that begins at its time, and only whole seconds count. */
    private <T> List<T> recorded(Function<FlightDigest, List<T>> rows, ToLongFunction<T> time) {
        return evidence.flight().map(rows).orElse(List.of()).stream()
                .filter(row -> time.applyAsLong(row) >= window.fromNanos()
                        && time.applyAsLong(row) + SECOND <= window.toNanos())
                .toList();
    }

    /** Returns a compilers' counter's growth, from the last sample before the window to its last. */
    private OptionalDouble growth(ToLongFunction<CompilerSample> counter) {
        Optional<CompilerSample> from = before(window.fromNanos());
        Optional<CompilerSample> to = before(window.toNanos());
        return from.isEmpty() || to.isEmpty() || from.equals(to)
                ? OptionalDouble.empty()
                : OptionalDouble.of(counter.applyAsLong(to.get()) - counter.applyAsLong(from.get()));
    }

    /** Returns the last sample up to a moment; at the launch it is zero, as nothing has been compiled. */
    private Optional<CompilerSample> before(long nanos) {
        return nanos == 0
                ? Optional.of(new CompilerSample(0, 0, 0, 0, 0, 0, 0))
                : evidence.compiler().stream()
                        .filter(sample -> sample.timeNanos() <= nanos)
                        .reduce((earlier, later) -> later);
    }
}
