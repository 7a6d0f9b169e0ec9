package dev.kiln.report;

import dev.kiln.explain.RunResult;
import dev.kiln.explain.VariantResult;
import dev.kiln.model.Provenance;
import dev.kiln.stats.Peak;
import dev.kiln.stats.TimeToPeak;
import java.util.List;
import java.util.Optional;
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
                        .map(pooled -> cell.withNote("T" + percent + " of several runs is their median, with their range;"
                                + " of the pooled curve of " + variant.name() + " it is " + pooled.words(horizon)))
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
        OptionalDouble seconds = time.seconds();
        String beyond = "> " + Text.seconds(horizon);
        String text = seconds.isPresent() ? (bound ? "\u2265 " : "") + Text.seconds(seconds.getAsDouble()) : beyond;
        Optional<String> from = time.lo().isPresent()
                ? Optional.of(Text.seconds(time.lo().getAsDouble()))
                : Optional.empty();
        String to = time.hi().isPresent() ? Text.seconds(time.hi().getAsDouble()) : beyond;
        return from.filter(lo -> !lo.equals(to))
                .map(lo -> Cell.of(text).withRange(lo + (time.hi().isPresent() ? "\u2013" : " to ") + to))
                .orElse(Cell.of(text));
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
