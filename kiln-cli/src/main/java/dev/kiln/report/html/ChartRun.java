package dev.kiln.report.html;

import dev.kiln.explain.Curves;
import dev.kiln.explain.Curves.CompilerPoint;
import dev.kiln.explain.Curves.LoadPoint;
import dev.kiln.explain.Forecaster.Forecast;
import dev.kiln.explain.Inside;
import dev.kiln.explain.RunFigures;
import dev.kiln.explain.RunResult;
import dev.kiln.explain.TargetCpu.CpuPoint;
import dev.kiln.explain.budget.Budget.BudgetPart;
import dev.kiln.explain.budget.Budgets.BudgetCurve.BudgetSecond;
import dev.kiln.model.run.Finding;
import dev.kiln.report.JsonOut;
import dev.kiln.report.Reading;
import dev.kiln.stats.AnalysisConfig;
import dev.kiln.stats.series.Peak;
import dev.kiln.stats.series.SeriesAnalysis;
import dev.kiln.stats.series.TimeToPeak;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * A ChartRun writes what the charts draw of one run: its columns, and what is marked in them.
 *
 * @param parts of the budget that any run has
 * @param drawn names of the calls that have a line
 */
record ChartRun(JsonOut out, AnalysisConfig config, List<BudgetPart> parts, List<String> drawn) {
    void write(RunResult run) {
        marks(run);
        load(run);
        times(run);
        forecast(run.explanation().forecasts());
        target(run.curves());
        List<BudgetSecond> budget = run.budgets().curve().seconds();
        column("bt", budget, BudgetSecond::second, 1);
        parts.forEach(part -> column("b-" + part.id(), budget, at -> HtmlBudget.millis(at.budget(), part), 2));
        calls(run);
        jit(run.curves().inside());
        recording(run.curves().inside());
        stops(run.curves().inside());
    }

    /** Writes the times that are marked, and how much there is to say of the run. */
    private void marks(RunResult run) {
        if (run.valid()) {
            out.number("horizon", run.series().seconds(), 1);
            out.some("settled", RunFigures.settled(run), settled -> {
                out.number("t90", settled.time().seconds(), 2);
                out.number("level", settled.levelMillis().value() * 100 / TimeToPeak.HEADLINE, 3);
            });
            run.series().time(TimeToPeak.HEADLINE).ifPresent(time -> time(run.series(), time));
        }
        out.number(
                "weight",
                run.explanation().findings().stream()
                        .filter(f -> f.state() == Finding.FindingState.CONFIRMED)
                        .mapToDouble(Finding::weight)
                        .max()
                        .orElse(0),
                3);
        run.since().boostEnd().ifPresent(end -> out.number("boostEnd", end - Reading.firstLoadStart(run), 1));
    }

    /** Writes what the kernel and the JVM counted of the target. */
    private void target(Curves curves) {
        column("ut", curves.cpu(), CpuPoint::second, 1);
        column("uy", curves.cpu(), CpuPoint::requestsPerCpuSecond, 0);
        column("st", curves.modes(), Curves.ModePoint::second, 1);
        column("su", curves.modes(), p -> 100 * p.user(), 0);
        column("ss", curves.modes(), p -> 100 * p.system(), 0);
        column("jt", curves.jit(), Curves.JitPoint::second, 1);
        column("cpu", curves.jit(), p -> 100 * p.c2Cpu(), 1);
        column("wait", curves.jit(), p -> 100 * p.c2Wait(), 1);
        compiled(curves.compiler());
        column("mt", curves.memory(), Curves.MemoryPoint::second, 1);
        column("rss", curves.memory(), p -> p.rssBytes() / (double) (1 << 20), 0);
    }

    private void load(RunResult run) {
        List<LoadPoint> load = run.curves().load();
        column("t", load, LoadPoint::second, 1);
        column("rate", load, LoadPoint::requestsPerSecond, 0);
        column("p99", load, LoadPoint::p99Millis, 2);
        column("err", load, LoadPoint::errors, 0);
        List<LoadPoint> steady = HtmlDistributions.steady(run);
        if (!steady.isEmpty()) {
            out.number("steadyFrom", steady.getFirst().second(), 1);
            out.number("steadyTo", steady.getLast().second(), 1);
        }
    }

    /** Writes all percentiles of the seconds that have more than two, and the requests by their response time. */
    private void times(RunResult run) {
        List<LoadPoint> known = run.curves().load().stream()
                .filter(point -> Double.isFinite(point.times().p95Millis()))
                .toList();
        column("pt", known, LoadPoint::second, 1);
        column("p50", known, LoadPoint::p50Millis, 2);
        column("p95", known, point -> point.times().p95Millis(), 2);
        column("p999", known, point -> point.times().p999Millis(), 2);
        HtmlDistributions.counts(run).ifPresent(counts -> {
            out.integer("firstStep", counts.first());
            column("counts", counts.counts(), count -> count, 0);
        });
    }

