package dev.kiln.stats.series;

import dev.kiln.stats.AnalysisConfig;
import dev.kiln.stats.Estimate;
import dev.kiln.stats.Series;
import java.util.Arrays;
import java.util.Optional;

/**
 * A HeldLevel is a part of the first load that lay on balance above a level by more than delta.
 *
 * @param fromSeconds from the first bin
 * @param seconds that it lasted on balance; the level is that of more where noise may have made it shorter
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
     * load, whichever is longer, and noise does not explain that: that is an overshoot.
     */
    static Optional<HeldLevel> above(
            double[] bins, double reference, double referenceError, Noise noise, AnalysisConfig config) {
        double delta = config.delta();
        double[] over = new double[bins.length];
        Arrays.setAll(over, i -> reference > 0 ? Math.clamp(bins[i] / reference - 1 - delta, -delta, delta) : 0);
        Part part = Part.highest(over);
        int least = Math.max(config.bins(OVERSHOOT, 3), bins.length / QUARTER);
        least = Math.min(least, config.bins(config.shape().heldBins(), 3));
        // Clipped, a bin has at most this much noise.
        double clipped = Math.min(noise.longRun(), delta * Math.sqrt(Series.inflation(noise.rho())));
        Part perhaps = part.length() >= least
                ? part
                : part.wider(over, noise.reach(config.time().timeZ()) * clipped);
        if (perhaps.length() < least) {
            return Optional.empty();
        }
        double level = Series.mean(bins, perhaps.from, perhaps.to);
        double error = noise.ofMean(perhaps.length());
        // The greatest of k normal deviates is near sqrt(2 ln k).
        double chance = Math.sqrt(2 * Math.log(Math.max(1, (double) bins.length / perhaps.length())));
        double both = Math.hypot(error, referenceError);
        double reach = noise.reach(Math.max(config.shape().heldZ(), chance + 1)) * both;
        double ratio = level / reference;
        return Optional.of(new HeldLevel(
                perhaps.from * config.binSeconds(),
                part.length() * config.binSeconds(),
                level,
                error,
                new Estimate(ratio, ratio * (1 - reach), ratio * (1 + reach)),
                chance * both));
    }

    /** A Part is bins in a row, from one to the one before another. */
    private record Part(int from, int to) {
        /** Returns the part with the greatest sum; of no bins where none is above 0. */
        static Part highest(double[] over) {
            double best = 0;
            double sum = 0;
            int begin = 0;
            Part found = new Part(0, 0);
            for (int i = 0; i < over.length; i++) {
                if (sum <= 0) {
                    sum = 0;
                    begin = i;
                }
                sum += over[i];
                if (sum > best) {
                    best = sum;
                    found = new Part(begin, i + 1);
                }
            }
            return found;
        }

        int length() {
            return to - from;
        }

        /**
         * Returns the longest part around this one that may have been it: what its further bins take off the sum is no more
         * than noise, as in the interval of a {@link TimeToPeak}.
         *
         * @param reach of the noise of one bin
         */
        Part wider(double[] over, double reach) {
            int first = from;
            double sum = 0;
            for (int i = from - 1; i >= 0; i--) {
                sum += over[i];
                first = -sum <= reach * Math.sqrt(from - i) ? i : first;
            }
            int last = to;
            sum = 0;
            for (int i = to; i < over.length && length() > 0; i++) {
                sum += over[i];
                last = -sum <= reach * Math.sqrt(i + 1 - to) ? i + 1 : last;
            }
            return new Part(first, last);
        }
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
