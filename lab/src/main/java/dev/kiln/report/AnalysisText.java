package dev.kiln.report;

import dev.kiln.explain.SeriesResult;
import dev.kiln.stats.Analysed;
import dev.kiln.stats.AnalysisConfig;
import dev.kiln.stats.NotEnoughData;
import dev.kiln.stats.SeriesAnalysis;
import dev.kiln.stats.TimeToPeak;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

/** {@code kiln analyze} on a terminal: a picture of each phase, one table, footnotes. */
public final class AnalysisText {
    private static final List<String> HEADS = List.of(
            "phase", "class", "peak req/s", "T50 s", "T90 s", "T95 s", "T99 s", "lost s", "requests", "noise %");

    private final SeriesResult result;
    private final TerminalStyle style;

    private AnalysisText(SeriesResult result, TerminalStyle style) {
        this.result = result;
        this.style = style;
    }

    public static String render(String file, SeriesResult result, TerminalStyle style) {
        AnalysisText text = new AnalysisText(result, style);
        String pictures = result.phases().stream().map(text::picture).collect(Collectors.joining());
        return style.bold(style.chars(file)) + "\n\n" + pictures + text.table() + "\n" + text.notes();
    }

    private String picture(SeriesResult.Phase phase) {
        double w = result.config().binSeconds();
        String unit = w == 1 ? "" : " of " + Text.plain(w) + " s";
        String title = phase.name() + ", " + Text.plural(phase.bins().length, "bin") + unit + ", req/s";
        boolean warmup = result.against()
                .filter(against -> against.phase().equals(phase.name()))
                .isPresent();
        OptionalDouble t90 = warmup ? of(result.against().orElseThrow().times(), 90) : of(own(phase.analysis()), 90);
        return phase.bins().length == 0
                ? ""
                : style.chars(title) + "\n" + new SeriesPicture(phase.bins(), w, style).render(phase.analysis(), t90)
                        + "\n";
    }

    private static List<TimeToPeak> own(SeriesAnalysis analysis) {
        return analysis instanceof Analysed a ? a.timeToPeak() : List.of();
    }

    private static OptionalDouble of(List<TimeToPeak> times, int percent) {
        return times.stream()
                .filter(time -> time.percent() == percent)
                .map(TimeToPeak::seconds)
                .findFirst()
                .orElse(OptionalDouble.empty());
    }

    private String table() {
        List<List<String>> rows = new ArrayList<>();
        for (SeriesResult.Phase phase : result.phases()) {
            SeriesAnalysis analysis = phase.analysis();
            boolean peak = analysis instanceof Analysed a && a.peakUsed().isPresent();
            rows.add(row(
                    phase.name(),
                    words(phase, analysis),
                    analysis,
                    peak ? Text.whole(((Analysed) analysis).peakSelf()) : Text.ABSENT,
                    peak ? own(analysis) : List.of(),
                    analysis instanceof Analysed a ? a.deficitSeconds() : OptionalDouble.empty()));
            result.against()
                    .filter(against -> against.phase().equals(phase.name()))
                    .ifPresent(against -> rows.add(row(
                            "  against " + against.referencePhase(),
                            words(phase, against.analysis()),
                            against.analysis(),
                            (against.peak().lowerBound() ? "\u2265 " : "")
                                    + Text.whole(against.peak().value()),
                            against.times(),
                            OptionalDouble.of(against.deficit().deficitSeconds()))));
        }
        return new Grid(HEADS, rows, List.of(1)).terminal(style);
    }

    private List<String> row(
            String name,
            String words,
            SeriesAnalysis analysis,
            String peak,
            List<TimeToPeak> times,
            OptionalDouble lost) {
        List<String> cells = new ArrayList<>(List.of(name, words, peak));
        for (int percent : Reading.PERCENTS) {
            Optional<TimeToPeak> time =
                    times.stream().filter(t -> t.percent() == percent).findFirst();
            cells.add(time.map(t -> cell(t, analysis.bins())).orElse(Text.ABSENT));
        }
        cells.add(lost.isPresent() ? Text.seconds(lost.getAsDouble()) : Text.ABSENT);
        cells.add(Text.whole(analysis.requests()));
        cells.add(analysis instanceof Analysed a ? Text.three(100 * a.tailCv()) : Text.ABSENT);
        return cells;
    }

    /** A time that the noise hides is in brackets. */
    private String cell(TimeToPeak time, int bins) {
        String text = time.seconds().isPresent()
                ? Text.plain(time.seconds().getAsDouble())
                : "> " + Text.plain(bins * result.config().binSeconds());
        return time.resolvable() ? text : "(" + text + ")";
    }

    /** What is invalid is said where the figures stand, and why in the notes. */
    private static String words(SeriesResult.Phase phase, SeriesAnalysis analysis) {
        return (phase.valid() ? "" : "invalid: ") + words(analysis);
    }

    private static String words(SeriesAnalysis analysis) {
        return switch (analysis) {
            case NotEnoughData missing -> "not enough data";
            case Analysed a ->
                a.steady()
                        ? a.steadyClass().label() + ", steady from "
                                + Text.plain(a.steadyStart().orElse(0)) + " s"
                        : a.steadyClass().label() + ", " + a.subLabel().label();
        };
    }

    private String notes() {
        List<String> notes = new ArrayList<>(result.notes());
        result.jump()
                .ifPresent(jump -> notes.add("cooldown jump " + Text.three(jump.ratio()) + ": "
                        + Text.whole(jump.before()) + " req/s before the pause, " + Text.whole(jump.after())
                        + " after it" + (jump.exceedsSlope() ? "" : ", no more than its slope explains")));
        notes.add("a time is that from the first bin to the first of "
                + result.config().sustainedBins()
                + " bins that hold p % of the peak; > : not reached; in brackets: hidden by the noise of the tail;"
                + " lost s: requests lost against the peak, as seconds at it");
        notes.add("constants (change one with --set NAME=VALUE): " + constants(result.config()));
        return Notes.terminal(notes, style);
    }

    static String constants(AnalysisConfig config) {
        return Constants.of(config).stream()
                .map(constant -> constant.name() + "\u00a0" + constant.text())
                .collect(Collectors.joining(", "));
    }
}