    private void forecast(List<Forecast> forecasts) {
        List<Forecast> told = forecasts.stream().filter(Forecast::tells).toList();
        column("ft", told, Forecast::atSecond, 0);
        column("fl", told, Forecast::notBefore, 0);
    }

    /** Writes the last sample of each second, at that second, with the compilations since the sample before. */
    private void compiled(List<CompilerPoint> points) {
        List<Integer> ends = IntStream.range(1, points.size()).boxed().toList();
        column("kt", ends, i -> Math.floor(points.get(i).second()), 0);
        column("kc", ends, i -> perSecond(points.get(i - 1), points.get(i)), 0);
        column("kb", ends, i -> points.get(i).codeBytes() / 1e6, 1);
    }

    private static double perSecond(CompilerPoint from, CompilerPoint to) {
        return (to.compilations() - from.compilations()) / (to.second() - from.second());
    }

    /** Writes the curves of the calls under their numbers among the drawn ones. */
    private void calls(RunResult run) {
        for (int i = 0; i < drawn.size(); i++) {
            List<LoadPoint> curve =
                    run.call(drawn.get(i)).map(call -> call.load().curve()).orElse(List.of());
            column("at" + i, curve, LoadPoint::second, 1);
            column("ar" + i, curve, LoadPoint::requestsPerSecond, 0);
            column("ap" + i, curve, LoadPoint::p99Millis, 2);
        }
    }

    private void jit(Inside inside) {
        column("qt", inside.jit().queues(), Inside.Queue::second, 1);
        column("q1", inside.jit().queues(), Inside.Queue::c1, 0);
        column("q2", inside.jit().queues(), Inside.Queue::c2, 0);
        column("lt", inside.code().levels(), Inside.Levels::second, 1);
        column("l1", inside.code().levels(), Inside.Levels::level1, 0);
        column("l2", inside.code().levels(), Inside.Levels::level2, 0);
        column("l3", inside.code().levels(), Inside.Levels::level3, 0);
        column("l4", inside.code().levels(), Inside.Levels::level4, 0);
        column("ct", inside.code().codeCache(), Inside.CodeCache::second, 1);
        column("cc", inside.code().codeCache(), c -> 100 * c.fullness(), 1);
    }

    private void recording(Inside inside) {
        column("tt", inside.code().tiers(), Inside.Tiers::second, 1);
        column("ti", inside.code().tiers(), p -> 100 * p.interpreted(), 1);
        column("t1", inside.code().tiers(), p -> 100 * p.c1(), 1);
        column("t2", inside.code().tiers(), p -> 100 * p.c2(), 1);
        column("tn", inside.code().tiers(), p -> 100 * p.inlined(), 1);
        column("tx", inside.code().tiers(), p -> 100 * p.nativeCode(), 1);
        for (int l = 1; l <= 4; l++) {
            int level = l;
            List<Inside.Compilations> of = inside.jit().compilations().stream()
                    .filter(c -> c.level() == level)
                    .toList();
            column("m" + l + "t", of, Inside.Compilations::second, 1);
            column("m" + l, of, Inside.Compilations::longestMillis, 1);
            column("n" + l, of, Inside.Compilations::count, 0);
        }
        column("dt", inside.jit().deoptimizations(), Inside.Deoptimizations::second, 1);
        column("de", inside.jit().deoptimizations(), Inside.Deoptimizations::count, 0);
    }

    private void stops(Inside inside) {
        column("gt", inside.collector(), Inside.Stopped::second, 1);
        column("gc", inside.collector(), Inside.Stopped::millis, 1);
        column("ht", inside.throttled(), Inside.Stopped::second, 1);
        column("th", inside.throttled(), Inside.Stopped::millis, 1);
    }

    /** Writes the time with its interval, and the sums whose lowest point is that time. */
    private void time(SeriesAnalysis series, TimeToPeak time) {
        Peak peak = series.peak().orElseThrow();
        out.number("t90", time.seconds(), 2);
        out.number("t90lo", time.lo(), 2);
        out.number("t90hi", time.hi(), 2);
        out.number("level", TimeToPeak.HEADLINE / 100.0 * peak.value(), 1);
        double[] sums =
                TimeToPeak.sums(series.served().even(), peak.value(), TimeToPeak.HEADLINE, series.noise(), config);
        out.number("sumsBin", series.binSeconds(), 3);
        out.array("sums", () -> {
            for (double sum : sums) {
                out.number(sum, 2);
            }
        });
    }

    private <T> void column(String name, List<T> rows, ToDoubleFunction<T> value, int decimals) {
        if (rows.isEmpty()) {
            return;
        }
        out.array(name, () -> rows.forEach(row -> out.number(value.applyAsDouble(row), decimals)));
    }
}
