package dev.kiln.report;

import dev.kiln.explain.RunResult;
import dev.kiln.stats.TimeToPeak;
import java.util.Optional;

/**
 * One run's time to a percentage of peak, with what is needed to print it.
 *
 * @param seconds infinite where the level was not reached
 * @param horizon length of the warm-up in seconds: what a censored time is greater than
 * @param noise coefficient of variation of the end of the warm-up
 */
record TimeReading(int percent, double seconds, double horizon, boolean resolvable, double noise) {

    /** Empty where there is no peak to reach. */
    static Optional<TimeReading> of(RunResult run, int percent, double binSeconds) {
        return Reading.headline(run, percent).map(time -> of(run, time, binSeconds));
    }

    private static TimeReading of(RunResult run, TimeToPeak time, double binSeconds) {
        return new TimeReading(
                time.percent(),
                time.seconds().orElse(Double.POSITIVE_INFINITY),
                run.warmup().bins() * binSeconds,
                time.resolvable(),
                Reading.noise(run.warmup()).orElse(Double.NaN));
    }

    boolean reached() {
        return Double.isFinite(seconds);
    }
}
