package dev.kiln.doctor;

import dev.kiln.doctor.LiveDiagnosis.LiveState;
import dev.kiln.doctor.Watch.DoctorSubject;
import dev.kiln.explain.Forecaster.Forecast;
import dev.kiln.explain.budget.Budget;
import dev.kiln.explain.budget.Budget.BudgetPart;
import dev.kiln.model.LiveProcess;
import dev.kiln.model.run.Finding;
import dev.kiln.report.Grid;
import dev.kiln.report.TerminalStyle;
import dev.kiln.report.terminal.ExplanationText;
import dev.kiln.text.Show;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** DoctorText writes {@code kiln doctor} on a terminal. */
public final class DoctorText {
    /** The longest name of a user that is shown in full. */
    private static final int USER = 10;

    private DoctorText() {}

    /** Returns the verdict in the first line, the confirmed findings with their remedies, and a line for the rest. */
    public static String render(DoctorSubject subject, TerminalStyle style) {
        LiveDiagnosis diagnosis = subject.diagnosis();
        return style.line(verdict(subject), style::bold)
                + diagnosis
                        .budget()
                        .map(budget -> style.paragraph(budget(budget)))
                        .orElse("")
                + figures(diagnosis.figures(), style)
                + confirmed(diagnosis.confirmed(), style)
                + forecast(diagnosis, style)
                + ids(diagnosis, Finding.FindingState.RULED_OUT, "Ruled out: ", style)
                + ids(diagnosis, Finding.FindingState.NOT_OBSERVABLE, "Not observable: ", style)
                + subject.notRecorded().stream()
                        .map(gap -> style.paragraph("  - ", "not seen: " + gap.what() + ": " + gap.why(), style::dim))
                        .collect(Collectors.joining());
    }

    /** Returns each remedy once, beginning with those that help without a restart. */
    private static String confirmed(List<Finding> findings, TerminalStyle style) {
        Set<String> told = new HashSet<>();
        StringBuilder text = new StringBuilder();
        for (Finding finding : findings) {
            List<Finding.FindingRemedy> remedies = finding.remedies().stream()
                    .filter(remedy -> told.add(remedy.what()))
                    .sorted(Comparator.comparing(remedy -> remedy.place() != Finding.RemedyPlace.LIVE_PROCESS))
                    .toList();
            text.append(ExplanationText.confirmed(
                    new Finding(
                            finding.id(),
                            finding.title(),
                            finding.seenIn(),
                            finding.state(),
                            finding.weight(),
                            finding.explains(),
                            finding.evidence(),
                            remedies),
                    style));
        }
        return text.toString();
    }

    /** Returns the advice to favour the compilers of this JVM now; empty if that would not help. */
    public static String now(DoctorSubject subject, TerminalStyle style) {
        LiveDiagnosis diagnosis = subject.diagnosis();
        return diagnosis.favouringHelps()
                ? "\n"
                        + style.paragraph(
                                "Now: kiln doctor " + subject.process().pid()
                                        + " --fix renice gives its compilers priority until it is warm, and then"
                                        + " undoes that. It asks first.")
                : "";
    }

    /** Returns the verdict in one line, for scripts and logs too. */
    public static String verdict(DoctorSubject subject) {
        LiveProcess process = subject.process();
        return process.command() + " (pid " + process.pid() + ") is "
                + words(subject.diagnosis().state()) + ": "
                + subject.diagnosis().reason() + ".";
    }

    static String words(LiveState state) {
        return switch (state) {
            case WARM -> "warm";
            case WARMING -> "warming up";
            case STARVED -> "starved of CPU, and not warm";
            case IDLE -> "idle";
            case UNKNOWN -> "in an unknown state";
        };
    }

    /** Returns in a sentence where the time of requests goes, the largest part first, and the place where most are blocked. */
    private static String budget(Budget budget) {
        String parts = budget.millis().entrySet().stream()
                .filter(part -> part.getKey() != BudgetPart.REST && part.getValue() >= budget.responseMillis() / 200)
                .sorted(Map.Entry.<BudgetPart, Double>comparingByValue().reversed())
                .map(part -> String.format(
                        Locale.ROOT,
                        "%.0f %% %s%s",
                        100 * part.getValue() / budget.responseMillis(),
                        part.getKey().words(),
                        part.getKey() == BudgetPart.BLOCKED ? place(budget) : ""))
                .collect(Collectors.joining(", "));
        return String.format(
                Locale.ROOT,
                "Where the time of its requests goes (%.1f threads at work on average): %s%s",
                budget.requestsPerSecond(),
                parts,
                budget.of(BudgetPart.BLOCKED).isPresent()
                        ? ""
                        : "; what is blocked is not known, because no threads were dumped, or not the virtual ones");
    }

