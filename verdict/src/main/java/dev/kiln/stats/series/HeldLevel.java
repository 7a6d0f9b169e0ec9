package dev.kiln.stats.series;

import dev.kiln.stats.AnalysisConfig;
import dev.kiln.stats.Estimate;
import dev.kiln.stats.Series;
import java.util.Optional;

/**
 * A HeldLevel is a part of the first load that lay on balance above a level by more than delta.
 *
 * @param fromSeconds from the first bin
 * @param level requests per second
 * @param error relative standard error of the level
 * @param over the level over the one it is compared with
 * @param chance relative, by which the highest of as many such parts as the load has lies above on the average, by
 *     noise alone
 */
public record HeldLevel(double fromSeconds, double seconds, double level, double error, Estimate over, double chance) {
    /**
     * What is shorter, in seconds, is an overshoot. What is longer may be a level if it is a quarter of the load: only one of 20 s is
     * told by a word.
     */
    static final int OVERSHOOT = 15;

    private static final int QUARTER = 4;

    private static final double ROUNDING = 1e-9;

    /** In a long load noise lifts some part; one that is as large a share of the load is seldom noise. */
    private static final double MUCH = 1 / 3.0;

    /**
     * Returns the part with the greatest sum of x / reference - (1 + delta), clipped to +-delta: a maximum-sum segment,
     * so that dips do not cut it. Empty where it is shorter than 20 s and shorter than 15 s or a quarter of the
     * load, whichever is longer: that is an overshoot.
     */
    static Optional<HeldLevel> above(
            double[] bins, double reference, double referenceError, Noise noise, AnalysisConfig config) {
        double delta = config.delta();
        double best = 0;
        double sum = 0;
        int begin = 0;
        int from = 0;
        int to = 0;
        for (int i = 0; i < bins.length && reference > 0; i++) {
            if (sum <= 0) {
                sum = 0;
                begin = i;
            }
            sum += Math.clamp(bins[i] / reference - 1 - delta, -delta, delta);
            if (sum > best) {
                best = sum;
                from = begin;
                to = i + 1;
            }
        }
        int least = Math.max(config.bins(OVERSHOOT, 3), bins.length / QUARTER);
        if (to - from < Math.min(least, config.bins(config.shape().heldBins(), 3))) {
            return Optional.empty();
        }
        double level = Series.mean(bins, from, to);
        double error = noise.ofMean(to - from);
        // The greatest of k normal deviates is near sqrt(2 ln k).
        double chance = Math.sqrt(2 * Math.log(Math.max(1, (double) bins.length / (to - from))));
        double both = Math.hypot(error, referenceError);
        double reach = noise.reach(Math.max(config.shape().heldZ(), chance + 1)) * both;
        double ratio = level / reference;
        return Optional.of(new HeldLevel(
                from * config.binSeconds(),
                (to - from) * config.binSeconds(),
                level,
                error,
                new Estimate(ratio, ratio * (1 - reach), ratio * (1 + reach)),
                chance * both));
    }

    /** Tells whether a level was held for 20 s that is higher by more than delta, by its interval. */
    boolean sure(AnalysisConfig config) {
        return over.above(1 + config.delta())
                && seconds + ROUNDING >= config.shape().heldBins();
    }

    /** Tells whether the held level is higher by more than delta, where noise may have made it so. */
    boolean doubt(AnalysisConfig config) {
        return over.value() > 1 + Math.max(config.delta(), chance);
    }

    /** Tells whether much of the load stood higher by delta more than noise alone makes the highest such part. */
    boolean likely(double loadSeconds, AnalysisConfig config) {
        return over.value() > 1 + config.delta() + chance && seconds >= MUCH * loadSeconds;
    }
}
