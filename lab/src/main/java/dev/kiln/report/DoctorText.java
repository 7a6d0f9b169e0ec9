package dev.kiln.report;

import dev.kiln.explain.Forecast;
import dev.kiln.explain.LiveDiagnosis;
import dev.kiln.explain.LiveDiagnosis.LiveState;
import dev.kiln.explain.LiveFigures;
import dev.kiln.model.Finding;
import dev.kiln.model.LiveProcess;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Collectors;

/** {@code kiln doctor} on a terminal. */
public final class DoctorText {
    private DoctorText() {}

    /** The verdict in the first line, what held with its remedies, and a line for the rest. */
    public static String render(DoctorSubject subject, TerminalStyle style) {
        LiveDiagnosis diagnosis = subject.diagnosis();
        return style.bold(style.chars(verdict(subject))) + "\n"
                + figures(diagnosis.figures(), style)
                + held(diagnosis.confirmed(), style)
                + forecast(diagnosis, style)
                + ids(diagnosis, Finding.State.RULED_OUT, "Ruled out: ", style)
                + ids(diagnosis, Finding.State.NOT_OBSERVABLE, "Not observable: ", style)
                + subject.notRecorded().stream()
                        .map(gap -> style.dim(paragraph("  - ", "not seen: " + gap.what() + ": " + gap.why(), style)
                                        .stripTrailing())
                                + "\n")
                        .collect(Collectors.joining());
    }

    /** Each remedy once, and what helps without a restart first. */
    private static String held(List<Finding> findings, TerminalStyle style) {
        Set<String> told = new HashSet<>();
        StringBuilder text = new StringBuilder();
        for (Finding finding : findings) {
            List<Finding.Remedy> remedies = finding.remedies().stream()
                    .filter(remedy -> told.add(remedy.what()))
                    .sorted(Comparator.comparing(remedy -> remedy.place() != Finding.Place.LIVE_PROCESS))
                    .toList();
            text.append(FindingText.held(
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

    /** What to do at once. */
    public static String now(DoctorSubject subject, TerminalStyle style) {
        LiveDiagnosis diagnosis = subject.diagnosis();
        return diagnosis.favouringHelps()
                ? "\n"
                        + paragraph(
                                "",
                                "Now: kiln doctor " + subject.process().pid()
                                        + " --fix renice lets its compilers go first until it is warm, and then takes that"
                                        + " back. It asks before.",
                                style)
                : "";
    }

    /** One line, for scripts and logs too. */
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
            case UNKNOWN -> "in a state that cannot be told";
        };
    }

    private static String figures(LiveFigures f, TerminalStyle style) {
        List<String> parts = new ArrayList<>();
        percent(parts, "process %s of a CPU", f.targetCpu());
        percent(parts, "C2 ran %s", f.c2Cpu());
        percent(parts, "C2 waited %s", f.c2Wait());
        percent(parts, "compile efficiency %s", f.efficiency());
        f.compilationsPerSecond().ifPresent(rate -> parts.add(String.format(Locale.ROOT, "%.1f compilations/s", rate)));
        f.c2Queue().ifPresent(queue -> parts.add("C2 queue " + queue));
        f.levels()
                .ifPresent(l -> parts.add("methods at level 1-4: " + l.level1() + "/" + l.level2() + "/" + l.level3()
                        + "/" + l.level4()));
        percent(parts, "throttled %s of periods", f.throttled());
        String text = String.format(Locale.ROOT, "In %.0f s: ", f.seconds()) + String.join(", ", parts);
        return paragraph("", text, style);
    }

    private static void percent(List<String> parts, String format, OptionalDouble share) {
        share.ifPresent(value -> parts.add(String.format(Locale.ROOT, format.replace("%s", "%.1f %%"), 100 * value)));
    }

    private static String forecast(LiveDiagnosis diagnosis, TerminalStyle style) {
        return diagnosis
                .forecast()
                .map(forecast -> "\n" + paragraph("", "Forecast: " + words(forecast) + ".", style))
                .orElse("");
    }

    static String words(Forecast forecast) {
        return String.format(
                Locale.ROOT,
                "C2 needs %.0f s or more at the share of a CPU that it gets (%.1f %%)",
                Forecast.twoDigits(forecast.low() - forecast.atSecond()),
                100 * forecast.c2Share());
    }

    private static String ids(LiveDiagnosis diagnosis, Finding.State state, String heading, TerminalStyle style) {
        String ids = diagnosis.findings().stream()
                .filter(finding -> finding.state() == state)
                .map(Finding::id)
                .collect(Collectors.joining(", "));
        return ids.isEmpty() ? "" : "\n" + paragraph("", heading + ids, style);
    }

    static String age(double seconds) {
        if (seconds < 120) {
            return String.format(Locale.ROOT, "%.0f s", seconds);
        }
        if (seconds < 7200) {
            return String.format(Locale.ROOT, "%.0f min", seconds / 60);
        }
        return seconds < 172_800
                ? String.format(Locale.ROOT, "%.0f h", seconds / 3600)
                : String.format(Locale.ROOT, "%.0f d", seconds / 86_400);
    }

    static String cut(String text, int width) {
        return text.length() <= width ? text : text.substring(0, Math.max(0, width));
    }

    private static String paragraph(String first, String text, TerminalStyle style) {
        return Wrap.paragraph(first, style.chars(text), style.width());
    }
}
