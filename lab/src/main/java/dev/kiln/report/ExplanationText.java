package dev.kiln.report;

import dev.kiln.explain.Forecast;
import dev.kiln.explain.RunResult;
import dev.kiln.model.Finding;
import dev.kiln.model.Finding.State;
import java.util.List;
import java.util.stream.Collectors;

/** {@code kiln explain} on a terminal: the verdict, what held with its evidence and remedies, and a line for each other. */
public final class ExplanationText {
    private final RunResult run;
    private final TerminalStyle style;

    private ExplanationText(RunResult run, TerminalStyle style) {
        this.run = run;
        this.style = style;
    }

    public static String render(RunResult run, TerminalStyle style) {
        ExplanationText text = new ExplanationText(run, style);
        return text.verdict()
                + text.held()
                + text.forecast()
                + text.others(State.RULED_OUT, "Ruled out")
                + text.others(State.NOT_OBSERVABLE, "Not observable");
    }

    private String verdict() {
        String name = style.chars(run.variant() + " " + run.run());
        return style.bold(name) + "\n"
                + paragraph("", VerdictWords.sentence(run.explanation().verdict()))
                        .lines()
                        .map(line -> style.bold(line) + "\n")
                        .collect(Collectors.joining())
                + VerdictWords.beside(run).stream()
                        .map(words -> paragraph("", Text.sentence(words) + "."))
                        .collect(Collectors.joining());
    }

    private String held() {
        List<Finding> held = of(State.CONFIRMED);
        return held.isEmpty()
                ? "\nNo cause is confirmed.\n"
                : held.stream().map(this::held).collect(Collectors.joining());
    }

    private String held(Finding finding) {
        return FindingText.held(finding, style);
    }

    private String forecast() {
        return Forecast.last(run.explanation().forecasts())
                .map(text -> "\n" + paragraph("", "Forecast: " + text + "."))
                .orElse("");
    }

    private String others(State state, String heading) {
        List<Finding> findings = of(state);
        return findings.isEmpty()
                ? ""
                : "\n" + heading + "\n"
                        + findings.stream()
                                .map(finding -> paragraph(
                                        "  - ",
                                        finding.id() + ": "
                                                + finding.evidence().stream()
                                                        .map(Finding.Proof::text)
                                                        .findFirst()
                                                        .orElse("")))
                                .map(lines -> lines.lines()
                                        .map(line -> style.dim(line) + "\n")
                                        .collect(Collectors.joining()))
                                .collect(Collectors.joining());
    }

    private List<Finding> of(State state) {
        return run.explanation().findings().stream()
                .filter(finding -> finding.state() == state)
                .toList();
    }

    private String paragraph(String first, String text) {
        return Wrap.paragraph(first, style.chars(text), style.width());
    }
}
