package dev.kiln.doctor;

import dev.kiln.doctor.Watch.DoctorSubject;
import dev.kiln.model.run.Finding;
import dev.kiln.report.TerminalStyle;
import dev.kiln.report.terminal.Sparkline;
import dev.kiln.text.Show;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/** DoctorScreen is the screen of {@code kiln doctor --watch}: at most 23 lines of 80 characters. */
public final class DoctorScreen {
    static final int LINES = 23;
    static final int COLUMNS = 80;
    private static final int SPARK = 40;

    /** A text has so many lines of the screen. */
    private static final int MOST_LINES = 2;

    private final TerminalStyle style;
    private final TerminalStyle screen;

    private DoctorScreen(TerminalStyle style) {
        this.style = style;
        this.screen = new TerminalStyle(Math.min(COLUMNS, style.columns()), false, style.unicode());
    }

    /** Returns the lines of the screen, without colours and line ends. */
    public static List<String> lines(DoctorSubject subject, LastMinute history, TerminalStyle style) {
        return new DoctorScreen(style).lines(subject, history);
    }

    /** Returns the diagnosis in one line, for a log. */
    public static String line(DoctorSubject subject) {
        LiveFigures f = subject.diagnosis().figures();
        return subject.process().pid() + " " + subject.diagnosis().state().text() + ": process "
                + Show.share(f.targetCpu()) + ", C2 ran " + Show.share(f.c2().cpu()) + ", waited "
                + Show.share(f.c2().waiting()) + ", queue "
                + (f.c2().queue().isPresent() ? f.c2().queue().getAsInt() + "" : Show.ABSENT) + ", level 4 "
                + f.compilation().levels().map(levels -> levels.level4() + "").orElse(Show.ABSENT);
    }

    private List<String> lines(DoctorSubject subject, LastMinute h) {
        LiveFigures f = subject.diagnosis().figures();
        List<String> lines = new ArrayList<>();
        lines.add("kiln doctor  pid " + subject.process().pid() + "  "
                + subject.process().command() + "  up "
                + Show.age(subject.process().ageSeconds()));
        lines.add("");
        lines.add(subject.diagnosis().state().text().toUpperCase(Locale.ROOT));
        wrapped(lines, subject.diagnosis().reason());
        lines.add("");
        lines.add(row("process CPU", Show.share(last(h.cpu)), h.cpu, 1));
        lines.add(row("C2 CPU", Show.share(last(h.c2Cpu)), h.c2Cpu, 1));
        lines.add(row("C2 waiting", Show.share(last(h.c2Wait)), h.c2Wait, 1));
        lines.add(row("C2 queue", Show.or(last(h.queue), value -> Show.machine(value, 0)), h.queue, 10));
        lines.add(row("level 4", Show.or(last(h.level4), value -> Show.machine(value, 0)), h.level4, 10));
        lines.add("");
        f.compilation()
                .levels()
                .ifPresent(l -> lines.add("methods in use: level 1 " + l.level1() + ", 2 " + l.level2() + ", 3 "
                        + l.level3() + ", 4 " + l.level4()));
        lines.add("compilations " + Show.or(f.compilation().perSecond(), rate -> Show.machine(rate, 1))
                + " a second, throttled " + Show.share(f.throttled()) + " of periods, compile efficiency "
                + Show.share(f.compilation().efficiency()));
        Optional<Finding> confirmed = subject.diagnosis().confirmed().stream().findFirst();
        confirmed.ifPresent(finding -> {
            lines.add("");
            lines.add("Confirmed: " + finding.title());
            finding.remedies().stream()
                    .filter(remedy -> remedy.place() == Finding.RemedyPlace.LIVE_PROCESS)
                    .forEach(remedy -> wrapped(lines, "> " + remedy.what() + ": " + remedy.how()));
        });
        subject.diagnosis().forecast().ifPresent(left -> wrapped(lines, "Forecast: " + DoctorText.words(left)));
        lines.add("");
        lines.add("Process CPU stands in for throughput, which nobody sees from outside. Ctrl-C ends.");
        return lines.stream()
                .limit(LINES)
                .map(line -> screen.cut(style.chars(line)))
                .toList();
    }

    private String row(String name, String value, List<Double> series, double top) {
        return String.format(Locale.ROOT, "%-12s %10s  ", name, value)
                + Sparkline.fromZero(series, SPARK, top, style.unicode());
    }

    private void wrapped(List<String> lines, String text) {
        screen.paragraph(text).lines().limit(MOST_LINES).forEach(lines::add);
    }

    private static OptionalDouble last(List<Double> values) {
        return values.isEmpty() ? OptionalDouble.empty() : OptionalDouble.of(values.getLast());
    }

    /** A LastMinute has a value for each second of a live JVM; NaN where there was none. One thread may use it. */
    public static final class LastMinute {
        private static final int SECONDS = 60;

        private final List<Double> cpu = new ArrayList<>();
        private final List<Double> c2Cpu = new ArrayList<>();
        private final List<Double> c2Wait = new ArrayList<>();
        private final List<Double> queue = new ArrayList<>();
        private final List<Double> level4 = new ArrayList<>();

        /** Adds the values of the next second. */
        public void add(
                OptionalDouble ofCpu,
                OptionalDouble ofC2Cpu,
                OptionalDouble ofC2Wait,
                OptionalDouble ofQueue,
                OptionalDouble ofLevel4) {
            put(cpu, ofCpu);
            put(c2Cpu, ofC2Cpu);
            put(c2Wait, ofC2Wait);
            put(queue, ofQueue);
            put(level4, ofLevel4);
        }

        private static void put(List<Double> series, OptionalDouble value) {
            series.add(value.orElse(Double.NaN));
            if (series.size() > SECONDS) {
                series.removeFirst();
            }
        }
    }
}
