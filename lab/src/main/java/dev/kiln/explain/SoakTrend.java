package dev.kiln.explain;

import dev.kiln.stats.LongTrend;
import java.util.Optional;

/**
 * Where one quantity went in one segment, once the segment had settled.
 *
 * @param perHour factor from the trend's slopes, which are per window, to units an hour
 * @param trend empty where there is not enough of it
 * @param whyNone then
 */
public record SoakTrend(SoakMetric metric, double perHour, Optional<LongTrend> trend, String whyNone) {
    /** Whether it went where it must not. */
    public boolean bad() {
        return trend.filter(t -> metric.badWhenRising() ? t.rises() : t.falls()).isPresent();
    }
}
