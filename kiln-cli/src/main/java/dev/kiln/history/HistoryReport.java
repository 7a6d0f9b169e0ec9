package dev.kiln.history;

import dev.kiln.explain.study.PastRun;
import dev.kiln.history.History.PastSeries;
import dev.kiln.history.History.PastSession;
import dev.kiln.model.Metric;
import dev.kiln.report.Grid;
import dev.kiln.report.TerminalStyle;
import dev.kiln.report.terminal.Sparkline;
import dev.kiln.stats.LevelShifts;
import dev.kiln.text.Show;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** A HistoryReport has a line for each series over many experiments, its changes, and the words of all forms. */
public record HistoryReport(History history, TerminalStyle style) {
    private static final int SPARK = 40;

    public static String terminal(History history, TerminalStyle style) {
        return new HistoryReport(history, style).render();
    }

    private String render() {
        return byVariant(history).entrySet().stream()
                        .map(e -> style.bold(style.chars(e.getKey())) + "\n" + table(e.getValue())
                                + e.getValue().stream().map(this::changes).collect(Collectors.joining()))
                        .collect(Collectors.joining("\n"))
                + "\n" + style.notes(notes(history));
    }

    private String table(List<PastSeries> variant) {
        List<List<String>> rows = variant.stream().map(this::row).toList();
        return Grid.of(List.of("  metric", "unit", "sessions", "first", "last", ""), rows, 1, 5)
                .least(14, 7, 8, 9, 9)
                .terminal(style);
    }

    private List<String> row(PastSeries series) {
        Metric metric = series.metric();
        List<Double> values = series.sessions().stream().map(PastSession::value).toList();
        return List.of(
                "  " + metric.id(),
                metric.unit(),
                Integer.toString(values.size()),
                value(metric, series.sessions().getFirst()),
                value(metric, series.sessions().getLast()),
                Sparkline.aroundLevel(
                        values,
                        series.changes().stream().map(LevelShifts.Shift::index).collect(Collectors.toSet()),
                        Math.min(SPARK, style.width() - 57),
                        style.unicode()));
    }

    private String changes(PastSeries series) {
        return series.shifts().stream()
                .flatMap(shifts -> shifts.shifts().stream().map(shift -> change(series, shifts.logarithmic(), shift)))
                .map(text -> style.paragraph("  ", text, style::warn))
                .collect(Collectors.joining());
    }

    /** Returns the series of each variant under its name, in the order of the history. */
    static Map<String, List<PastSeries>> byVariant(History history) {
        return history.series().stream()
                .collect(Collectors.groupingBy(
                        series -> series.experiment() + ", " + series.variant(),
                        LinkedHashMap::new,
                        Collectors.toList()));
    }

    /** Returns a change with its interval, of a ratio if it is logarithmic, and where it begins. */
    static String change(PastSeries series, boolean logarithmic, LevelShifts.Shift shift) {
        Metric metric = series.metric();
        String level = Show.plain(100 * LevelShifts.CONFIDENCE) + " % interval ";
        String size = logarithmic
                ? percent(shift.after() / shift.before()) + " %, " + level + percent(shift.lo()) + " to "
                        + percent(shift.hi())
                : level + value(metric, shift.lo()) + " to " + value(metric, shift.hi());
        PastSession session = series.session(shift);
        return metric.id() + ": " + value(metric, shift.before()) + " to " + value(metric, shift.after()) + " "
                + metric.unit() + " (" + size + ", " + (series.better(shift) ? "better" : "worse") + ") from "
                + minute(session.first()) + " UTC on, " + session.folder();
    }

    /** Returns when a run began, in UTC to the minute. */
    static String minute(PastRun run) {
        return Instant.ofEpochMilli(run.epochMillis())
                .toString()
                .substring(0, 16)
                .replace('T', ' ');
    }

    private static String percent(double ratio) {
        return (ratio > 1 ? "+" : "") + Show.fixed(100 * (ratio - 1), 1);
    }

    private static String value(Metric metric, PastSession session) {
        return bound(session.atLeast()) + value(metric, session.value());
    }

    /** Returns a run's figure, which says so where it is only a bound; a dash where the run has none. */
    static String figure(PastRun run, Metric metric) {
        return Show.or(run.figure(metric), value -> bound(run.open(metric)) + value(metric, value));
    }

    private static String bound(boolean atLeast) {
        return atLeast ? "\u2265 " : "";
    }

    static String value(Metric metric, double value) {
        return switch (metric.unit()) {
            case "s" -> Show.seconds(value);
            case "%" -> Show.fixed(value, 0);
            default -> Show.whole(value);
        };
    }

    /** Returns the notes of a history, among them how Kiln looks for a change. */
    static List<String> notes(History history) {
        List<String> notes = new ArrayList<>(history.notes());
        if (history.series().stream().anyMatch(series -> series.missing() > 0)) {
            notes.add("Runs without a metric are missing from its series. If one run did not reach t90, Kiln"
                    + " reports no change of t90");
        }
        if (history.series().stream().anyMatch(series -> series.sessions().size() < LevelShifts.MIN_POINTS)) {
            notes.add("Not enough data to look for changes with fewer than " + LevelShifts.MIN_POINTS
                    + " sessions. The runs of one experiment are one session, with one value");
        }
        notes.add("How changes are found: after each session, the means of at least " + LevelShifts.MIN_SEGMENT
                + " sessions before and after it are compared, by t with the variance (at least "
                + Show.plain(100 * LevelShifts.LEAST_NOISE) + " %) and the correlation of sessions. At most 5 of 100"
                + " series of 100 sessions have a false alarm (level " + Show.plain(LevelShifts.ALPHA)
                + "). An interval is of "
                + Show.plain(100 * LevelShifts.CONFIDENCE) + " %");
        return notes;
    }
}
