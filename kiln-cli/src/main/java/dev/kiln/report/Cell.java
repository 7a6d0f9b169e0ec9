package dev.kiln.report;

import dev.kiln.explain.RunResult;
import dev.kiln.explain.VariantResult;
import dev.kiln.stats.Descriptive;
import dev.kiln.stats.series.Peak;
import dev.kiln.stats.series.TimeToPeak;
import dev.kiln.text.Show;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.DoubleFunction;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/**
 * A Cell is one figure of a table.
 *
 * @param text the figure over the valid runs
 * @param range lowest and highest run, or how many runs have it
 * @param note what a reader must know about this figure; an absent one says here why
 * @param beyond whether it was not reached within the load, and so is more than the text says
 */
public record Cell(String text, Optional<String> range, Optional<String> note, boolean beyond) {
    public static Cell of(String text) {
        return new Cell(text, Optional.empty(), Optional.empty(), false);
    }

    public static Cell absent(String why) {
        return new Cell(Show.ABSENT, Optional.empty(), Optional.of(why), false);
    }

    /** Returns the median over the runs that have the value, with its range; else an absent cell. */
    public static Cell over(
            Collection<RunResult> runs,
            Function<RunResult, OptionalDouble> value,
            DoubleFunction<String> format,
            String whyAbsent) {
        return Spread.over(runs, value).map(spread -> of(spread, format)).orElseGet(() -> absent(whyAbsent));
    }

    public static Cell startUp(VariantResult variant) {
        return sinceLaunch(variant, run -> run.since().ready(), "The service was never seen ready");
    }

    public static Cell firstResponse(VariantResult variant) {
        return sinceLaunch(variant, run -> run.since().firstResponse(), "No successful response was seen");
    }

    private static Cell sinceLaunch(
            VariantResult variant, Function<RunResult, OptionalDouble> seconds, String whyAbsent) {
        List<RunResult> runs = Reading.readableRuns(variant);
        boolean imported = runs.stream().anyMatch(run -> run.caveats().imported());
        boolean attached =
                runs.stream().anyMatch(run -> run.caveats().attached().isPresent());
        return over(
                runs,
                seconds,
                Show::seconds,
                imported
                        ? "The imported files do not say when the service was launched"
                        : attached ? "It ran before Kiln attached to it: its start was not seen" : whyAbsent);
    }

    /** Returns the median, and the range where it says more. */
    private static Cell of(Spread spread, DoubleFunction<String> format) {
        Cell cell = of(format.apply(spread.median()));
        String range = Show.range(spread.min(), spread.max(), format);
        return range.equals(cell.text()) ? cell : cell.withRange(range);
    }

    public Cell withNote(String why) {
        return new Cell(text, range, Optional.of(why), beyond);
    }

    public Cell withRange(String between) {
        return new Cell(text, Optional.of(between), note, beyond);
    }

    /** Returns the time to a share of the peak, with its interval, its range, or the seconds without it. */
    public static Cell time(VariantResult variant, int percent) {
        List<RunResult> valid = variant.valid();
        if (valid.isEmpty()) {
            return absent(Reading.noValidRun(variant));
        }
        double horizon = variant.horizon();
        boolean bound = variant.referencePeak().filter(Peak::lowerBound).isPresent();
        return variant.time(percent)
                .map(time -> ofCurve(variant, time, horizon)
                        .map(words -> time(time, horizon, bound).withNote(words))
                        .orElseGet(() -> time(time, horizon, bound)))
                .orElseGet(() -> absent(Reading.whyNoTime(valid.getFirst())));
    }

    /** Returns the same time of the mean curve of the runs, in words; empty where it is no other. */
    private static Optional<String> ofCurve(VariantResult variant, TimeToPeak time, double horizon) {
        return variant.pooled()
                .flatMap(pooled -> pooled.time(time.percent()))
                .filter(pooled -> !(pooled.never() && time.never()))
                .map(pooled -> pooled.words(horizon))
                .filter(words -> !words.equals(TimeToPeak.text(time.seconds(), horizon) + " s"))
                .map(words ->
                        "T" + time.percent() + " of the mean curve of the runs of " + variant.name() + ": " + words);
    }

    /** Returns a time that is measured against something else than the peak. */
    static Cell time(Optional<TimeToPeak> time, double horizon, String whyAbsent) {
        return time.map(known -> time(known, horizon, false)).orElseGet(() -> absent(whyAbsent));
    }

    /** Returns the time of one run, for the table of runs. */
    public static Cell time(RunResult run, int percent) {
        boolean bound = run.series().peak().filter(Peak::lowerBound).isPresent();
        return run.series()
                .time(percent)
                .map(time -> time(time, run.series().seconds(), bound))
                .orElseGet(() -> absent(Reading.whyNoTime(run)));
    }

    static Cell time(TimeToPeak time, double horizon, boolean bound) {
        if (time.never()) {
            return new Cell(TimeToPeak.NEVER, Optional.of(TimeToPeak.within(horizon)), Optional.empty(), true);
        }
        String text = (time.seconds().isPresent() && bound ? "\u2265 " : "") + TimeToPeak.text(time.seconds(), horizon);
        String from = TimeToPeak.text(time.lo(), horizon);
        String to = TimeToPeak.text(time.hi(), horizon);
        Cell cell = new Cell(
                text, Optional.empty(), Optional.empty(), time.seconds().isEmpty());
        return from.equals(to) ? cell : cell.withRange(from + (time.hi().isPresent() ? "\u2013" : " to ") + to);
    }

    /** A Spread is the values of one quantity in several runs: the median between the lowest and the highest. */
    public record Spread(double median, double min, double max) {
        public static Optional<Spread> of(double... values) {
            if (values.length == 0) {
                return Optional.empty();
            }
            double[] sorted = values.clone();
            Arrays.sort(sorted);
            return Optional.of(new Spread(
                    Descriptive.median(Arrays.stream(sorted)).orElseThrow(), sorted[0], sorted[sorted.length - 1]));
        }

        /** Returns the spread over the runs that have the value; empty if none has it. */
        public static Optional<Spread> over(Collection<RunResult> runs, Function<RunResult, OptionalDouble> value) {
            return of(runs.stream()
                    .map(value)
                    .filter(Show::present)
                    .mapToDouble(OptionalDouble::getAsDouble)
                    .toArray());
        }

        public static <T> double median(Collection<T> items, ToDoubleFunction<T> value) {
            return of(items.stream().mapToDouble(value).toArray())
                    .map(Spread::median)
                    .orElse(Double.NaN);
        }
    }
}
