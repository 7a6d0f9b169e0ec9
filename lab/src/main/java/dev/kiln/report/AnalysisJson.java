package dev.kiln.report;

import dev.kiln.explain.RunResult;
import dev.kiln.explain.study.ExperimentResult;
import java.io.StringWriter;
import java.util.List;

/** {@code kiln analyze --json}: a form that scripts depend on. */
public final class AnalysisJson {
    /** Raised when a key changes its meaning or goes; new keys do not raise it. Second: three questions, each with an interval. */
    private static final int SCHEMA_VERSION = 2;

    private final JsonOut out;

    private AnalysisJson(JsonOut out) {
        this.out = out;
    }

    /** Each result is of one series, named by its source. */
    public static String render(List<ExperimentResult> results) {
        StringWriter text = new StringWriter();
        try (JsonOut out = JsonOut.pretty(text)) {
            out.object(() -> new AnalysisJson(out).write(results));
        }
        return text + "\n";
    }

    private void write(List<ExperimentResult> results) {
        out.integer("schemaVersion", SCHEMA_VERSION);
        out.array(
                "series",
                () -> results.forEach(result -> result.variants().stream()
                        .flatMap(variant -> variant.runs().stream())
                        .forEach(run -> out.object(() -> series(result, run)))));
        results.stream()
                .findFirst()
                .ifPresent(first -> out.object(
                        "constants", () -> Constants.of(first.config()).forEach(c -> c.write(out))));
    }

    private void series(ExperimentResult result, RunResult run) {
        SeriesJson series = new SeriesJson(out, run.series());
        out.text("source", result.name());
        new ExplanationJson(out).verdict(run.explanation());
        out.flag("valid", run.valid());
        series.intervals("timeToPeak", run.series().times());
        series.intervals("timeToOwnEnd", run.series().ownTimes());
        series.write();
        out.integer("requests", run.requests());
        out.integer("errors", run.errors().total());
        out.texts("footnotes", run.notes());
    }
}
