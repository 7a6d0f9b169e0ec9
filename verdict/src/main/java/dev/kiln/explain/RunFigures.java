package dev.kiln.explain;

import dev.kiln.explain.Curves.CompilerPoint;
import dev.kiln.explain.ResponseTimes.First;
import dev.kiln.explain.ResponseTimes.Kept;
import dev.kiln.explain.ResponseTimes.Settled;
import dev.kiln.explain.ServedLoad.PhaseSummary;
import dev.kiln.explain.budget.Budget;
import dev.kiln.explain.budget.Budget.BudgetPart;
import dev.kiln.explain.window.WindowStatistics;
import dev.kiln.explain.window.WindowStatistics.ThreadGroup;
import dev.kiln.model.Metric;
import dev.kiln.model.load.Latency.PhaseLatency;
import dev.kiln.model.run.Sample.CompilerSample;
import dev.kiln.model.run.Sample.ThreadRole;
import dev.kiln.stats.series.Peak;
import dev.kiln.stats.series.SeriesAnalysis;
import dev.kiln.stats.series.TimeToPeak;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.ToDoubleFunction;

/** RunFigures say how each metric of the catalogue is computed from a run, in the metric's unit. */
public final class RunFigures {
    private static final double MIB = 1 << 20;
    private static final int AFTER_BOOST_SECONDS = 10;

    private RunFigures() {}

    /** Returns the metric of a run: infinite for a time not reached, empty where the run has none. */
    public static OptionalDouble of(Metric metric, RunResult run) {
        WindowStatistics seen = run.observed();
        return switch (metric) {
            case PEAK -> optional(run.series().reference().own().map(Peak::value));
            case T90 -> time(run.series());
            case WARMUP_COST -> cost(run.series());
            case END_OF_WARMUP -> run.endOfWarmup();
            case THROUGHPUT -> optional(run.served().lastLoad().map(PhaseSummary::throughput));
            case REQUESTS -> OptionalDouble.of(run.series().served().requests());
            case ERRORS -> optional(run.errors().map(errors -> (double) errors.total()));
            case START -> run.since().ready();
            case FIRST_RESPONSE -> run.since().firstResponse();
            case P50 -> millis(latency(run).map(latency -> (double) latency.p50Nanos()));
            case P75 -> millis(histogram(run).map(more -> (double) more.p75Nanos()));
            case P95 -> millis(histogram(run).map(more -> (double) more.p95Nanos()));
            case P99 ->
                millis(latency(run).filter(latency -> latency.p99Nanos() > 0).map(latency ->
                        (double) latency.p99Nanos()));
            case MEAN -> millis(histogram(run).map(PhaseLatency.More::meanNanos));
            case MAX -> millis(latency(run).map(latency -> (double) latency.maxNanos()));
            case P50_LEVEL_TIME ->
                run.allServed()
                        .flatMap(ResponseTimes::p50)
                        .map(Settled::time)
                        .map(RunFigures::seconds)
                        .orElse(OptionalDouble.empty());
            case P99_LEVEL_TIME ->
                settled(run).map(Settled::time).map(RunFigures::seconds).orElse(OptionalDouble.empty());
            case P99_ABOVE_TWICE -> optional(settled(run).map(Settled::twiceSeconds));
            case P99_FIRST_10 -> first(run, 10);
            case P99_FIRST_30 -> first(run, 30);
            case P99_FIRST_60 -> first(run, 60);
            case SLO_MET ->
                kept(run).map(Kept::metFrom).map(RunFigures::seconds).orElse(OptionalDouble.empty());
            case BEYOND_SLO -> optional(kept(run).map(kept -> (double) kept.requestsBeyond()));
            case DRAINED ->
                // Another program's requests may have waited where Kiln did not look.
                open(run).isEmpty() || run.caveats().imported()
                        ? OptionalDouble.empty()
                        : OptionalDouble.of(open(run).get().drainedSeconds().orElse(Double.POSITIVE_INFINITY));
            case UNSERVED ->
                optional(open(run).flatMap(ResponseTimes::unserved).map(none ->
                        (double) (none.unsent() + none.unfinished())));
            case CPU_PER_REQUEST -> run.cpuPerRequestMicros();
            case BLOCKED_PER_REQUEST -> whereStopsAreKnown(run, BudgetPart.REST, BudgetPart.BLOCKED);
            case CPU_WAIT_PER_REQUEST -> atEnd(run, BudgetPart.CPU_WAIT);
            case STOPPED_PER_REQUEST ->
                whereStopsAreKnown(run, BudgetPart.COLLECTION, BudgetPart.SAFEPOINT, BudgetPart.CPU_LIMIT);
            case BOOST_END -> run.since().boostEnd();
            case AFTER_BOOST -> afterBoost(run);
            case RSS -> scaled(number(seen.maxRssBytes()), 1 / MIB);
            case ALLOCATION ->
                run.served()
                        .lastLoad()
                        .map(phase -> phase.cost().allocationPerRequest())
                        .orElse(OptionalDouble.empty());
            case C2_CLEARED -> Replica.cleared(run.curves().jit(), run.served().firstLoadSeconds());
            case COMPILATIONS -> number(seen.compilations());
            case COMPILATIONS_TO_T90 -> compilationsTo(time(run.series()), run);
            case OSR_COMPILATIONS -> counted(seen, CompilerSample::osrCompilations);
            case NOT_ENTRANT -> seen.jit().notEntrant().byEnd();
            case INVALIDATIONS -> counted(seen, CompilerSample::invalidations);
            case COMPILE_TIME -> seen.compileSeconds();
            case SYSTEM_CPU,
                    C2_CPU,
                    C2_WAIT,
                    C2_QUEUE,
                    GC_TIME,
                    GC_CPU,
                    CODE_GROWTH,
                    C1_FRAMES,
                    INLINED_FRAMES,
                    LONGEST_COMPILATION,
                    LEVEL3_SHARE,
                    BUSY_THREADS,
                    VOLUNTARY,
                    INVOLUNTARY,
                    SWITCH_RATIO,
                    AOT_CLASSES,
                    AOT_COVERAGE -> of(metric, seen);
        };
    }

