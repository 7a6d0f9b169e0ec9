package dev.kiln.report;

import dev.kiln.explain.RunResult;
import dev.kiln.explain.VariantResult;
import dev.kiln.explain.study.ExperimentResult;
import dev.kiln.stats.series.TimeToPeak;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.DoubleFunction;
import java.util.function.Function;

/** Tables with a line a run: what each run says, and how each one started. */
record HtmlRuns(ExperimentResult result) {

    String everyRun() {
        HtmlTable table = new HtmlTable(
                3,
                List.of(
                        "run",
                        "verdict",
                        "valid",
                        "end over peak, %",
                        "T50, s",
                        "T90, s",
                        "T95, s",
                        "T99, s",
                        "warm-up cost, s",
                        "requests",
                        "errors",
                        "jump after the pause"));
        each(table, (run) -> {
            List<String> cells = new ArrayList<>();
            cells.add("run " + run.run() + " <span class=\"range\">block " + run.block() + "</span>");
            cells.add(Html.escape(run.explanation().verdict().text()));
            cells.add(run.valid() ? "yes" : "no: " + Html.escape(Text.tied(String.join("; ", run.invalidReasons()))));
            cells.add(Html.cell(endOverPeak(run)));
            TimeToPeak.PERCENTAGES.forEach(percent -> cells.add(Html.cell(TimeCells.of(run, percent))));
            cells.add(value(Rows.lostSeconds(run), Text::seconds, "Without a peak there is no loss to count"));
            cells.add(Text.whole(run.requests()));
            cells.add(Text.whole(run.errors().total()));
            cells.add(value(
                    Reading.optional(
                            run.series().jump().map(jump -> jump.ratio().value())),
                    jump -> "\u00d7 " + Text.three(jump),
                    "No load before and after a pause to compare"));
            return cells;
        });
        return table.isEmpty() ? "" : table.html("Every run");
    }

    String startUp() {
        HtmlTable table = new HtmlTable(
                1,
                List.of(
                        "variant",
                        "runs",
                        "ready, s",
                        "first response, s",
                        "compilations in the run",
                        "compile time, s"));
        for (int i = 0; i < result.variants().size(); i++) {
            VariantResult variant = result.variants().get(i);
            List<RunResult> runs = Reading.readableRuns(variant);
            table.row(List.of(
                    Html.variant(i, variant.name()),
                    Integer.toString(runs.size()),
                    spread(runs, RunResult::startSeconds, Text::seconds, Reading.whyNoStart(runs)),
                    spread(runs, RunResult::firstResponseSeconds, Text::seconds, Reading.whyNoResponse(runs)),
                    spread(runs, HtmlRuns::compilations, Text::whole, "No JIT counters were recorded"),
                    spread(
                            runs,
                            run -> run.observed().compileSeconds(),
                            Text::seconds,
                            "No JIT counters were recorded")));
        }
        return table.isEmpty() ? "" : table.html("Start-up");
    }

    private static OptionalDouble compilations(RunResult run) {
        return run.observed().compilations().isPresent()
                ? OptionalDouble.of((double) run.observed().compilations().getAsLong())
                : OptionalDouble.empty();
    }

    private void each(HtmlTable table, Function<RunResult, List<String>> cells) {
        for (int i = 0; i < result.variants().size(); i++) {
            VariantResult variant = result.variants().get(i);
            table.group(Html.variant(i, variant.name()));
            variant.runs().forEach(run -> table.row(cells.apply(run)));
        }
    }

    private static Cell endOverPeak(RunResult run) {
        return run.series()
                .endOverPeak()
                .map(r -> Cell.of(Text.percent(r.value())).withRange(Text.range(r.lo(), r.hi(), Text::percent)))
                .orElseGet(() -> Cell.absent("Without a peak there is nothing to hold the end against"));
    }

    private static String spread(
            List<RunResult> runs,
            Function<RunResult, OptionalDouble> of,
            DoubleFunction<String> format,
            String whyAbsent) {
        return Html.cell(Spread.over(runs, of).map(s -> Cell.of(s, format)).orElseGet(() -> Cell.absent(whyAbsent)));
    }

    private static String value(OptionalDouble value, DoubleFunction<String> format, String whyAbsent) {
        return Text.present(value) ? format.apply(value.getAsDouble()) : Html.cell(Cell.absent(whyAbsent));
    }
}
