package dev.kiln.report;

import dev.kiln.explain.RunResult;
import dev.kiln.explain.VariantResult;
import dev.kiln.model.Provenance;
import dev.kiln.stats.series.Peak;
import dev.kiln.stats.series.TimeToPeak;
import dev.kiln.text.Show;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.DoubleFunction;
import java.util.function.Function;

/**
 * One figure of a table.
 *
 * @param text the figure over the valid runs
 * @param range lowest and highest run, or how many runs have it
 * @param note what a reader must know about this figure; an absent one says here why
 */
public record Cell(String text, Optional<String> range, Optional<String> note) {
    public static Cell of(String text) {
        return new Cell(text, Optional.empty(), Optional.empty());
    }

    public static Cell absent(String why) {
        return new Cell(Show.ABSENT, Optional.empty(), Optional.of(why));
    }

    /** Over the runs that have the value. */
    public static Cell over(
            Collection<RunResult> runs,
            Function<RunResult, OptionalDouble> value,
            DoubleFunction<String> format,
            String whyAbsent) {
        return Spread.over(runs, value).map(spread -> of(spread, format)).orElseGet(() -> absent(whyAbsent));
    }

    /** The median, and the range where it says more. */
    private static Cell of(Spread spread, DoubleFunction<String> format) {
        Cell cell = of(format.apply(spread.median()));
        String range = Show.range(spread.min(), spread.max(), format);
        return range.equals(cell.text()) ? cell : cell.withRange(range);
    }

    public Cell withNote(String why) {
        return new Cell(text, range, Optional.of(why));
    }

    public Cell withRange(String between) {
        return new Cell(text, Optional.of(between), note);
    }

    /** The time to a share of the peak, or {@code > H}; under it its interval, or the range of several runs. */
    public static Cell time(VariantResult variant, int percent) {
        List<RunResult> valid = variant.valid();
        if (valid.isEmpty()) {
            return absent(Reading.noValidRun(variant));
        }
        double horizon =
                valid.stream().mapToDouble(run -> run.series().seconds()).max().orElse(0);
        boolean bound = variant.referencePeak().filter(Peak::lowerBound).isPresent();
        return variant.time(percent)
                .map(time -> time(time, horizon, bound))
                .map(cell -> variant.pooled()
                        .flatMap(pooled -> pooled.time(percent))
                        .map(pooled -> pooled.words(horizon))
                        .filter(words -> !words.equals(cell.text() + " s"))
                        .map(words -> cell.withNote(
                                "T" + percent + " of the mean curve of the runs of " + variant.name() + " is " + words))
                        .orElse(cell))
                .orElseGet(() -> absent(whyNone(valid.getFirst())));
    }

    /** One run's time, for the table of runs. */
    public static Cell time(RunResult run, int percent) {
        boolean bound = run.series().peak().filter(Peak::lowerBound).isPresent();
        return run.series()
                .time(percent)
                .map(time -> time(time, run.series().seconds(), bound))
                .orElseGet(() -> absent(whyNone(run)));
    }

    private static Cell time(TimeToPeak time, double horizon, boolean bound) {
        String beyond = "> " + Show.plain(horizon);
        String text = time.seconds().isPresent() && bound
                ? "\u2265 " + or(time.seconds(), beyond)
                : or(time.seconds(), beyond);
        String from = or(time.lo(), beyond);
        String to = or(time.hi(), beyond);
        return from.equals(to) ? of(text) : of(text).withRange(from + (time.hi().isPresent() ? "\u2013" : " to ") + to);
    }

    /** A time of which only is known that it lies beyond the load's end is that. */
    public static String or(OptionalDouble seconds, String beyond) {
        return seconds.isPresent() ? Show.plain(seconds.getAsDouble()) : beyond;
    }

    private static String whyNone(RunResult run) {
        if (run.provenance().filter(Provenance::totals).isPresent()) {
            return "Only totals were kept: without a curve there is no time to peak";
        }
        return run.series().declines()
                ? Show.sentence(Peak.DECLINES)
                : "No load after a pause: there is no peak to reach";
    }
}
