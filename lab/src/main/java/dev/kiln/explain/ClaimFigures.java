package dev.kiln.explain;

import dev.kiln.explain.Observed.ThreadGroup;
import dev.kiln.model.ClaimMetric;
import dev.kiln.model.ThreadRole;
import dev.kiln.stats.TimeToPeak;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.function.ToDoubleFunction;

/** What a claim's metric is in a run, in the metric's unit. */
final class ClaimFigures {
    private ClaimFigures() {}

    static OptionalDouble of(ClaimMetric metric, VariantResult variant, RunResult run, JitFigures jit) {
        Observed seen = run.observed();
        return switch (metric) {
            case PEAK ->
                variant.referencePeak()
                        .map(peak -> OptionalDouble.of(peak.value()))
                        .orElse(OptionalDouble.empty());
            case END_OF_WARMUP -> run.endOfWarmup();
            case T90 -> time(run);
            case START -> run.startSeconds();
            case FIRST_RESPONSE -> run.firstResponseSeconds();
            case COMPILATIONS -> count(seen.compilations());
            case C2_CPU -> percent(seen.c2CpuShare());
            case C2_WAIT -> percent(seen.c2WaitShare());
            case C2_QUEUE -> jit.c2Queue();
            case LEVEL3_SHARE -> jit.level3Percent();
            case BUSY_THREADS ->
                seen.threads().isEmpty()
                        ? OptionalDouble.empty()
                        : OptionalDouble.of(seen.threads().stream()
                                .mapToInt(ThreadGroup::threads)
                                .sum());
            case VOLUNTARY -> perWorker(seen.threads(), ThreadGroup::voluntaryPerSecond);
            case INVOLUNTARY -> perWorker(seen.threads(), ThreadGroup::involuntaryPerSecond);
            case AOT_CLASSES -> jit.aotClasses();
        };
    }

    /** Infinite where it was not reached; empty without a reference peak. */
    private static OptionalDouble time(RunResult run) {
        return run.series()
                .time(TimeToPeak.HEADLINE)
                .map(TimeToPeak::seconds)
                .map(seconds -> OptionalDouble.of(seconds.orElse(Double.POSITIVE_INFINITY)))
                .orElse(OptionalDouble.empty());
    }

    private static OptionalDouble perWorker(List<ThreadGroup> groups, ToDoubleFunction<ThreadGroup> rate) {
        List<ThreadGroup> workers = groups.stream()
                .filter(group -> group.role().equals(ThreadRole.WORKER.name()))
                .toList();
        int threads = workers.stream().mapToInt(ThreadGroup::threads).sum();
        return threads == 0
                ? OptionalDouble.empty()
                : OptionalDouble.of(workers.stream()
                                .mapToDouble(group -> rate.applyAsDouble(group) * group.threads())
                                .sum()
                        / threads);
    }

    private static OptionalDouble percent(OptionalDouble share) {
        return share.isPresent() ? OptionalDouble.of(100 * share.getAsDouble()) : share;
    }

    private static OptionalDouble count(OptionalLong count) {
        return count.isPresent() ? OptionalDouble.of(count.getAsLong()) : OptionalDouble.empty();
    }
}