    /** Returns the metric over a part of a run; only metrics of threads and compilers have one. */
    static OptionalDouble of(Metric metric, WindowStatistics seen) {
        return switch (metric) {
            case SYSTEM_CPU -> scaled(seen.targetSystem(), 100);
            case C2_CPU -> scaled(seen.c2CpuShare(), 100);
            case C2_WAIT -> scaled(seen.c2WaitShare(), 100);
            case C2_QUEUE -> seen.jit().c2Queue();
            case GC_TIME -> optional(seen.collections().map(found -> 100 * found.share()));
            case GC_CPU ->
                seen.threads().isEmpty()
                        ? OptionalDouble.empty()
                        : OptionalDouble.of(seen.threads().stream()
                                .filter(group -> group.role().equals(ThreadRole.GC.name()))
                                .mapToDouble(group -> 100 * group.cpuShare())
                                .sum());
            case CODE_GROWTH -> seen.jit().compiled().codeGrowth();
            case C1_FRAMES -> seen.jit().frames().c1();
            case INLINED_FRAMES -> seen.jit().frames().inlined();
            case LONGEST_COMPILATION -> seen.jit().compiled().longest();
            case LEVEL3_SHARE -> seen.jit().level3Percent();
            case BUSY_THREADS ->
                seen.threads().isEmpty()
                        ? OptionalDouble.empty()
                        : OptionalDouble.of(seen.threads().stream()
                                .mapToInt(ThreadGroup::threads)
                                .sum());
            case VOLUNTARY -> perWorker(seen.threads(), ThreadGroup::voluntaryPerSecond);
            case INVOLUNTARY -> perWorker(seen.threads(), ThreadGroup::involuntaryPerSecond);
            case SWITCH_RATIO ->
                ratio(
                        perWorker(seen.threads(), ThreadGroup::involuntaryPerSecond),
                        perWorker(seen.threads(), ThreadGroup::voluntaryPerSecond));
            case AOT_CLASSES -> seen.jit().aot().classes();
            case AOT_COVERAGE -> scaled(seen.jit().aot().coverage(), 100);
            default -> throw new IllegalArgumentException(metric.id() + " is not told of a stretch");
        };
    }

    /** Returns the milliseconds of a request in these parts at the end of the load; empty where the first is not known. */
    private static OptionalDouble atEnd(RunResult run, BudgetPart first, BudgetPart... others) {
        return run.budgets().end().map(budget -> budget.sum(first, others)).orElse(OptionalDouble.empty());
    }

    /** Returns a sum of parts; empty where a stop was not recorded, because its time would be in the rest, or missing. */
    private static OptionalDouble whereStopsAreKnown(RunResult run, BudgetPart first, BudgetPart... others) {
        Set<BudgetPart> missing = run.budgets().end().map(Budget::missing).orElse(Set.of());
        return missing.contains(BudgetPart.COLLECTION)
                        || missing.contains(BudgetPart.CPU_LIMIT)
                        || missing.contains(BudgetPart.CPU_WAIT)
                ? OptionalDouble.empty()
                : atEnd(run, first, others);
    }

    private static OptionalDouble counted(WindowStatistics seen, ToDoubleFunction<CompilerSample> counter) {
        return seen.totals().compilers().stream().mapToDouble(counter).findFirst();
    }

    private static OptionalDouble ratio(OptionalDouble some, OptionalDouble other) {
        return some.isPresent() && other.orElse(0) > 0
                ? OptionalDouble.of(some.getAsDouble() / other.getAsDouble())
                : OptionalDouble.empty();
    }

