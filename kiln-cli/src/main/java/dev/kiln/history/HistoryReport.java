package dev.kiln.history;

import dev.kiln.history.History.PastSeries;
import dev.kiln.history.History.PastSession;
import dev.kiln.model.Metric;
import dev.kiln.report.Grid;
import dev.kiln.report.TerminalStyle;
import dev.kiln.report.terminal.Sparkline;
import dev.kiln.stats.LevelShifts;
import java.util.List;
import java.util.stream.Collectors;

/** A HistoryReport has series over many experiments, each in one line with its changes under the table. */
public record HistoryReport(History history, TerminalStyle style) {
    private static final int SPARK = 40;

    public static String terminal(History history, TerminalStyle style) {
        return new HistoryReport(history, style).render();
    }

    private String render() {
        return HistoryWords.byVariant(history).entrySet().stream()
                        .map(e -> style.bold(style.chars(e.getKey())) + "\n" + table(e.getValue())
                                + e.getValue().stream().map(this::changes).collect(Collectors.joining()))
                        .collect(Collectors.joining("\n"))
                + "\n" + style.notes(HistoryWords.notes(history));
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
                HistoryWords.value(metric, values.getFirst()),
                HistoryWords.value(metric, values.getLast()),
                Sparkline.aroundLevel(
                        values,
                        series.changes().stream().map(LevelShifts.Shift::index).collect(Collectors.toSet()),
                        Math.min(SPARK, style.width() - 57),
                        style.unicode()));
    }

    private String changes(PastSeries series) {
        return series.shifts().stream()
                .flatMap(shifts ->
                        shifts.shifts().stream().map(shift -> HistoryWords.change(series, shifts.logarithmic(), shift)))
                .map(text -> style.paragraph("  ", text, style::warn))
                .collect(Collectors.joining());
    }
}
