package dev.kiln.sweep;

import dev.kiln.explain.study.ExperimentResult;
import dev.kiln.explain.study.SweepResult;
import dev.kiln.report.JsonOut;
import dev.kiln.report.Section;
import dev.kiln.report.TerminalStyle;
import dev.kiln.report.html.Html;
import java.util.Map;
import java.util.Optional;

/** A SweepSection shows throughput by connections, where the variants are levels of a sweep. */
public final class SweepSection implements Section {
    @Override
    public boolean in(ExperimentResult result) {
        return result.sweep().isPresent();
    }

    @Override
    public String html(ExperimentResult result) {
        return Html.section("sweep", "By connections", HtmlSweep.html(sweep(result)));
    }

    @Override
    public void json(JsonOut out, ExperimentResult result) {
        new SweepJson(out).write(sweep(result));
    }

    @Override
    public Optional<String> terminal(ExperimentResult result, TerminalStyle style) {
        return Optional.of(SweepReport.terminal(result, sweep(result), style));
    }

    @Override
    public Map<String, String> files(ExperimentResult result) {
        SweepResult sweep = sweep(result);
        return Map.of("sweep.csv", SweepReport.csv(sweep), "sweep.md", SweepReport.markdown(result, sweep));
    }

    private static SweepResult sweep(ExperimentResult result) {
        return result.sweep().orElseThrow();
    }
}
