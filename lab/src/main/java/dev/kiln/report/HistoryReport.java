package dev.kiln.report;

import dev.kiln.explain.study.History;
import dev.kiln.explain.study.History.PastRun;
import dev.kiln.explain.study.History.PastSeries;
import dev.kiln.model.Metric;
import dev.kiln.stats.LevelShifts;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Series over many experiments, each in one line with its changes under the table. */
public final class HistoryReport {
    private static final int SPARK = 40;

    private final History history;
    private final TerminalStyle style;

    private HistoryReport(History history, TerminalStyle style) {
        this.history = history;
        this.style = style;
    }

    public static String terminal(History history, TerminalStyle style) {
        return new HistoryReport(history, style).render();
    }

    private String render() {
        StringBuilder out = new StringBuilder();
        String before = "";
        StringBuilder changes = new StringBuilder();
        for (PastSeries series : history.series()) {
            String name = series.experiment() + ", " + series.variant();
            if (!name.equals(before)) {
                out.append(changes).append(before.isEmpty() ? "" : "\n");
                changes.setLength(0);
                out.append(style.bold(style.chars(name))).append('\n').append(heads());
                before = name;
            }
            out.append(style.chars(line(series))).append('\n');
            changes.append(changes(series));
        }
        out.append(changes).append('\n');
        for (String note : notes()) {
            out.append(style.dim(Wrap.paragraph("- ", style.chars(note), style.width())));
        }
        return out.toString();
    }

    private static String heads() {
        return String.format(Locale.ROOT, "  %-14s%-9s%5s%11s%11s  %s%n", "metric", "unit", "runs", "first", "last", "")
                        .stripTrailing()
                + "\n";
    }

    private String line(PastSeries series) {
        String shape = HistorySpark.of(series, Math.min(SPARK, style.width() - 54), style.unicode());
        return String.format(
                        Locale.ROOT,
                        "  %-14s%-9s%5d%11s%11s  %s",
                        series.metric().id(),
                        series.metric().unit(),
                        series.runs().size(),
                        value(series.metric(), series.value(0)),
                        value(series.metric(), series.value(series.runs().size() - 1)),
                        shape)
                .stripTrailing();
    }

    private String changes(PastSeries series) {
        return series.shifts().stream()
                .flatMap(shifts -> shifts.shifts().stream().map(shift -> change(series, shifts, shift)))
                .map(text -> Wrap.paragraph("  ", style.chars(text), style.width()))
                .map(text -> text.lines().map(style::warn).collect(Collectors.joining("\n")) + "\n")
                .collect(Collectors.joining());
    }

    private static String change(PastSeries series, LevelShifts shifts, LevelShifts.Shift shift) {
        PastRun run = series.runs().get(shift.index());
        Metric metric = series.metric();
        String size = shifts.logarithmic()
                ? percent(shift.after() / shift.before()) + " % [" + percent(shift.lo()) + ", " + percent(shift.hi())
                        + "]"
                : "by " + value(metric, shift.lo()) + " to " + value(metric, shift.hi());
        return metric.id() + ": " + value(metric, shift.before()) + " to " + value(metric, shift.after()) + " "
                + metric.unit() + " (" + size + ", " + (series.better(shift) ? "better" : "worse") + ") from "
                + Instant.ofEpochMilli(run.epochMillis())
                        .toString()
                        .substring(0, 16)
                        .replace('T', ' ')
                + " UTC on, " + run.folder() + " run " + run.run();
    }

    private static String percent(double ratio) {
        return (ratio > 1 ? "+" : "") + Text.fixed(100 * (ratio - 1), 1);
    }

    private List<String> notes() {
        List<String> notes = new java.util.ArrayList<>(history.notes());
        if (history.series().stream().anyMatch(series -> series.missing() > 0)) {
            notes.add(
                    "Runs without a metric are left out of its series; where one did not come to its t90, no change of"
                            + " the others' is told");
        }
        if (history.series().stream().anyMatch(series -> series.runs().size() < LevelShifts.MIN_POINTS)) {
            notes.add("Not enough data to look for changes with fewer than " + LevelShifts.MIN_POINTS + " runs");
        }
        notes.add("A change: exact segmentation of logarithms, penalty " + Text.plain(LevelShifts.PENALTY)
                + " ln(runs) in units of the neighbours' noise (at least "
                + Text.plain(100 * LevelShifts.LEAST_NOISE) + " %), at least " + LevelShifts.MIN_SEGMENT
                + " runs a level, and a " + Text.plain(100 * (1 - LevelShifts.ALPHA))
                + " % interval on runs (Welch's t) that excludes zero");
        return notes;
    }

    private static String value(Metric metric, double value) {
        return switch (metric.unit()) {
            case "s" -> Text.seconds(value);
            case "%" -> Text.fixed(value, 0);
            default -> Text.whole(value);
        };
    }
}
