package dev.kiln.explain;

import dev.kiln.stats.LevelShifts;
import java.util.List;
import java.util.Optional;

/**
 * One metric of one variant over time.
 *
 * @param runs valid runs that have the metric, in the order of their launch
 * @param missing valid runs that do not, as where a time was not reached
 * @param open valid runs of which only a bound is known: their peak is one, or the load was over before the time
 * @param shifts empty with too few runs, and where any is open
 */
public record PastSeries(
        String experiment,
        String variant,
        PastMetric metric,
        List<PastRun> runs,
        int missing,
        int open,
        Optional<LevelShifts> shifts) {
    public PastSeries {
        runs = List.copyOf(runs);
    }

    static PastSeries of(String experiment, String variant, PastMetric metric, List<PastRun> valid) {
        List<PastRun> having =
                valid.stream().filter(run -> run.figure(metric).isPresent()).toList();
        double[] values = having.stream()
                .mapToDouble(run -> run.figure(metric).getAsDouble())
                .toArray();
        int open = (int) valid.stream().filter(run -> run.open(metric)).count();
        boolean tells = open == 0 && values.length >= LevelShifts.MIN_POINTS;
        return new PastSeries(
                experiment,
                variant,
                metric,
                having,
                valid.size() - having.size(),
                open,
                tells ? Optional.of(LevelShifts.of(values, metric.resolution())) : Optional.empty());
    }

    public double value(int index) {
        return runs.get(index).figure(metric).orElseThrow();
    }

    /** Whether a change to a new level is for the better. */
    public boolean better(LevelShifts.Shift shift) {
        return shift.after() > shift.before() == metric.higherIsBetter();
    }
}
