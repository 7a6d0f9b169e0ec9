package dev.kiln.report.json;

import dev.kiln.explain.Forecaster.Forecast;
import dev.kiln.explain.Replica;
import dev.kiln.explain.RunResult;
import dev.kiln.explain.RunResult.Explanation;
import dev.kiln.explain.budget.Budget;
import dev.kiln.explain.budget.Budget.BudgetPart;
import dev.kiln.explain.budget.Budgets;
import dev.kiln.explain.budget.RunningCode.FamilySplit;
import dev.kiln.explain.study.ExperimentResult;
import dev.kiln.explain.window.CpuUse;
import dev.kiln.model.run.Finding;
import dev.kiln.report.JsonOut;
import dev.kiln.report.VerdictWords;
import java.util.List;
import java.util.Optional;

/** ExplanationJson writes verdict, findings and forecasts, for {@code kiln explain} and {@code result.json}. */
public record ExplanationJson(JsonOut out) {
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
        replicas(run.replicas());
        new BudgetJson(out).write(run.budgets());
        findings(run.explanation());
    }

    public void verdict(Explanation explanation) {
        out.text("verdict", explanation.verdict().text());
        out.texts("verdictReasons", VerdictWords.reasons(explanation.verdict()));
    }

    /** Writes each process of a service that is several; nothing for any other. */
    void replicas(List<Replica> replicas) {
        if (!replicas.isEmpty()) {
            out.objects("replicas", replicas, replica -> {
                out.text("name", replica.name());
                out.number("cpuShare", replica.cpu(), 4);
                out.text("c2AtEnd", replica.left().text());
                out.number("c2CpuShare", replica.c2().map(CpuUse::cpu), 4);
                out.number("c2WaitShare", replica.c2Waiting(), 4);
                out.number("c2ClearedSeconds", replica.cleared(), 1);
                out.text("timeToPeak", Replica.NO_TIME);
            });
        }
    }

    public void findings(Explanation explanation) {
        findings(explanation.findings());
        out.objects(
                "forecasts",
                explanation.forecasts().stream().filter(Forecast::tells).toList(),
                this::forecast);
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

    /** BudgetJson writes where the time of requests went. What is not known is left out. */
    public record BudgetJson(JsonOut out) {
        /** Writes the shares of a live process, whose requests nobody counts. */
        public void live(Budget budget) {
            out.number("threadsAtWork", budget.requestsPerSecond(), 2);
            out.objects("parts", budget.millis().keySet(), part -> {
                out.text("part", part.id());
                out.number("share", budget.share(part), 4);
            });
            out.texts(
                    "notRecorded", budget.missing().stream().map(BudgetPart::id).toList());
            out.objects("blocked", budget.blocked(), place -> {
                out.text("kind", place.id());
                out.text("frame", place.frame());
                out.text("detail", place.detail());
                out.number("share", place.millis() / budget.responseMillis(), 4);
            });
        }

        void write(Budgets budgets) {
            if (!budgets.known()) {
                return;
            }
            out.object("budget", () -> {
                write("beginning", budgets.beginning());
                write("end", budgets.end());
                write("reference", budgets.reference());
            });
        }

        private void write(String name, Optional<Budget> budget) {
            budget.ifPresent(known -> out.object(name, () -> write(known)));
        }

        private void write(Budget budget) {
            out.number("requestsPerSecond", budget.requestsPerSecond(), 2);
            out.number("responseMillis", budget.responseMillis(), 4);
            out.objects("parts", budget.millis().keySet(), part -> {
                out.text("part", part.id());
                out.number("millis", budget.of(part), 4);
                out.number("share", budget.share(part), 4);
            });
            out.texts(
                    "notRecorded", budget.missing().stream().map(BudgetPart::id).toList());
            if (budget.toSafepointMillis().isPresent()) {
                out.number("toSafepointMillis", budget.toSafepointMillis(), 4);
            }
            out.some("code", budget.code(), code -> {
                out.text("kind", code.kind());
                out.number("millis", code.millis(), 4);
            });
            budget.running().families().ifPresent(split -> out.object("families", () -> write(split)));
            out.some("blocked", budget.blocked(), place -> {
                out.text("kind", place.id());
                out.text("frame", place.frame());
                out.text("detail", place.detail());
                out.number("millis", place.millis(), 4);
            });
        }

        private void write(FamilySplit split) {
            out.integer("samples", split.samples());
            out.flag("closing", split.closing());
            out.objects("times", split.times(), time -> {
                out.text("family", time.family().id());
                out.number("millis", time.millis(), 4);
                out.number("lo", time.leastMillis(), 4);
                out.number("hi", time.mostMillis(), 4);
            });
        }
    }
}