    private static String place(Budget budget) {
        return budget.blocked().stream()
                .findFirst()
                .map(most -> " (most: " + most.id()
                        + (most.frame().isEmpty() ? "" : " at " + most.frame())
                        + (most.detail().isEmpty() ? "" : ", " + most.detail()) + ")")
                .orElse("");
    }

    private static String figures(LiveFigures f, TerminalStyle style) {
        List<String> parts = new ArrayList<>();
        share(parts, "process ", f.targetCpu(), " of a CPU");
        share(parts, "C2 ran ", f.c2().cpu(), "");
        share(parts, "C2 waited ", f.c2().waiting(), "");
        share(parts, "compile efficiency ", f.compilation().efficiency(), "");
        f.compilation().perSecond().ifPresent(rate -> parts.add(Show.machine(rate, 1) + " compilations/s"));
        f.c2().queue().ifPresent(queue -> parts.add("C2 queue " + queue));
        f.compilation()
                .levels()
                .ifPresent(l -> parts.add("methods at level 1-4: " + l.level1() + "/" + l.level2() + "/" + l.level3()
                        + "/" + l.level4()));
        share(parts, "throttled ", f.throttled(), " of periods");
        return style.paragraph("In " + Show.machine(f.seconds(), 0) + " s: " + String.join(", ", parts));
    }

    private static void share(List<String> parts, String before, OptionalDouble share, String after) {
        if (share.isPresent()) {
            parts.add(before + Show.share(share) + after);
        }
    }

    private static String forecast(LiveDiagnosis diagnosis, TerminalStyle style) {
        return diagnosis
                .forecast()
                .map(forecast -> "\n" + style.paragraph("Forecast: " + words(forecast) + "."))
                .orElse("");
    }

    static String words(Forecast forecast) {
        return String.format(
                Locale.ROOT,
                "C2 needs %.0f s or more at the share of a CPU that it gets (%.1f %%)",
                Forecast.twoDigits(forecast.low() - forecast.atSecond()),
                100 * forecast.c2Share());
    }

    private static String ids(
            LiveDiagnosis diagnosis, Finding.FindingState state, String heading, TerminalStyle style) {
        String ids = diagnosis.findings().stream()
                .filter(finding -> finding.state() == state)
                .map(Finding::id)
                .collect(Collectors.joining(", "));
        return ids.isEmpty() ? "" : "\n" + style.paragraph(heading + ids);
    }

    /** Returns {@code kiln doctor} without a PID: all JVMs, a line each. */
    public static String all(List<DoctorSubject> subjects, TerminalStyle style) {
        if (subjects.isEmpty()) {
            return "No JVM can be seen from here.\n";
        }
        boolean containers =
                subjects.stream().anyMatch(s -> s.process().container().isPresent());
        Stream<String> heads =
                Stream.of("PID", "STATE", "UP", "CPU", "C2 RAN", "WAITED", "USER", "CONTAINER", "COMMAND");
        TerminalStyle plain = style.withoutColour();
        List<String> lines = new Grid(
                        heads.filter(head -> containers || !head.equals("CONTAINER"))
                                .toList(),
                        subjects.stream()
                                .map(subject -> row(subject, containers))
                                .toList(),
                        List.of(1, 6, 7, 8),
                        List.of(7, 7, 7, 6, 6, 6, 9, containers ? 11 : 0),
                        false)
                .terminal(plain)
                .lines()
                .map(style::cut)
                .toList();
        return style.bold(lines.getFirst()) + "\n"
                + lines.stream().skip(1).map(line -> line + "\n").collect(Collectors.joining())
                + subjects.stream()
                        .filter(subject -> subject.diagnosis().state() == LiveState.UNKNOWN)
                        .map(subject -> subject.process().pid() + ": "
                                + subject.diagnosis().reason())
                        .map(note -> style.line(note, style::dim))
                        .collect(Collectors.joining());
    }

    private static List<Grid.GridEntry> row(DoctorSubject subject, boolean containers) {
        LiveProcess p = subject.process();
        LiveFigures f = subject.diagnosis().figures();
        return Stream.concat(
                        Stream.of(
                                Long.toString(p.pid()),
                                subject.diagnosis().state().text(),
                                Show.age(p.ageSeconds()),
                                Show.share(f.targetCpu()),
                                Show.share(f.c2().cpu()),
                                Show.share(f.c2().waiting()),
                                p.user().substring(0, Math.min(USER, p.user().length()))),
                        containers ? Stream.of(p.container().orElse(Show.ABSENT), p.command()) : Stream.of(p.command()))
                .map(Grid.GridEntry::of)
                .toList();
    }
}