    /** Returns for how many seconds a time was searched for: an infinite time is longer than this. */
    public static double horizon(Metric metric, RunResult run) {
        return metric == Metric.C2_CLEARED
                ? run.served().firstLoadSeconds()
                : run.series().seconds();
    }

    /** Returns the metric of one call of a mix; only some metrics are defined for calls. */
    public static OptionalDouble of(Metric metric, CallResult call) {
        return switch (metric) {
            case PEAK -> optional(call.series().reference().own().map(Peak::value));
            case T90 -> time(call.series());
            case WARMUP_COST -> cost(call.series());
            case THROUGHPUT -> call.load().lastThroughput();
            case REQUESTS -> OptionalDouble.of(call.series().served().requests());
            case ERRORS -> OptionalDouble.of(call.load().errors());
            case P50 -> call.load().lastTimes().p50Millis();
            case P99 -> call.load().lastTimes().p99Millis();
            default -> throw new IllegalArgumentException(metric.id() + " is not told of calls");
        };
    }

    private static OptionalDouble cost(SeriesAnalysis series) {
        return optional(series.warmupCost().map(cost -> cost.seconds().value()));
    }

    private static OptionalDouble time(SeriesAnalysis series) {
        return optional(series.time(TimeToPeak.HEADLINE)
                .map(TimeToPeak::seconds)
                .map(seconds -> seconds.orElse(Double.POSITIVE_INFINITY)));
    }

    /** Returns the compilations up to 90 % of the peak; empty unless the first load reached it and was recorded. */
    private static OptionalDouble compilationsTo(OptionalDouble t90, RunResult run) {
        return t90.isEmpty()
                        || t90.getAsDouble() > run.served().firstLoadSeconds()
                        || run.curves().compiler().stream().noneMatch(point -> point.second() >= t90.getAsDouble() - 2)
                ? OptionalDouble.empty()
                : run.curves().compiler().stream()
                        .filter(point -> point.second() <= t90.getAsDouble())
                        .mapToDouble(CompilerPoint::compilations)
                        .max();
    }

    /** Returns ten seconds' throughput after the CPU boost in % of the peak; empty where the load ended. */
    private static OptionalDouble afterBoost(RunResult run) {
        Optional<Double> peak = run.series().reference().own().map(Peak::value);
        Optional<PhaseSummary> first = run.served().firstLoad();
        if (peak.isEmpty() || first.isEmpty() || run.since().boostEnd().isEmpty()) {
            return OptionalDouble.empty();
        }
        double zero = first.get().startSeconds();
        double from = Math.ceil(run.since().boostEnd().getAsDouble() - zero) + 1;
        double to = from + AFTER_BOOST_SECONDS;
        if (from < 0 || to > first.get().durationSeconds()) {
            return OptionalDouble.empty();
        }
        return run.curves().load().stream()
                .filter(point -> point.second() >= from && point.second() < to)
                .mapToDouble(point -> 100 * point.requestsPerSecond() / peak.get())
                .average();
    }

    private static Optional<ResponseTimes> open(RunResult run) {
        return run.responses().filter(times -> times.rate().isPresent());
    }

    /** Returns when the p99 came to its level; empty where the run did not serve all that was offered. */
    public static Optional<Settled> settled(RunResult run) {
        return run.allServed().flatMap(ResponseTimes::p99);
    }

    private static Optional<Kept> kept(RunResult run) {
        return run.responses().flatMap(ResponseTimes::kept);
    }

    private static OptionalDouble first(RunResult run, int seconds) {
        return optional(open(run)
                .flatMap(times -> times.beginnings().stream()
                        .filter(first -> first.seconds() == seconds)
                        .map(First::p99Millis)
                        .findFirst()));
    }

    private static OptionalDouble seconds(TimeToPeak time) {
        return OptionalDouble.of(time.seconds().orElse(Double.POSITIVE_INFINITY));
    }

    private static Optional<PhaseLatency> latency(RunResult run) {
        return run.served().lastLoad().flatMap(PhaseSummary::latency);
    }

    private static Optional<PhaseLatency.More> histogram(RunResult run) {
        return latency(run).flatMap(PhaseLatency::more);
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

    private static OptionalDouble millis(Optional<Double> nanos) {
        return optional(nanos.map(value -> value / 1e6));
    }

    private static OptionalDouble optional(Optional<Double> value) {
        return value.map(OptionalDouble::of).orElse(OptionalDouble.empty());
    }

    private static OptionalDouble scaled(OptionalDouble value, double factor) {
        return value.isPresent() ? OptionalDouble.of(value.getAsDouble() * factor) : value;
    }

    private static OptionalDouble number(OptionalLong value) {
        return value.isPresent() ? OptionalDouble.of(value.getAsLong()) : OptionalDouble.empty();
    }
}
