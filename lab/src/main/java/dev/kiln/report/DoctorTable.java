package dev.kiln.report;

import dev.kiln.explain.LiveDiagnosis.LiveState;
import dev.kiln.explain.LiveFigures;
import dev.kiln.model.LiveProcess;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/** {@code kiln doctor} without a PID: all JVMs, a line each. */
public final class DoctorTable {
    private static final int USER = 10;

    private final TerminalStyle style;
    private final boolean containers;

    private DoctorTable(List<DoctorSubject> subjects, TerminalStyle style) {
        this.style = style;
        this.containers =
                subjects.stream().anyMatch(s -> s.process().container().isPresent());
    }

    public static String render(List<DoctorSubject> subjects, TerminalStyle style) {
        return subjects.isEmpty() ? "No JVM can be seen from here.\n" : new DoctorTable(subjects, style).text(subjects);
    }

    private String text(List<DoctorSubject> subjects) {
        StringBuilder text = new StringBuilder();
        text.append(style.bold(line("PID", "STATE", "UP", "CPU", "C2 RAN", "WAITED", "USER", "CONTAINER", "COMMAND")))
                .append('\n');
        List<String> notes = new ArrayList<>();
        for (DoctorSubject subject : subjects) {
            LiveProcess p = subject.process();
            LiveFigures f = subject.diagnosis().figures();
            text.append(line(
                            Long.toString(p.pid()),
                            subject.diagnosis().state().text(),
                            DoctorText.age(p.ageSeconds()),
                            percent(f.targetCpu()),
                            percent(f.c2Cpu()),
                            percent(f.c2Wait()),
                            DoctorText.cut(p.user(), USER),
                            p.container().orElse(Text.ABSENT),
                            p.command()))
                    .append('\n');
            if (subject.diagnosis().state() == LiveState.UNKNOWN) {
                notes.add(p.pid() + ": " + subject.diagnosis().reason());
            }
        }
        notes.forEach(note -> text.append(style.dim(style.chars(note))).append('\n'));
        return text.toString();
    }

    private String line(
            String pid,
            String state,
            String up,
            String cpu,
            String c2,
            String wait,
            String user,
            String container,
            String command) {
        String line =
                String.format(Locale.ROOT, "%-8s %-8s %7s %7s %7s %7s  %-10s ", pid, state, up, cpu, c2, wait, user)
                        + (containers ? String.format(Locale.ROOT, "%-12s ", container) : "")
                        + command;
        return DoctorText.cut(style.chars(line), style.width());
    }

    private static String percent(OptionalDouble share) {
        return share.isPresent() ? String.format(Locale.ROOT, "%.1f %%", 100 * share.getAsDouble()) : Text.ABSENT;
    }
}
