package dev.kiln.explain;

import dev.kiln.stats.LongTrend;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Where one quantity went in one segment, once the segment had settled.
 *
 * @param perHour factor from the trend's slopes, which are per window, to units an hour
 * @param trend empty where there is not enough of it
 * @param whyNone then
 * @param counts share of the level by which it may move over the time watched and still be said to have held
 * @param limit that it must not reach, in its unit; empty where none is known
 */
public record SoakTrend(
        SoakMetric metric,
        double perHour,
        Optional<LongTrend> trend,
        String whyNone,
        double counts,
        OptionalDouble limit) {
    /** Whether its interval says that it goes where it must not, however slowly. */
    public boolean wrongWay() {
        return trend.filter(t -> metric.badWhenRising() ? t.rises() : t.falls()).isPresent();
    }

    /** Whether it also went far enough to count. */
    public boolean bad() {
        return wrongWay()
                && trend.filter(t -> Math.abs(t.growth(t.slope())) > counts).isPresent();
    }

    /** The most that it may go where it must not, in units an hour, by the end of its interval; at least 0. */
    public OptionalDouble bound() {
        return trend.stream().mapToDouble(t -> worst(t) * perHour).findFirst();
    }

    private double worst(LongTrend t) {
        return Math.max(0, metric.badWhenRising() ? t.hi() : -t.lo());
    }

    /** Whether even that would not count over the time watched: only then it is said to have held. */
    public boolean held() {
        return trend.filter(t -> t.growth(worst(t)) <= counts).isPresent();
    }

    /** Hours from the end until the limit, at the worst rate that its interval leaves; empty without a limit or a rise. */
    public OptionalDouble hoursToLimit() {
        if (limit.isEmpty() || trend.isEmpty() || worst(trend.get()) == 0) {
            return OptionalDouble.empty();
        }
        LongTrend t = trend.get();
        double end = t.level() + t.slope() * t.bins() / 2;
        return OptionalDouble.of(Math.max(0, limit.getAsDouble() - end) / (worst(t) * perHour));
    }
}
