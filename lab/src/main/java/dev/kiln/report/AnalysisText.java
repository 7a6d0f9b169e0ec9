package dev.kiln.report;

import dev.kiln.explain.RunResult;
import dev.kiln.explain.study.ExperimentResult;
import dev.kiln.stats.AnalysisConfig;
import dev.kiln.stats.Estimate;
import dev.kiln.stats.series.Ending;
import dev.kiln.stats.series.SeriesAnalysis;
import dev.kiln.stats.series.TimeToPeak;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** {@code kiln analyze} on a terminal: a picture, the verdict, a table of the answers, footnotes. */
public final class AnalysisText {
    private static final List<String> HEADS = List.of("figure", "value", "interval");

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

    /** Of one series. */
    public static String render(ExperimentResult result, TerminalStyle style) {
        AnalysisText text = new AnalysisText(result, style);
        return style.bold(style.chars(result.name())) + "\n\n" + text.picture()
                + style.bold(
                        style.chars(VerdictWords.sentence(text.run.explanation().verdict())))
                + "\n\n" + new Grid(HEADS, text.rows(), List.of()).terminal(style) + "\n" + text.notes();
    }

    private String picture() {
        if (series.bins().length == 0) {
            return "";
        }
        String title = Text.plural(series.bins().length, "bin") + " of " + Text.plain(series.binSeconds())
                + " s before the last pause, req/s";
        OptionalDouble t90 =
                series.time(TimeToPeak.HEADLINE).map(TimeToPeak::seconds).orElse(OptionalDouble.empty());
        return style.chars(title) + "\n" + new SeriesPicture(series.bins(), series.binSeconds(), style).render(t90)
                + "\n";
    }

    private List<List<String>> rows() {
        List<List<String>> rows = new ArrayList<>();
        series.peak()
                .ifPresent(peak -> rows.add(row(
                        "peak, req/s",
                        (peak.lowerBound() ? "\u2265 " : "") + Text.whole(peak.value()),
                        interval(peak.throughput(), 1, 0))));
        series.times().forEach(time -> rows.add(time("T" + time.percent() + ", s", time)));
        series.endOverPeak()
                .ifPresent(r -> rows.add(row("end over peak, %", Text.percent(r.value()), interval(r, 100, 1))));
        series.ending()
                .map(Ending::level)
                .ifPresent(level -> rows.add(row("end, req/s", Text.whole(level.value()), interval(level, 1, 0))));
        series.ending()
                .map(Ending::growth)
                .ifPresent(growth -> rows.add(row(
                        "change at the end, % a minute",
                        Text.fixed(100 * growth.value(), 1), interval(growth, 100, 1))));
        series.deficit()
                .ifPresent(deficit -> rows.add(row(
                        "warm-up cost, s",
                        Text.seconds(deficit.seconds().value()),
                        interval(deficit.seconds(), 1, 1))));
        series.jump()
                .ifPresent(jump -> rows.add(row(
                        "after over before the pause",
                        Text.fixed(jump.ratio().value(), 2),
                        interval(jump.ratio(), 1, 2))));
        series.ownTimes().stream()
                .filter(time -> time.percent() == TimeToPeak.HEADLINE)
                .forEach(time -> rows.add(time("to 90 % of its own end, s", time)));
        rows.add(row("requests before the last pause", Text.whole(series.requests()), ""));
        if (series.noise().bins() > 0) {
            rows.add(row(
                    "noise of a second, %",
                    Text.three(100 * series.noise().cv()),
                    "correlation " + Text.fixed(series.noise().rho(), 2) + ", worth "
                            + Text.whole(series.noise().effective()) + " of "
                            + series.noise().bins() + " bins"));
        }
        return rows;
    }

    private List<String> time(String name, TimeToPeak time) {
        String beyond = "> " + Text.plain(series.seconds());
        return row(name, or(time.seconds(), beyond), or(time.lo(), beyond) + " to " + or(time.hi(), beyond));
    }

    private static String or(OptionalDouble value, String otherwise) {
        return value.isPresent() ? Text.plain(value.getAsDouble()) : otherwise;
    }

    private static List<String> row(String name, String value, String interval) {
        return List.of(name, value, interval);
    }

    private static String interval(Estimate estimate, double factor, int decimals) {
        return Text.fixed(factor * estimate.lo(), decimals) + " to " + Text.fixed(factor * estimate.hi(), decimals);
    }

    private String notes() {
        List<String> notes = new ArrayList<>(run.notes());
        notes.addAll(VerdictWords.beside(run));
        notes.add("constants (change one with --set NAME=VALUE): " + constants(result.config()));
        return Notes.terminal(
                Stream.concat(run.invalidReasons().stream(), notes.stream())
                        .distinct()
                        .toList(),
                style);
    }

    static String constants(AnalysisConfig config) {
        return Constants.of(config).stream()
                .map(constant -> constant.name() + "\u00a0" + constant.text())
                .collect(Collectors.joining(", "));
    }
}
