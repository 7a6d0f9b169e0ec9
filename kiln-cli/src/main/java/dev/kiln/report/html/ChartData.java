package dev.kiln.report.html;

import dev.kiln.explain.CallResult;
import dev.kiln.explain.Curves;
import dev.kiln.explain.Curves.CompilerPoint;
import dev.kiln.explain.Inside;
import dev.kiln.explain.ResponseTimes.Settled;
import dev.kiln.explain.RunFigures;
import dev.kiln.explain.RunResult;
import dev.kiln.explain.TargetCpu.CpuPoint;
import dev.kiln.explain.VariantResult;
import dev.kiln.explain.budget.BudgetCurve.BudgetSecond;
import dev.kiln.explain.budget.BudgetPart;
import dev.kiln.explain.study.ExperimentResult;
import dev.kiln.model.run.Finding;
import dev.kiln.report.JsonOut;
import dev.kiln.report.Reading;
import dev.kiln.report.Spread;
import dev.kiln.stats.Descriptive;
import dev.kiln.stats.series.Peak;
import dev.kiln.stats.series.SeriesAnalysis;
import dev.kiln.stats.series.TimeToPeak;
import java.io.StringWriter;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/** ChartData writes what the charts draw: columns of rounded numbers, so that long experiments stay small. */
final class ChartData {
    /** The limit of drawn calls: more lines would be a tangle, and the table of calls has all of them. */
    static final int MOST_CALLS = 12;

    private final JsonOut out;
    private final ExperimentResult result;
    private final boolean fromLaunch;
    private final List<BudgetPart> parts;

    private ChartData(JsonOut out, ExperimentResult result, boolean fromLaunch) {
        this.out = out;
        this.result = result;
        this.fromLaunch = fromLaunch;
        this.parts = HtmlBudget.parts(result);
    }

    /**
     * Returns JSON that can stand inside a script element; times are since the first request, whose own time since the
     * launch is added on request.
     */
    static String json(ExperimentResult result, boolean fromLaunch) {
        StringWriter text = new StringWriter();
        try (JsonOut out = JsonOut.compact(text)) {
            out.object(new ChartData(out, result, fromLaunch)::experiment);
        }
        return text.toString().replace("<", "\\u003c");
    }

    /** Returns the names of the calls of all mixes, in the order of the load. */
    static List<String> calls(ExperimentResult result) {
        return result.variants().stream()
                .flatMap(variant -> variant.runs().stream())
                .flatMap(run -> run.calls().stream())
                .map(CallResult::name)
                .distinct()
                .toList();
    }

    private List<String> drawnCalls() {
        return calls(result).stream().limit(MOST_CALLS).toList();
    }

    private void experiment() {
        result.variants().stream()
                .flatMap(v -> v.runs().stream())
                .reduce((a, b) -> b.phases().size() > a.phases().size() ? b : a)
                .ifPresentOrElse(this::phases, () -> out.texts("phases", List.of()));
        out.texts("calls", drawnCalls());
        out.objects("parts", parts, part -> {
            out.text("y", "b-" + part.id());
            out.text("c", HtmlBudget.colour(part));
            out.text("name", part.words());
        });
        out.flag("fromLaunch", fromLaunch);
        out.objects("variants", result.variants(), this::variant);
    }

    private void phases(RunResult run) {
        Set<String> measuring = Reading.measuring(run);
        double zero = Reading.firstLoadStart(run);
        zero(DoubleStream.of(zero));
        out.objects("phases", run.phases(), phase -> {
            out.text("name", phase.name());
            out.text("kind", !phase.load() ? "pause" : measuring.contains(phase.name()) ? "measure" : "warm-up");
            out.number("start", phase.startSeconds() - zero, 1);
            out.number("end", phase.startSeconds() - zero + phase.durationSeconds(), 1);
        });
    }

    private void variant(VariantResult variant) {
        out.text("name", variant.name());
        zero(variant.runs().stream().mapToDouble(Reading::firstLoadStart));
        variant.time(TimeToPeak.HEADLINE).ifPresent(time -> time(variant, time));
        settled(variant);
        variant.referencePeak().filter(peak -> !variant.valid().isEmpty()).ifPresent(peak -> {
            out.number("reference", peak.value(), 1);
            out.number("peakLo", peak.throughput().lo(), 1);
            out.number("peakHi", peak.throughput().hi(), 1);
            out.flag("lowerBound", peak.lowerBound());
            variant.endOverPeak().ifPresent(r -> out.number("endShare", 100 * r.value(), 0));
        });
        out.objects("runs", variant.runs(), this::run);
    }

    /** Writes when the first request was sent, since the launch; of several runs the median. */
    private void zero(DoubleStream seconds) {
        if (fromLaunch) {
            out.number("zero", Descriptive.median(seconds), 3);
        }
    }

