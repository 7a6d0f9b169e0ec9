package dev.kiln.report;

import dev.kiln.compare.Calibration;
import dev.kiln.compare.GateResult;
import dev.kiln.compare.GateResult.GateRow;
import dev.kiln.stats.Gate;
import java.io.StringWriter;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.function.Consumer;

/** {@code kiln gate --json}: a form that scripts depend on, with every digit. */
public final class GateJson {
    /** Raised when a key changes its meaning or goes; new keys do not raise it. */
    private static final int SCHEMA_VERSION = 2;

    private final JsonOut out;

    private GateJson(JsonOut out) {
        this.out = out;
    }

    public static String render(GateResult result) {
        return object(json -> json.write(result));
    }

    public static String render(List<Calibration> calibrations) {
        return object(json -> json.write(calibrations));
    }

    private static String object(Consumer<GateJson> content) {
        StringWriter text = new StringWriter();
        try (JsonOut out = JsonOut.pretty(text)) {
            out.object(() -> {
                out.integer("schemaVersion", SCHEMA_VERSION);
                content.accept(new GateJson(out));
            });
        }
        return text + "\n";
    }

    private void write(GateResult result) {
        out.text("current", result.current());
        out.text("baseline", result.baseline());
        out.text("verdict", GateWords.word(result.verdict()));
        out.integer("look", result.interim());
        out.integer("looks", result.interims());
        out.array("metrics", () -> result.rows().forEach(row -> out.object(() -> row(row))));
        out.texts("footnotes", result.notes());
    }

    private void row(GateRow row) {
        out.text("metric", row.metric());
        out.exact("current", GateWords.of(row, Gate::current));
        out.exact("baseline", GateWords.of(row, Gate::baseline));
        out.integer("currentRuns", row.currentRuns());
        out.integer("baselineRuns", row.baselineRuns());
        out.exact("variancePct", GateWords.of(row, Gate::variancePct));
        out.exact("tolerancePct", row.tolerance().percent());
        out.flag("eitherWay", row.tolerance().eitherWay());
        out.exact("confidence", GateWords.of(row, Gate::confidence));
        out.exact("loPct", row.found().map(Gate::loPct).orElse(OptionalDouble.empty()));
        out.exact("hiPct", row.found().map(Gate::hiPct).orElse(OptionalDouble.empty()));
        out.exact(
                "minimalDetectableEffectPct",
                row.found().map(Gate::minimalDetectableEffectPct).orElse(OptionalDouble.empty()));
        out.text("verdict", GateWords.word(row.verdict()));
        row.found()
                .map(Gate::runsNeeded)
                .filter(OptionalInt::isPresent)
                .ifPresentOrElse(runs -> out.integer("runsNeeded", runs.getAsInt()), () -> out.nothing("runsNeeded"));
        out.texts("notes", row.notes());
    }

    private void write(List<Calibration> calibrations) {
        out.array(
                "calibrations",
                () -> calibrations.forEach(one -> out.object(() -> {
                    out.text("name", one.name());
                    out.array("metrics", () -> one.rows().forEach(row -> out.object(() -> row(row))));
                })));
    }

    private void row(Calibration.Row row) {
        out.text("metric", row.tolerance().metric());
        out.exact("tolerancePct", row.tolerance().percent());
        out.integer("runs", row.runs());
        out.integer("splits", row.splits());
        out.flag("allSplits", row.all());
        out.exact("failed", row.failed());
        out.exact("passed", row.passed());
        out.exact("inconclusive", row.inconclusive());
        out.exact("underPowered", row.underPowered());
        out.exact("differenceShown", row.differenceShown());
    }
}
