package dev.kiln.report;

import dev.kiln.explain.LiveFigures;
import dev.kiln.model.Finding;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The live screen of {@code kiln doctor --watch}: at most 23 lines of at most 80 characters. */
public final class DoctorScreen {
    static final int LINES = 23;
    static final int COLUMNS = 80;
    private static final int SPARK = 40;

    private final TerminalStyle style;

    private DoctorScreen(TerminalStyle style) {
        this.style = style;
    }

    /** Its lines, without colours and line ends. */
    public static List<String> lines(DoctorSubject subject, DoctorHistory history, TerminalStyle style) {
        return new DoctorScreen(style).lines(subject, history);
    }

    /** In one line, for a log. */
    public static String line(DoctorSubject subject) {
        LiveFigures f = subject.diagnosis().figures();
        return String.format(
                Locale.ROOT,
                "%s %s: process %s, C2 ran %s, waited %s, queue %s, level 4 %s",
                subject.process().pid(),
                subject.diagnosis().state().text(),
                percent(f.targetCpu().orElse(Double.NaN)),
                percent(f.c2Cpu().orElse(Double.NaN)),
                percent(f.c2Wait().orElse(Double.NaN)),
                f.c2Queue().isPresent() ? f.c2Queue().getAsInt() + "" : Text.ABSENT,
                f.levels().map(levels -> levels.level4() + "").orElse(Text.ABSENT));
    }

    private List<String> lines(DoctorSubject subject, DoctorHistory h) {
        LiveFigures f = subject.diagnosis().figures();
        List<String> lines = new ArrayList<>();
        lines.add("kiln doctor  pid " + subject.process().pid() + "  "
                + subject.process().command() + "  up "
                + DoctorText.age(subject.process().ageSeconds()));
        lines.add("");
        lines.add(subject.diagnosis().state().text().toUpperCase(Locale.ROOT));
        wrapped(lines, subject.diagnosis().reason(), 2);
        lines.add("");
        lines.add(row("process CPU", percent(last(h.cpu)), h.cpu, 1));
        lines.add(row("C2 CPU", percent(last(h.c2Cpu)), h.c2Cpu, 1));
        lines.add(row("C2 waiting", percent(last(h.c2Wait)), h.c2Wait, 1));
        lines.add(row("C2 queue", whole(last(h.queue)), h.queue, 10));
        lines.add(row("level 4", whole(last(h.level4)), h.level4, 10));
        lines.add("");
        f.levels()
                .ifPresent(l -> lines.add("methods in use: level 1 " + l.level1() + ", 2 " + l.level2() + ", 3 "
                        + l.level3() + ", 4 " + l.level4()));
        lines.add(String.format(
                Locale.ROOT,
                "compilations %s a second, throttled %s of periods, compile efficiency %s",
                f.compilationsPerSecond().isPresent()
                        ? String.format(
                                Locale.ROOT, "%.1f", f.compilationsPerSecond().getAsDouble())
                        : Text.ABSENT,
                percent(f.throttled().orElse(Double.NaN)),
                percent(f.efficiency().orElse(Double.NaN))));
        Optional<Finding> held = subject.diagnosis().confirmed().stream().findFirst();
        held.ifPresent(finding -> {
            lines.add("");
            lines.add("Held: " + finding.title());
            finding.remedies().stream()
                    .filter(remedy -> remedy.place() == Finding.Place.LIVE_PROCESS)
                    .forEach(remedy -> wrapped(lines, "> " + remedy.what() + ": " + remedy.how(), 2));
        });
        subject.diagnosis().forecast().ifPresent(left -> wrapped(lines, "Forecast: " + DoctorText.words(left), 2));
        lines.add("");
        lines.add("Process CPU stands in for throughput, unseen from outside. Ctrl-C ends.");
        return lines.stream()
                .limit(LINES)
                .map(line -> DoctorText.cut(style.chars(line), COLUMNS))
                .toList();
    }

    private String row(String name, String value, List<Double> series, double top) {
        return String.format(Locale.ROOT, "%-12s %10s  ", name, value)
                + Sparkline.of(series, SPARK, top, style.unicode());
    }

    private static void wrapped(List<String> lines, String text, int atMost) {
        Wrap.paragraph("", text, COLUMNS).lines().limit(atMost).forEach(lines::add);
    }

    private static double last(List<Double> values) {
        return values.isEmpty() ? Double.NaN : values.getLast();
    }

    private static String percent(double share) {
        return Double.isFinite(share) ? String.format(Locale.ROOT, "%.1f %%", 100 * share) : Text.ABSENT;
    }

    private static String whole(double value) {
        return Double.isFinite(value) ? String.format(Locale.ROOT, "%.0f", value) : Text.ABSENT;
    }
}
