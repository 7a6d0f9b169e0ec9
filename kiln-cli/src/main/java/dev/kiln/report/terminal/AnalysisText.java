package dev.kiln.report.terminal;

import dev.kiln.explain.ResponseTimes;
import dev.kiln.explain.RunResult;
import dev.kiln.explain.study.ExperimentResult;
import dev.kiln.report.Facts;
import dev.kiln.report.Grid;
import dev.kiln.report.TerminalStyle;
import dev.kiln.report.VerdictWords;
import dev.kiln.stats.Estimate;
import dev.kiln.stats.series.Ending;
import dev.kiln.stats.series.SeriesAnalysis;
import dev.kiln.stats.series.TimeToPeak;
import dev.kiln.text.Show;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** AnalysisText is {@code kiln analyze} on a terminal: a picture, the verdict, a table, footnotes. */
public final class AnalysisText {
    private final ExperimentResult result;
    private final RunResult run;
    private final SeriesAnalysis series;
    private final TerminalStyle style;

    private AnalysisText(ExperimentResult result, TerminalStyle style) {
        this.result = result;
        this.run = result.variants().getFirst().runs().getFirst();
        this.series = run.series();
        this.style = style;
    }

    /** Returns the text of one series. */
    public static String render(ExperimentResult result, TerminalStyle style) {
        AnalysisText text = new AnalysisText(result, style);
        return style.line(result.name(), style::bold) + "\n" + text.picture()
                + style.line(VerdictWords.sentence(text.run.explanation().verdict()), style::bold)
                + "\n" + Grid.of(text.heads(), text.rows()).narrowing().terminal(style) + "\n" + text.notes();
    }

    private String picture() {
        if (series.bins().length == 0) {
            return "";
        }
        String title = Show.plural(series.bins().length, "bin") + " of " + Show.plain(series.binSeconds())
                + " s before the last pause, req/s";
        OptionalDouble t90 =
                series.time(TimeToPeak.HEADLINE).map(TimeToPeak::seconds).orElse(OptionalDouble.empty());
        return style.line(title, UnaryOperator.identity())
                + new SeriesPicture(series.bins(), series.binSeconds(), style).render(t90) + "\n";
    }

    private List<String> heads() {
        return List.of("figure", "value", Show.plain(100 * result.config().confidence()) + " % interval");
    }

    private List<List<String>> rows() {
        List<List<String>> rows = new ArrayList<>();
        run.responses()
                .map(ResponseTimes::rate)
                .orElse(OptionalDouble.empty())
                .ifPresent(rate -> rows.add(row("offered, req/s", Show.whole(rate), "")));
        series.peak()
                .ifPresent(peak -> rows.add(row(
                        "peak, req/s",
                        (peak.lowerBound() ? "\u2265 " : "") + Show.whole(peak.value()),
                        interval(peak.throughput(), 1, 0))));
        series.times().forEach(time -> rows.add(time("T" + time.percent() + ", s", time)));
        series.endOverPeak()
                .ifPresent(r -> rows.add(row(
                        "end over peak, %",
                        Show.percent(r.value()),
                        interval(r, 100, 1) + other(result.config().end().endZ()))));
        series.ending()
                .map(Ending::level)
                .ifPresent(level -> rows.add(row("end, req/s", Show.whole(level.value()), interval(level, 1, 0))));
        series.ending()
                .map(Ending::growth)
                .ifPresent(growth -> rows.add(row(
                        "change at the end, % a minute",
                        Show.fixed(100 * growth.value(), 1),
                        interval(growth, 100, 1) + other(result.config().end().slopeZ()))));
        series.warmupCost()
                .ifPresent(cost -> rows.add(
                        row("warm-up cost, s", Show.seconds(cost.seconds().value()), interval(cost.seconds(), 1, 1))));
        series.jump()
                .ifPresent(jump -> rows.add(row(
                        "after over before the pause",
                        Show.fixed(jump.ratio().value(), 2),
                        interval(jump.ratio(), 1, 2))));
        series.ownTimes().stream()
                .filter(time -> time.percent() == TimeToPeak.HEADLINE)
                .forEach(time -> rows.add(time("to 90 % of its own end, s", time)));
        rows.add(
                row("requests before the last pause", Show.whole(series.served().requests()), ""));
        if (series.noise().bins() > 0) {
            rows.add(row("noise of a second, %", Show.three(100 * series.noise().cv()), ""));
        }
        return rows;
    }

    private List<String> time(String name, TimeToPeak time) {
        double horizon = series.seconds();
        if (time.never()) {
            return row(name, TimeToPeak.NEVER, TimeToPeak.within(horizon));
        }
        return row(
                name,
                TimeToPeak.text(time.seconds(), horizon),
                TimeToPeak.text(time.lo(), horizon) + " to " + TimeToPeak.text(time.hi(), horizon));
    }

