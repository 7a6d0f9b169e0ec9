package dev.kiln.stats.series;

import dev.kiln.stats.AnalysisConfig;
import dev.kiln.stats.Descriptive;
import dev.kiln.stats.Estimate;
import dev.kiln.stats.Series;
import java.util.Arrays;

/**
 * An Ending says where a series stood at its end: what follows the time to 90 % and the last break, 10 to 30 s of it.
 * Where it never came to 90 %, the end may climb. Its level is then that of its last part without a climb.
 *
 * @param fromSeconds where all of the end begins, of which the level may be only the last part
 * @param bins its last ones, of which the level is the mean
 * @param level requests per second, dips cut
 * @param error relative standard error of the level
 * @param growth relative change of the fitted line, scaled to 60 s
 * @param levelSeconds how long before the end throughput stayed within delta of the level on balance
 */
public record Ending(double fromSeconds, int bins, Estimate level, double error, Estimate growth, double levelSeconds) {
    private static final double MINUTE = 60;

    /** A break has at least this many bins before it. */
    private static final int BEFORE_BREAK = 5;

    /**
     * A slope up by this many standard errors is no level. It is far from proof: a climb that is taken for a level makes
     * the end too low, and a level that is taken for a climb only makes the interval wider (bench/truth).
     */
    private static final double CLIMB_Z = 0.5;

    /** The last seconds have at least this many bins, however long a bin is. */
    private static final int LEAST_LAST = 3;

    /**
     * Reads the end of a series that is long enough.
     *
     * @param reached bin of the time to 90 %
     * @param outages bins left out
     * @param since bin after the last fall: what stood before it is not called level
     */
    static Ending of(double[] bins, int reached, boolean[] outages, int since, Noise noise, AnalysisConfig config) {
        int n = bins.length;
        int least = config.bins(config.end().leastEndBins(), 5);
        int most = n - config.bins(config.end().mostEndBins(), 10);
        // A series that never came to 90 % has no beginning of its end: all of the last bins are searched for it.
        int from = reached >= n ? Math.max(0, most) : Math.min(n - least, Math.max(reached, most));
        double[] end = without(bins, from, outages);
        int at = lastBreak(end, least, noise, config);
        double[] after = Series.tamed(
                Arrays.copyOfRange(end, at, end.length), config.noise().cutSds());
        double mean = Descriptive.mean(after);
        double perMinute = MINUTE / config.binSeconds();
        double growth = mean == 0 ? 0 : Series.slope(after) * perMinute / mean;
        double reach = noise.reach(config.end().slopeZ()) * noise.ofSlope(after.length) * perMinute;
        // What came to 90 % is near its level; what did not may climb to its very end.
        int last = reached >= n ? level(after, noise, config) : after.length;
        double level = Series.mean(after, after.length - last, after.length);
        double error = noise.ofMean(last);
        return new Ending(
                (n - (end.length - at)) * config.binSeconds(),
                last,
                Estimate.ofRelative(level, noise.reach(config.intervalZ()) * error),
                error,
                Estimate.ofDifference(growth, reach),
                levelSeconds(bins, since, level, config));
    }

    /** Returns the length of the longest last part that does not climb, or of the last seconds. */
    private static int level(double[] end, Noise noise, AnalysisConfig config) {
        int least = config.bins(config.end().leastEndBins() / 2, LEAST_LAST);
        int last = end.length;
        while (last > least && climbs(Arrays.copyOfRange(end, end.length - last, end.length), noise)) {
            last--;
        }
        return last;
    }

    private static boolean climbs(double[] part, Noise noise) {
        double mean = Descriptive.mean(part);
        return mean > 0 && Series.slope(part) / mean > CLIMB_Z * noise.ofSlope(part.length);
    }

    /** Returns the bins from one on, without those of outages. */
    public static double[] without(double[] bins, int from, boolean[] drop) {
        double[] out = new double[bins.length - from];
        int kept = 0;
        for (int i = from; i < bins.length; i++) {
            if (!drop[i]) {
                out[kept++] = bins[i];
            }
        }
        return Arrays.copyOf(out, kept);
    }

    /** Returns the bins with those that {@link #without} kept replaced by other values; those of outages stay. */
    static double[] within(double[] bins, int from, boolean[] drop, double[] kept) {
        double[] out = bins.clone();
        int next = 0;
        for (int i = from; i < bins.length; i++) {
            if (!drop[i]) {
                out[i] = kept[next++];
            }
        }
        return out;
    }

    /** Returns where the end's last part differs most from before, beyond delta and noise; else 0. */
    private static int lastBreak(double[] end, int least, Noise noise, AnalysisConfig config) {
        int at = 0;
        double most = config.end().breakZ();
        for (int split = BEFORE_BREAK; split <= end.length - least; split++) {
            double before = Series.mean(end, 0, split);
            double after = Series.mean(end, split, end.length);
            double gap = Math.abs(before - after);
            double z = gap / after / Math.hypot(noise.ofMean(split), noise.ofMean(end.length - split));
            if (gap > config.delta() * after && z > most) {
                most = z;
                at = split;
            }
        }
        return at;
    }

    /** Returns the seconds, back from the end, in which more bins lay within delta of the level than not. */
    private static double levelSeconds(double[] bins, int least, double level, AnalysisConfig config) {
        double sum = 0;
        double most = 0;
        int from = bins.length;
        for (int i = bins.length - 1; i >= least && level > 0; i--) {
            double away = Math.abs(bins[i] / level - 1);
            sum += Math.clamp(2 * config.delta() - away, -config.delta(), config.delta());
            if (sum >= most) {
                most = sum;
                from = i;
            }
        }
        return (bins.length - from) * config.binSeconds();
    }

    /** Returns the level over the peak, with the interval that decides the verdict. */
    public Estimate over(Peak peak, Noise noise, AnalysisConfig config) {
        double reach = noise.reach(config.end().endZ()) * Math.hypot(error, peak.levelError());
        return Estimate.ofRelative(level.value() / peak.level(), reach);
    }
}
