package dev.kiln.report;

import dev.kiln.explain.RunResult;
import dev.kiln.explain.VariantResult;
import dev.kiln.model.Provenance;
import dev.kiln.stats.NotEnoughData;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Times to peak as cells: reached, {@code > H}, hidden in noise, or not to be pooled. */
record TimeCells(double binSeconds) {

    Cell of(VariantResult variant, int percent) {
        List<RunResult> valid = Reading.validRuns(variant);
        if (valid.isEmpty()) {
            return Cell.absent(Rows.noValidRun(variant));
        }
        List<TimeReading> times = valid.stream()
                .map(run -> TimeReading.of(run, percent, binSeconds))
                .flatMap(Optional::stream)
                .toList();
        if (times.isEmpty()) {
            return Cell.absent(whyNone(valid.getFirst()));
        }
        Map<String, Long> classes = classes(valid);
        return classes.size() > 1
                ? Cell.of("mixed").withRange(counts(times)).withNote(disagreement(variant, classes))
                : pooled(times);
    }

    /** One run's time, for the table of runs. */
    Cell of(RunResult run, int percent) {
        return TimeReading.of(run, percent, binSeconds)
                .map(time -> pooled(List.of(time)))
                .orElseGet(() -> Cell.absent(whyNone(run)));
    }

    static Map<String, Long> classes(List<RunResult> runs) {
        return runs.stream()
                .collect(
                        Collectors.groupingBy(r -> Reading.className(r.warmup()), TreeMap::new, Collectors.counting()));
    }

    /** The median, in which a censored time counts as later than any other. */
    private static Cell pooled(List<TimeReading> times) {
        List<TimeReading> order = times.stream()
                .sorted(Comparator.comparingDouble(TimeReading::seconds))
                .toList();
        long reached = order.stream().filter(TimeReading::reached).count();
        Cell cell = reached * 2 <= order.size() ? censored(order.getLast()) : median(order);
        if (order.size() == 1) {
            return cell;
        }
        return cell.withRange(
                reached < order.size()
                        ? counts(times)
                        : Text.range(order.getFirst().seconds(), order.getLast().seconds(), Text::seconds));
    }

    private static Cell median(List<TimeReading> order) {
        String text = Text.seconds(Spread.median(order, TimeReading::seconds));
        return order.stream()
                .filter(t -> !t.resolvable())
                .findFirst()
                .map(t -> Cell.of("(" + text + ")").withNote(unresolvable(t)))
                .orElseGet(() -> Cell.of(text));
    }

    private static Cell censored(TimeReading time) {
        return Cell.of("> " + Text.seconds(time.horizon()));
    }

    private static String counts(List<TimeReading> times) {
        return times.stream().filter(TimeReading::reached).count() + " of " + times.size();
    }

    private static String unresolvable(TimeReading time) {
        return "(Not resolvable): throughput varies by " + Text.percent(time.noise())
                + " % at the end of the warm-up (coefficient of variation), too much to tell " + time.percent()
                + " % of peak from peak";
    }

    private static String disagreement(VariantResult variant, Map<String, Long> classes) {
        return variant.name() + ": runs disagree ("
                + classes.entrySet().stream()
                        .map(e -> e.getValue() + " " + e.getKey())
                        .collect(Collectors.joining(", "))
                + "), so their times are not pooled";
    }

    private static String whyNone(RunResult run) {
        if (run.provenance().filter(Provenance::totals).isPresent()) {
            return "Only totals were kept: without a curve there is no time to peak";
        }
        return run.warmup() instanceof NotEnoughData missing
                ? "Not enough data for a time to peak: " + missing.why()
                : "No steady state and no reference: there is no peak to reach";
    }
}
