package dev.kiln.report.json;

import dev.kiln.explain.Forecast;
import dev.kiln.explain.RunResult;
import dev.kiln.explain.RunResult.Explanation;
import dev.kiln.explain.study.ExperimentResult;
import dev.kiln.model.run.Finding;
import dev.kiln.report.JsonOut;
import dev.kiln.report.VerdictWords;
import java.util.List;

/**
 * ExplanationJson writes verdict, findings and forecasts, for {@code kiln explain --json} and within {@code
 * result.json}.
 */
public final class ExplanationJson {
    private final JsonOut out;

    public ExplanationJson(JsonOut out) {
        this.out = out;
    }

    /** Returns the explanation of one run. */
    public static String render(RunResult run) {
        return JsonOut.render(out -> new ExplanationJson(out).run(run));
    }

    /** Returns the explanations of all runs of an experiment. */
    public static String render(ExperimentResult result) {
        List<RunResult> runs =
                result.variants().stream().flatMap(v -> v.runs().stream()).toList();
        return JsonOut.render(out -> {
            out.text("experiment", result.name());
            out.objects("runs", runs, new ExplanationJson(out)::run);
        });
    }

    private void run(RunResult run) {
        out.text("variant", run.variant());
        out.integer("run", run.run());
        verdict(run.explanation());
        new BudgetJson(out).write(run.budgets());
        findings(run.explanation());
    }

    public void verdict(Explanation explanation) {
        out.text("verdict", explanation.verdict().text());
        out.texts("verdictReasons", VerdictWords.reasons(explanation.verdict()));
    }

    public void findings(Explanation explanation) {
        findings(explanation.findings());
        out.objects("forecasts", explanation.forecasts(), this::forecast);
    }

    public void findings(List<Finding> findings) {
        out.objects("findings", findings, this::finding);
    }

    private void finding(Finding finding) {
        out.text("id", finding.id());
        out.text("title", finding.title());
        out.text("state", finding.state().text());
        out.texts(
                "explains",
                finding.explains().stream().sorted().map(Finding.Effect::id).toList());
        out.number("weight", finding.weight(), 3);
        out.objects("evidence", finding.evidence(), this::proof);
        out.objects("remedies", finding.remedies(), this::remedy);
    }

    private void proof(Finding.Proof proof) {
        out.text("text", proof.text());
        out.number("fromSecond", proof.when().map(Finding.Moment::fromSecond), 3);
        out.number("toSecond", proof.when().map(Finding.Moment::toSecond), 3);
    }

    private void remedy(Finding.FindingRemedy remedy) {
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
