package dev.kiln.report;

import dev.kiln.explain.Curves;
import dev.kiln.explain.ExperimentResult;
import dev.kiln.explain.RunResult;
import dev.kiln.explain.VariantResult;
import dev.kiln.stats.ReferencePeak;
import java.io.StringWriter;
import java.util.List;
import java.util.Set;
import java.util.function.ToDoubleFunction;

/** What the charts draw: columns of rounded numbers, so that long experiments stay small. */
final class ChartData {
    private final JsonOut out;
    private final ExperimentResult result;

    private ChartData(JsonOut out, ExperimentResult result) {
        this.out = out;
        this.result = result;
    }

    /** JSON that can stand inside a script element. */
    static String json(ExperimentResult result) {
        StringWriter text = new StringWriter();
        try (JsonOut out = JsonOut.compact(text)) {
            out.object(new ChartData(out, result)::experiment);
        }
        return text.toString().replace("<", "\\u003c");
    }

    private void experiment() {
        out.array(
                "phases",
                () -> result.variants().stream()
                        .flatMap(v -> v.runs().stream())
                        .reduce((a, b) -> b.phases().size() > a.phases().size() ? b : a)
                        .ifPresent(this::phases));
        out.array("variants", () -> result.variants().forEach(v -> out.object(() -> variant(v))));
    }

    private void phases(RunResult run) {
        Set<String> measuring = Reading.measuring(run);
        double zero = Reading.firstLoadStart(run);
        run.phases()
                .forEach(phase -> out.object(() -> {
                    out.text("name", phase.name());
                    out.text(
                            "kind", !phase.load() ? "pause" : measuring.contains(phase.name()) ? "measure" : "warm-up");
                    out.number("start", phase.startSeconds() - zero, 1);
                    out.number("end", phase.startSeconds() - zero + phase.durationSeconds(), 1);
                }));
    }

    private void variant(VariantResult variant) {
        TimeCells times = new TimeCells(result.config().binSeconds());
        out.text("name", variant.name());
        out.text("t90", times.of(variant, 90).text());
        variant.referencePeak().ifPresent(peak -> {
            out.number("reference", peak.value(), 1);
            out.flag("lowerBound", peak.lowerBound());
            Spread.over(Reading.validRuns(variant), Reading::endOfWarmup)
                    .ifPresent(end -> out.number("endShare", 100 * end.median() / peak.value(), 0));
        });
        out.array("runs", () -> variant.runs().forEach(run -> out.object(() -> run(variant, run))));
    }

    private void run(VariantResult variant, RunResult run) {
        out.integer("run", run.run());
        out.flag("valid", run.valid());
        if (run.valid()) {
            TimeReading.of(run, 90, result.config().binSeconds()).ifPresent(time -> {
                out.number("t90", time.seconds(), 2);
                out.number("horizon", time.horizon(), 1);
                out.number("level", 0.9 * peak(variant, run), 1);
            });
        }
        Curves curves = run.curves();
        List<Curves.LoadPoint> load = curves.load();
        column("t", load, Curves.LoadPoint::second, 1);
        column("rate", load, Curves.LoadPoint::requestsPerSecond, 0);
        column("p99", load, Curves.LoadPoint::p99Millis, 2);
        column("jt", curves.jit(), Curves.JitPoint::second, 1);
        column("cpu", curves.jit(), p -> 100 * p.c2Cpu(), 1);
        column("wait", curves.jit(), p -> 100 * p.c2Wait(), 1);
        column("mt", curves.memory(), Curves.MemoryPoint::second, 1);
        column("rss", curves.memory(), p -> p.rssBytes() / (double) (1 << 20), 0);
    }

    /** What times to peak refer to: the reference, or the run's own peak where there is none. */
    private static double peak(VariantResult variant, RunResult run) {
        return variant.referencePeak()
                .map(ReferencePeak::value)
                .orElseGet(() -> Reading.ownPeak(run.warmup()).orElse(Double.NaN));
    }

    private <T> void column(String name, List<T> rows, ToDoubleFunction<T> value, int decimals) {
        out.array(name, () -> rows.forEach(row -> out.number(value.applyAsDouble(row), decimals)));
    }
}