    /** Writes where response times reached their level, in the fields that a peak has, for the panel of latencies. */
    private void settled(VariantResult variant) {
        double[] levels = variant.valid().stream()
                .flatMap(run -> RunFigures.settled(run).stream())
                .mapToDouble(each -> each.levelMillis().value())
                .toArray();
        Optional<TimeToPeak> time = variant.time(run -> RunFigures.settled(run).map(Settled::time));
        if (time.isEmpty()) {
            return;
        }
        Spread level = Spread.of(levels).orElseThrow();
        out.object("settled", () -> {
            out.number("reference", level.median(), 3);
            out.number("peakLo", level.min(), 3);
            out.number("peakHi", level.max(), 3);
            out.text("t90", time.get().words(variant.horizon()));
            out.number("t90lo", time.get().lo(), 2);
            out.number("t90hi", time.get().hi(), 2);
        });
    }

    private void time(VariantResult variant, TimeToPeak time) {
        boolean atLeast = time.seconds().isPresent()
                && variant.referencePeak().filter(Peak::lowerBound).isPresent();
        double horizon = variant.valid().stream()
                .mapToDouble(run -> run.series().seconds())
                .max()
                .orElse(0);
        out.text("t90", (atLeast ? "\u2265 " : "") + time.words(horizon));
        out.number("t90lo", time.lo(), 2);
        out.number("t90hi", time.hi(), 2);
    }

    private void run(RunResult run) {
        out.integer("run", run.run());
        out.flag("valid", run.valid());
        zero(DoubleStream.of(Reading.firstLoadStart(run)));
        if (run.valid()) {
            out.number("horizon", run.series().seconds(), 1);
            RunFigures.settled(run)
                    .ifPresent(settled -> out.object("settled", () -> {
                        out.number("t90", settled.time().seconds(), 2);
                        out.number("level", settled.levelMillis().value() * 100 / TimeToPeak.HEADLINE, 3);
                    }));
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
        Curves curves = run.curves();
        List<Curves.LoadPoint> load = curves.load();
        column("t", load, Curves.LoadPoint::second, 1);
        column("rate", load, Curves.LoadPoint::requestsPerSecond, 0);
        column("p99", load, Curves.LoadPoint::p99Millis, 2);
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
        List<BudgetSecond> budget = run.budgets().curve().seconds();
        column("bt", budget, BudgetSecond::second, 1);
        parts.forEach(part -> column("b-" + part.id(), budget, at -> HtmlBudget.millis(at.budget(), part), 2));
        calls(run);
        jit(curves.inside());
        recording(curves.inside());
        stops(curves.inside());
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
        List<String> drawn = drawnCalls();
        for (int i = 0; i < drawn.size(); i++) {
            List<Curves.LoadPoint> curve =
                    run.call(drawn.get(i)).map(call -> call.load().curve()).orElse(List.of());
            column("at" + i, curve, Curves.LoadPoint::second, 1);
            column("ar" + i, curve, Curves.LoadPoint::requestsPerSecond, 0);
            column("ap" + i, curve, Curves.LoadPoint::p99Millis, 2);
        }
    }

    private void jit(Inside inside) {
        column("qt", inside.queues(), Inside.Queue::second, 1);
        column("q1", inside.queues(), Inside.Queue::c1, 0);
        column("q2", inside.queues(), Inside.Queue::c2, 0);
        column("lt", inside.levels(), Inside.Levels::second, 1);
        column("l1", inside.levels(), Inside.Levels::level1, 0);
        column("l2", inside.levels(), Inside.Levels::level2, 0);
        column("l3", inside.levels(), Inside.Levels::level3, 0);
        column("l4", inside.levels(), Inside.Levels::level4, 0);
        column("ct", inside.codeCache(), Inside.CodeCache::second, 1);
        column("cc", inside.codeCache(), c -> 100 * c.fullness(), 1);
    }

    private void recording(Inside inside) {
        column("tt", inside.tiers(), Inside.Tiers::second, 1);
        column("ti", inside.tiers(), p -> 100 * p.interpreted(), 1);
        column("t1", inside.tiers(), p -> 100 * p.c1(), 1);
        column("t2", inside.tiers(), p -> 100 * p.c2(), 1);
        column("tn", inside.tiers(), p -> 100 * p.inlined(), 1);
        column("tx", inside.tiers(), p -> 100 * p.nativeCode(), 1);
        for (int l = 1; l <= 4; l++) {
            int level = l;
            List<Inside.Compilations> of = inside.compilations().stream()
                    .filter(c -> c.level() == level)
                    .toList();
            column("m" + l + "t", of, Inside.Compilations::second, 1);
            column("m" + l, of, Inside.Compilations::longestMillis, 1);
            column("n" + l, of, Inside.Compilations::count, 0);
        }
        column("dt", inside.deoptimizations(), Inside.Deoptimizations::second, 1);
        column("de", inside.deoptimizations(), Inside.Deoptimizations::count, 0);
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
                TimeToPeak.sums(series.even(), peak.value(), TimeToPeak.HEADLINE, series.noise(), result.config());
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
