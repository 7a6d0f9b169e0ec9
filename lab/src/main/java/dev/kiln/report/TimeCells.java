package dev.kiln.report;

import dev.kiln.explain.RunResult;
import dev.kiln.explain.VariantResult;
import dev.kiln.model.Provenance;
import dev.kiln.stats.series.Peak;
import dev.kiln.stats.series.TimeToPeak;
import java.util.List;
import java.util.OptionalDouble;

/** Times to peak as cells: the time or {@code > H}, and under it its interval, or the range of several runs. */
final class TimeCells {
    private TimeCells() {}

    static Cell of(VariantResult variant, int percent) {
        List<RunResult> valid = variant.valid();
        if (valid.isEmpty()) {
            return Cell.absent(Rows.noValidRun(variant));
        }
        double horizon =
                valid.stream().mapToDouble(run -> run.series().seconds()).max().orElse(0);
        boolean bound = variant.referencePeak().filter(Peak::lowerBound).isPresent();
        return variant.time(percent)
                .map(time -> cell(time, horizon, bound))
                .map(cell -> variant.pooled()
                        .flatMap(pooled -> pooled.time(percent))
                        .map(pooled -> pooled.words(horizon))
                        .filter(words -> !words.equals(cell.text() + " s"))
                        .map(words -> cell.withNote(
                                "T" + percent + " of the mean curve of the runs of " + variant.name() + " is " + words))
                        .orElse(cell))
                .orElseGet(() -> Cell.absent(whyNone(valid.getFirst())));
    }

    /** One run's time, for the table of runs. */
    static Cell of(RunResult run, int percent) {
        boolean bound = run.series().peak().filter(Peak::lowerBound).isPresent();
        return run.series()
                .time(percent)
                .map(time -> cell(time, run.series().seconds(), bound))
                .orElseGet(() -> Cell.absent(whyNone(run)));
    }

    private static Cell cell(TimeToPeak time, double horizon, boolean bound) {
        String beyond = "> " + Text.plain(horizon);
        String text = time.seconds().isPresent() && bound
                ? "\u2265 " + or(time.seconds(), beyond)
                : or(time.seconds(), beyond);
        String from = or(time.lo(), beyond);
        String to = or(time.hi(), beyond);
        return from.equals(to)
                ? Cell.of(text)
                : Cell.of(text).withRange(from + (time.hi().isPresent() ? "\u2013" : " to ") + to);
    }

    private static String or(OptionalDouble seconds, String beyond) {
        return seconds.isPresent() ? Text.plain(seconds.getAsDouble()) : beyond;
    }

    private static String whyNone(RunResult run) {
        if (run.provenance().filter(Provenance::totals).isPresent()) {
            return "Only totals were kept: without a curve there is no time to peak";
        }
        return run.series().declines()
                ? Text.sentence(Peak.DECLINES)
                : "No load after a pause: there is no peak to reach";
    }
}
