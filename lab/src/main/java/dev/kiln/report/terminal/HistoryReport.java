package dev.kiln.report.terminal;

import dev.kiln.explain.study.History;
import dev.kiln.explain.study.History.PastRun;
import dev.kiln.explain.study.History.PastSeries;
import dev.kiln.model.Metric;
import dev.kiln.report.Grid;
import dev.kiln.report.TerminalStyle;
import dev.kiln.stats.LevelShifts;
import dev.kiln.text.Show;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

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
        Map<String, List<PastSeries>> variants = history.series().stream()
                .collect(Collectors.groupingBy(
                        series -> series.experiment() + ", " + series.variant(),
                        LinkedHashMap::new,
                        Collectors.toList()));
        return variants.entrySet().stream()
                        .map(e -> style.bold(style.chars(e.getKey())) + "\n" + table(e.getValue())
                                + e.getValue().stream().map(this::changes).collect(Collectors.joining()))
                        .collect(Collectors.joining("\n"))
                + "\n" + style.notes(notes());
    }

    private String table(List<PastSeries> variant) {
        List<List<String>> rows = variant.stream().map(this::row).toList();
        return Grid.of(List.of("  metric", "unit", "runs", "first", "last", ""), rows, 1, 5)
                .least(14, 7, 5, 9, 9)
                .terminal(style);
    }

    private List<String> row(PastSeries series) {
        Metric metric = series.metric();
        List<Double> values =
                IntStream.range(0, series.runs().size()).mapToObj(series::value).toList();
        return List.of(
                "  " + metric.id(),
                metric.unit(),
                Integer.toString(values.size()),
                value(metric, values.getFirst()),
                value(metric, values.getLast()),
                Sparkline.aroundLevel(
                        values,
                        shifts(series).map(LevelShifts.Shift::index).collect(Collectors.toSet()),
                        Math.min(SPARK, style.width() - 54),
                        style.unicode()));
    }

    private static Stream<LevelShifts.Shift> shifts(PastSeries series) {
        return series.shifts().stream().flatMap(shifts -> shifts.shifts().stream());
    }

    private String changes(PastSeries series) {
        return series.shifts().stream()
                .flatMap(shifts -> shifts.shifts().stream().map(shift -> change(series, shifts, shift)))
                .map(text -> style.paragraph("  ", text, style::warn))
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
        return (ratio > 1 ? "+" : "") + Show.fixed(100 * (ratio - 1), 1);
    }

    private List<String> notes() {
        List<String> notes = new ArrayList<>(history.notes());
        if (history.series().stream().anyMatch(series -> series.missing() > 0)) {
            notes.add("Runs without a metric are missing from its series. If one run did not reach t90, Kiln"
                    + " reports no change of t90");
        }
        if (history.series().stream().anyMatch(series -> series.runs().size() < LevelShifts.MIN_POINTS)) {
            notes.add("Not enough data to look for changes with fewer than " + LevelShifts.MIN_POINTS + " runs");
        }
        notes.add("A change: exact segmentation of logarithms, penalty " + Show.plain(LevelShifts.PENALTY)
                + " ln(runs) in units of the neighbours' noise (at least "
                + Show.plain(100 * LevelShifts.LEAST_NOISE) + " %), at least " + LevelShifts.MIN_SEGMENT
                + " runs a level, and a " + Show.plain(100 * (1 - LevelShifts.ALPHA))
                + " % interval on runs (Welch's t) that excludes zero");
        return notes;
    }

    private static String value(Metric metric, double value) {
        return switch (metric.unit()) {
            case "s" -> Show.seconds(value);
            case "%" -> Show.fixed(value, 0);
            default -> Show.whole(value);
        };
    }
}
