package dev.kiln.explain;

import dev.kiln.model.JitSample;
import dev.kiln.model.RunEvidence;
import dev.kiln.model.Treatment.AotUse;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.DoubleStream;

/**
 * Figures of a run that only claims ask for.
 *
 * @param c2Queue methods waiting for C2, median over the window
 * @param level3Percent methods with a full profile among those with counters, median over the window
 * @param aotClasses classes that came from an AOT cache; empty where none was asked for
 */
record JitFigures(OptionalDouble c2Queue, OptionalDouble level3Percent, OptionalDouble aotClasses) {
    static JitFigures of(RunEvidence evidence, Window window) {
        List<JitSample> within = evidence.jit().stream()
                .filter(sample -> sample.timeNanos() >= window.fromNanos() && sample.timeNanos() <= window.toNanos())
                .toList();
        return new JitFigures(
                median(within.stream()
                        .filter(sample -> sample.c2Queue().isPresent())
                        .mapToDouble(sample -> sample.c2Queue().getAsInt())),
                median(within.stream()
                        .flatMap(sample -> sample.levels().stream())
                        .filter(levels -> levels.level2() + levels.level3() > 0)
                        .mapToDouble(levels -> 100.0 * levels.level3() / (levels.level2() + levels.level3()))),
                evidence.info()
                        .treatment()
                        .aot()
                        .map(AotUse::sharedClasses)
                        .map(OptionalDouble::of)
                        .orElse(OptionalDouble.empty()));
    }

    /** Of the middle two the mean; empty of none. */
    static OptionalDouble median(DoubleStream values) {
        double[] sorted = values.sorted().toArray();
        if (sorted.length == 0) {
            return OptionalDouble.empty();
        }
        int middle = sorted.length / 2;
        return OptionalDouble.of(sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2);
    }
}
