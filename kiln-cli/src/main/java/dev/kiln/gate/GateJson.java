package dev.kiln.gate;

import dev.kiln.compare.Calibration;
import dev.kiln.compare.Calibration.SplitShares;
import dev.kiln.compare.Gates.GateResult;
import dev.kiln.compare.Gates.GateResult.GateRow;
import dev.kiln.report.JsonOut;
import dev.kiln.report.json.ComparisonTables.RunsNeededJson;
import dev.kiln.stats.Gate;
import dev.kiln.stats.Gate.GateChange;
import dev.kiln.stats.Sessions;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/** GateJson is what {@code kiln gate --json} prints: a form that scripts depend on, with every digit. */
public record GateJson(JsonOut out) {
    /** Raised when a key changes its meaning or goes; new keys do not raise it. */
    private static final int SCHEMA_VERSION = 4;

    public static String render(GateResult result) {
        return JsonOut.render(out -> new GateJson(out).write(result));
    }

    public static String render(List<Calibration> calibrations) {
        return JsonOut.render(out -> new GateJson(out).write(calibrations));
    }

    private void write(GateResult result) {
        out.integer("schemaVersion", SCHEMA_VERSION);
        out.text("current", result.current());
        out.text("baseline", result.baseline());
        out.text("verdict", GateText.word(result.verdict()));
        out.integer("look", result.interim());
        out.integer("looks", result.interims());
        out.objects("metrics", result.rows(), this::row);
        out.texts("footnotes", result.notes());
    }

    private void row(GateRow row) {
        out.text("metric", row.metric());
        out.exact("current", value(row, gate -> gate.current().value()));
        out.exact("baseline", value(row, gate -> gate.baseline().value()));
        out.text("currentBound", bound(row, Gate::current));
        out.text("baselineBound", bound(row, Gate::baseline));
        out.integer("currentRuns", row.currentRuns());
        out.integer("baselineRuns", row.baselineRuns());
        out.exact("changePct", value(row, gate -> gate.change().pct()));
        out.exact("tolerancePct", row.tolerance().percent());
        out.flag("eitherWay", row.tolerance().eitherWay());
        out.exact("confidence", value(row, gate -> gate.change().confidence()));
        out.exact("loPct", figure(row, GateChange::loPct));
        out.exact("hiPct", figure(row, GateChange::hiPct));
        out.flag("paired", row.found().filter(gate -> gate.change().paired()).isPresent());
        out.exact("detectablePct", figure(row, GateChange::detectablePct));
        out.text("verdict", GateText.word(row.verdict()));
        RunsNeededJson.write(out, row.found().flatMap(Gate::runsNeeded));
        out.text("sessions", row.found().map(gate -> word(gate.sessions())).orElse("one"));
        out.texts("notes", row.notes());
    }

    private static OptionalDouble value(GateRow row, ToDoubleFunction<Gate> value) {
        return row.found().stream().mapToDouble(value).findFirst();
    }

    private static String bound(GateRow row, Function<Gate, Gate.Figure> side) {
        return row.found()
                .map(side)
                .map(figure -> figure.bound().name().toLowerCase(Locale.ROOT).replace('_', ' '))
                .orElse("none");
    }

    private static String word(Sessions sessions) {
        return switch (sessions) {
            case Sessions.One one -> "one";
            case Sessions.Unknown unknown -> "two, variance unknown";
            case Sessions.Known known -> "two, variance known";
        };
    }

    private static OptionalDouble figure(GateRow row, Function<GateChange, OptionalDouble> which) {
        return row.found().map(Gate::change).map(which).orElse(OptionalDouble.empty());
    }

    private void write(List<Calibration> calibrations) {
        out.integer("schemaVersion", SCHEMA_VERSION);
        out.objects("calibrations", calibrations, one -> {
            out.text("name", one.name());
            out.exact("confidence", one.confidence());
            out.objects("metrics", one.rows(), this::row);
        });
    }

    private void row(Calibration.Row row) {
        out.text("metric", row.tolerance().metric());
        out.exact("tolerancePct", row.tolerance().percent());
        out.integer("runs", row.runs());
        out.integer("splits", row.splits());
        out.flag("allSplits", row.all());
        out.exact("failed", row.share(SplitShares::failed));
        out.exact("passed", row.share(SplitShares::passed));
        out.exact("inconclusive", row.share(SplitShares::inconclusive));
        out.exact("underPowered", row.share(SplitShares::underPowered));
        out.exact("differenceShown", row.share(SplitShares::differenceShown));
    }
}
