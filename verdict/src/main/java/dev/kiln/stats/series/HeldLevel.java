package dev.kiln.stats.series;

import dev.kiln.stats.AnalysisConfig;
import dev.kiln.stats.Descriptive;
import dev.kiln.stats.Estimate;
import dev.kiln.stats.Series;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * A HeldLevel is a part of the first load that lay on balance above a level by more than delta.
 *
 * @param fromSeconds from the first bin
 * @param level requests per second
 * @param error relative standard error of the level
 * @param over the level over the one it is compared with
 * @param chance relative, by which the highest of as many such parts as the load has seldom lies above by noise alone
 */
public record HeldLevel(double fromSeconds, double seconds, double level, double error, Estimate over, double chance) {
    /**
     * What is shorter, in seconds, is an overshoot. What is longer may be a level if it is a quarter of the load: only one of 20 s is
     * told by a word.
     */
    static final int OVERSHOOT = 15;

    private static final int QUARTER = 4;

    private static final double ROUNDING = 1e-9;

    /** A part may have been longer where the bins beside it take off no more than so many standard errors (bench/truth). */
    private static final double DOUBT_Z = 1;

    /** Noise counts as a level where it is higher by so many standard errors than noise makes the highest part on the average (bench/truth). */
    private static final double BEYOND_CHANCE = 0.3;

    /** In a long load noise lifts some part; one that is as large a share of the load is seldom noise. */
    private static final double MUCH = 1 / 3.0;

    /**
     * Returns the part with the greatest sum of x / reference - (1 + delta), clipped to +-delta: a maximum-sum segment,
     * so that dips do not cut it. Empty where it is shorter than 20 s and shorter than 15 s or a quarter of the
     * load, whichever is longer: that is an overshoot.
     */
    static Optional<HeldLevel> above(
            double[] bins, double reference, double referenceError, Noise noise, AnalysisConfig config) {
        Part part = Part.highest(over(bins, reference, config.delta()));
        return part.length() < least(bins, config)
                ? Optional.empty()
                : Optional.of(of(bins, part, reference, referenceError, noise, config));
    }

    /**
     * Returns the same part as it may have been. Its noise is its own and that of what it is compared with, since neither a rise
     * before it nor a step between the two is noise. It may be short by noise alone: then it has as many bins as a level has at
     * least. Empty where it is an overshoot even so.
     *
     * @param referenceBins of which the reference is the mean; without one nothing can be compared
     * @param levels what stands at a level beside it
     */
    static Optional<HeldLevel> perhaps(
            double[] bins,
            double reference,
            int referenceBins,
            List<double[]> levels,
            Function<List<double[]>, Noise> noiseOf,
            AnalysisConfig config) {
        Part part = Part.highest(over(bins, reference, config.delta()));
        if (part.length() == 0 || referenceBins == 0) {
            return Optional.empty();
        }
        List<double[]> all = new ArrayList<>(levels);
        all.add(Arrays.copyOfRange(bins, part.from, part.to));
        Noise noise = noiseOf.apply(all.stream()
                .map(level -> Series.tamed(level, config.noise().cutSds()))
                .toList());
        int least = least(bins, config);
        // Its ends are where throughput crosses half of its height.
        double half = Math.max(config.delta(), (Series.mean(bins, part.from, part.to) / reference - 1) / 2);
        // Clipped, a bin has at most this much noise.
        double clipped = Math.min(noise.longRun(), half * Math.sqrt(Series.inflation(noise.rho())));
        double error = noise.ofMean(referenceBins);
        return part.reaching(least, over(bins, reference, half), noise.reach(DOUBT_Z) * clipped)
                .map(longer -> of(bins, longer, reference, error, noise, config));
    }

    /** Returns by how much each bin lies over the reference and a share of it, clipped to that share. */
    private static double[] over(double[] bins, double reference, double delta) {
        double[] over = new double[bins.length];
        Arrays.setAll(over, i -> reference > 0 ? Math.clamp(bins[i] / reference - 1 - delta, -delta, delta) : 0);
        return over;
    }

    private static int least(double[] bins, AnalysisConfig config) {
        int least = Math.max(config.bins(OVERSHOOT, 3), bins.length / QUARTER);
        return Math.min(least, config.bins(config.shape().heldBins(), 3));
    }

    private static HeldLevel of(
            double[] bins, Part part, double reference, double referenceError, Noise noise, AnalysisConfig config) {
        double level = Series.mean(bins, part.from, part.to);
        double error = noise.ofMean(part.length());
        // The greatest of k normal deviates is near sqrt(2 ln k) on the average.
        double chance = Math.sqrt(2 * Math.log(Math.max(1, (double) bins.length / part.length())));
        double both = Math.hypot(error, referenceError);
        double reach = noise.reach(Math.max(config.shape().heldZ(), chance + 1)) * both;
        double ratio = level / reference;
        return new HeldLevel(
                part.from * config.binSeconds(),
                part.length() * config.binSeconds(),
                level,
                error,
                new Estimate(ratio, ratio * (1 - reach), ratio * (1 + reach)),
                (chance + BEYOND_CHANCE) * both);
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
         * Returns this part, or the highest one of so many bins around it, if what these take off the sum is no more than noise;
         * else it is empty.
         *
         * @param reach of the noise of a bin
         */
        Optional<Part> reaching(int least, double[] over, double reach) {
            int more = least - length();
            if (more <= 0 || least > over.length) {
                return more <= 0 ? Optional.of(this) : Optional.empty();
            }
            double most = Double.NEGATIVE_INFINITY;
            int at = 0;
            for (int begin = Math.max(0, to - least); begin <= Math.min(from, over.length - least); begin++) {
                double sum = Descriptive.sum(Arrays.copyOfRange(over, begin, begin + least));
                if (sum > most) {
                    most = sum;
                    at = begin;
                }
            }
            double lost = Descriptive.sum(Arrays.copyOfRange(over, from, to)) - most;
            return lost <= reach * Math.sqrt(more) ? Optional.of(new Part(at, at + least)) : Optional.empty();
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
