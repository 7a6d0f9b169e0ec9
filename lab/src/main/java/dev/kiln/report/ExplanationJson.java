package dev.kiln.report;

import dev.kiln.explain.Forecast;
import dev.kiln.explain.RunResult;
import dev.kiln.explain.RunResult.Explanation;
import dev.kiln.explain.study.ExperimentResult;
import dev.kiln.model.Finding;
import java.io.StringWriter;
import java.util.List;

/** Verdict, findings and forecasts: of {@code kiln explain --json}, and within {@code result.json}. */
public final class ExplanationJson {
    private final JsonOut out;

    ExplanationJson(JsonOut out) {
        this.out = out;
    }

    /** Of one run. */
    public static String render(RunResult run) {
        StringWriter text = new StringWriter();
        try (JsonOut out = JsonOut.pretty(text)) {
            out.object(() -> new ExplanationJson(out).run(run));
        }
        return text.append('\n').toString();
    }

    /** Of all runs of an experiment. */
    public static String render(ExperimentResult result) {
        List<RunResult> runs =
                result.variants().stream().flatMap(v -> v.runs().stream()).toList();
        StringWriter text = new StringWriter();
        try (JsonOut out = JsonOut.pretty(text)) {
            out.object(() -> {
                out.text("experiment", result.name());
                out.array("runs", () -> runs.forEach(run -> out.object(() -> new ExplanationJson(out).run(run))));
            });
        }
        return text.append('\n').toString();
    }

    private void run(RunResult run) {
        out.text("variant", run.variant());
        out.integer("run", run.run());
        verdict(run.explanation());
        findings(run.explanation());
    }

    void verdict(Explanation explanation) {
        out.text("verdict", explanation.verdict().text());
        out.texts("verdictReasons", VerdictWords.reasons(explanation.verdict()));
    }

    void findings(Explanation explanation) {
        out.array("findings", () -> explanation.findings().forEach(finding -> out.object(() -> finding(finding))));
        out.array("forecasts", () -> explanation.forecasts().forEach(forecast -> out.object(() -> forecast(forecast))));
    }

    void finding(Finding finding) {
        out.text("id", finding.id());
        out.text("title", finding.title());
        out.text("state", finding.state().text());
        out.number("weight", finding.weight(), 3);
        out.array("evidence", () -> finding.evidence().forEach(proof -> out.object(() -> proof(proof))));
        out.array("remedies", () -> finding.remedies().forEach(remedy -> out.object(() -> remedy(remedy))));
    }

    private void proof(Finding.Proof proof) {
        out.text("text", proof.text());
        out.number("fromSecond", Reading.optional(proof.when().map(Finding.Moment::fromSecond)), 3);
        out.number("toSecond", Reading.optional(proof.when().map(Finding.Moment::toSecond)), 3);
    }

    private void remedy(Finding.Remedy remedy) {
        out.text("what", remedy.what());
        out.text("how", remedy.how());
        out.text("cost", remedy.cost());
        out.text("place", remedy.place().text());
    }

    private void forecast(Forecast forecast) {
        out.number("atSecond", forecast.atSecond(), 3);
        out.number("c2Share", forecast.c2Share(), 4);
        out.number("c2NotDoneBefore", forecast.low(), 1);
    }
}
