package dev.kiln.report.terminal;

import dev.kiln.explain.Forecaster.Forecast;
import dev.kiln.explain.Replica;
import dev.kiln.explain.RunResult;
import dev.kiln.explain.cause.Causes;
import dev.kiln.model.run.Finding;
import dev.kiln.model.run.Finding.FindingState;
import dev.kiln.report.BudgetTable;
import dev.kiln.report.TerminalStyle;
import dev.kiln.report.VerdictWords;
import dev.kiln.stats.AnalysisConfig;
import dev.kiln.text.Show;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** ExplanationText is {@code kiln explain} on a terminal: the verdict, confirmed causes, a line for the rest. */
public record ExplanationText(RunResult run, TerminalStyle style) {
    public static String render(RunResult run, TerminalStyle style) {
        ExplanationText text = new ExplanationText(run, style);
        return text.verdict()
                + text.replicas()
                + text.budget()
                + text.confirmed()
                + text.forecast()
                + text.others(FindingState.RULED_OUT, "Ruled out")
                + text.others(FindingState.NOT_OBSERVABLE, "Not observable");
    }

    private String verdict() {
        String name = run.variant() + " " + run.run();
        return style.line(name, style::bold)
                + style.conclusion(VerdictWords.sentence(run.explanation().verdict()))
                + VerdictWords.beside(run, AnalysisConfig.DELTA).stream()
                        .map(words -> style.paragraph(Show.sentence(words) + "."))
                        .collect(Collectors.joining());
    }

    private String replicas() {
        List<Replica> all = run.replicas();
        return all.isEmpty()
                ? ""
                : "\nReplicas\n"
                        + all.stream()
                                .map(replica -> style.paragraph("  - ", replica.words()))
                                .collect(Collectors.joining())
                        + style.paragraph("  ", "The time to its peak of each is " + Replica.NO_TIME + ".");
    }

    private String budget() {
        String table = BudgetTable.of(run).terminal(style);
        return table.isEmpty() ? "" : "\n" + table;
    }

    private String confirmed() {
        List<Finding> confirmed = run.explanation().findings(FindingState.CONFIRMED);
        return (confirmed.isEmpty()
                        ? "\nNo cause is confirmed.\n"
                        : confirmed.stream()
                                .map(finding -> confirmed(finding, style))
                                .collect(Collectors.joining()))
                + earlier();
    }

    /** Writes what would have brought the service to its peak sooner, where C2 was starved on the way. */
    private String earlier() {
        List<Finding.FindingRemedy> remedies =
                Causes.earlierRemedies(run.explanation().findings());
        return remedies.isEmpty()
                ? ""
                : "\nWhat gives C2 more CPU on the way to the peak\n" + remedies(remedies, style);
    }

    private String forecast() {
        return Forecast.last(run.explanation().forecasts())
                .map(text -> "\n" + style.paragraph("Forecast: " + text + "."))
                .orElse("");
    }

    private String others(FindingState state, String heading) {
        Map<String, List<String>> byReason = new LinkedHashMap<>();
        run.explanation()
                .findings(state)
                .forEach(finding -> byReason.computeIfAbsent(
                                finding.evidence().stream()
                                        .map(Finding.Proof::text)
                                        .findFirst()
                                        .orElse(""),
                                reason -> new ArrayList<>())
                        .add(finding.id()));
        return byReason.isEmpty()
                ? ""
                : "\n" + heading + "\n"
                        + byReason.entrySet().stream()
                                .map(entry -> style.paragraph(
                                        "  - ",
                                        String.join(", ", entry.getValue()) + ": " + entry.getKey(),
                                        style::dim))
                                .collect(Collectors.joining());
    }

    /** Writes a finding that is confirmed. */
    public static String confirmed(Finding finding, TerminalStyle style) {
        String evidence = finding.evidence().stream()
                .map(proof -> style.paragraph("  - ", proof.text() + moment(proof)))
                .collect(Collectors.joining());
        String remedies = remedies(finding.remedies(), style);
        return "\n" + head(finding, style) + evidence + (remedies.isEmpty() ? "" : "  Remedies:\n" + remedies);
    }

    private static String remedies(List<Finding.FindingRemedy> remedies, TerminalStyle style) {
        return remedies.stream()
                .map(remedy -> style.paragraph("  > ", remedy(remedy)))
                .collect(Collectors.joining());
    }

    private static String head(Finding finding, TerminalStyle style) {
        String title = Show.sentence(finding.title());
        String id = "  " + finding.id();
        return style.fits(title + id)
                ? style.warn(style.chars(title)) + style.dim(id) + "\n"
                : style.line(title, style::warn) + style.dim(id) + "\n";
    }

    private static String moment(Finding.Proof proof) {
        return proof.when()
                .map(when -> " (seconds " + Show.range(when.fromSecond(), when.toSecond(), s -> Show.fixed(s, 0)) + ")")
                .orElse("");
    }

    private static String remedy(Finding.FindingRemedy remedy) {
        return remedy.what() + (remedy.how().isEmpty() ? "" : ": " + remedy.how()) + ". "
                + Show.sentence(remedy.place().text()) + "; costs: " + remedy.cost();
    }
}
