package dev.kiln.report;

import dev.kiln.compare.Calibration;
import dev.kiln.compare.GateResult;
import dev.kiln.compare.GateRow;
import java.io.StringWriter;
import java.util.List;
import java.util.function.Consumer;

/** {@code kiln gate --json}: a form that scripts depend on, with every digit. */
public final class GateJson {
    /** Raised when a key changes its meaning or goes; new keys do not raise it. */
    private static final int SCHEMA_VERSION = 1;

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
        out.text("verdict", GateWords.word(result.outcome()));
        out.integer("look", result.look());
        out.integer("looks", result.looks());
        out.array("metrics", () -> result.rows().forEach(row -> out.object(() -> row(row))));
        out.texts("footnotes", result.notes());
    }

    private void row(GateRow row) {
        out.text("metric", row.metric());
        out.exact("current", row.current());
        out.exact("baseline", row.baseline());
        out.integer("currentRuns", row.currentRuns());
        out.integer("baselineRuns", row.baselineRuns());
        out.exact("variancePct", row.variance());
        out.exact("tolerancePct", row.tolerance().percent());
        out.flag("eitherWay", row.tolerance().eitherWay());
        out.exact("confidence", row.confidence());
        out.exact("loPct", row.lo());
        out.exact("hiPct", row.hi());
        out.exact("minimalDetectableEffectPct", row.minimalDetectableEffect());
        out.text("verdict", GateWords.word(row.outcome()));
        out.text("verdictByInterval", GateWords.word(row.byInterval()));
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