    /** Returns the level of an interval that differs from the level of its column, in brackets. */
    private static String other(double z) {
        return " (" + Facts.level(z) + " %)";
    }

    private static List<String> row(String name, String value, String interval) {
        return List.of(name, value, interval);
    }

    private static String interval(Estimate estimate, double factor, int decimals) {
        return Show.fixed(factor * estimate.lo(), decimals) + " to " + Show.fixed(factor * estimate.hi(), decimals);
    }

    private String notes() {
        List<String> notes = new ArrayList<>(run.notes());
        notes.addAll(VerdictWords.beside(run, result.config().delta()));
        if (series.ending().isPresent()) {
            notes.add(Facts.levels(result.config()));
        }
        if (series.noise().bins() > 0) {
            notes.add("noise: " + Show.plural(series.noise().bins(), "bin") + " with a correlation of "
                    + Show.fixed(series.noise().rho(), 2) + ", worth "
                    + Show.whole(series.noise().effective())
                    + " independent ones");
        }
        notes.add(Facts.constantsToSet(result.config()));
        return style.notes(Stream.concat(run.invalidReasons().stream(), notes.stream())
                .distinct()
                .toList());
    }

    /** A SeriesPicture draws a series as blocks, with the time to 90 % of its peak under it. */
    private record SeriesPicture(double[] bins, double binSeconds, TerminalStyle style) {
        private static final int ROWS = 8;
        private static final int MOST_COLUMNS = 80;
        private static final int EIGHTHS = 8;

        /** The lowest of the block elements U+2581 to U+2588, each of which is an eighth higher than the one before. */
        private static final char LOWEST_BLOCK = '\u2581';

        /** Returns the lines of text, with T90 in seconds marked if there is one. */
        String render(OptionalDouble t90) {
            double highest = Arrays.stream(bins).max().orElse(0);
            String top = Show.whole(highest);
            int most = Math.max(1, Math.min(MOST_COLUMNS, style.width() - top.length() - 4));
            // Equally many bins a column, or the picture would have steps that the series has not.
            int columns = Math.ceilDiv(bins.length, Math.ceilDiv(bins.length, most));
            String indent = " ".repeat(top.length());
            StringBuilder out = new StringBuilder();
            for (int row = ROWS - 1; row >= 0; row--) {
                String label = row == ROWS - 1 ? top : indent;
                out.append(label).append(style.unicode() ? " \u2502" : " |");
                out.append(blocks(row, columns, highest).stripTrailing()).append('\n');
            }
            String axis = style.unicode() ? "\u2500".repeat(columns) : "-".repeat(columns);
            out.append(" ".repeat(top.length() - 1))
                    .append(style.unicode() ? "0 \u2514" : "0 +")
                    .append(axis)
                    .append('\n');
            String margin = indent + "  ";
            mark(t90, columns).ifPresent(line -> out.append(margin).append(line).append('\n'));
            return out.append(margin).append(times(columns)).append('\n').toString();
        }

        private String blocks(int row, int columns, double highest) {
            StringBuilder out = new StringBuilder();
            for (int column = 0; column < columns; column++) {
                double level = highest == 0 ? 0 : mean(column, columns) / highest * ROWS;
                int eighths = (int) Math.round(Math.clamp(level - row, 0, 1) * EIGHTHS);
                boolean drawn = style.unicode() ? eighths > 0 : eighths >= EIGHTHS / 2;
                out.append(!drawn ? ' ' : style.unicode() ? (char) (LOWEST_BLOCK + eighths - 1) : '#');
            }
            return out.toString();
        }

        private double mean(int column, int columns) {
            int per = Math.ceilDiv(bins.length, columns);
            return Arrays.stream(bins, column * per, Math.min(bins.length, (column + 1) * per))
                    .average()
                    .orElse(0);
        }

        private int column(double bin, int columns) {
            return (int) Math.min(columns - 1, bin / Math.ceilDiv(bins.length, columns));
        }

        private Optional<String> mark(OptionalDouble t90, int columns) {
            if (t90.isEmpty()) {
                return Optional.empty();
            }
            int at = column(t90.getAsDouble() / binSeconds, columns);
            String arrow = style.unicode() ? "\u25b2" : "^";
            String text = "T90 " + Show.plain(t90.getAsDouble()) + " s";
            boolean right = at + 2 + text.length() <= columns || at < text.length() + 1;
            return Optional.of(
                    right
                            ? " ".repeat(at) + arrow + " " + text
                            : " ".repeat(at - text.length() - 1) + text + " " + arrow);
        }

        private String times(int columns) {
            String end = Show.plain(bins.length * binSeconds) + " s";
            return "0" + " ".repeat(Math.max(1, columns - 1 - end.length())) + end;
        }
    }
}
