package dev.kiln.stats.series;

import dev.kiln.stats.AnalysisConfig;
import dev.kiln.stats.Descriptive;
import dev.kiln.stats.Series;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;

/**
 * A LowSpell is some seconds at a lower level, after which throughput came back, as when code is compiled anew. It is
 * reported beside the verdict, and is no noise of the level.
 *
 * @param from its first bin
 * @param to the bin after its last
 */
record LowSpell(int from, int to) {
    /** It lasts at least this many bins: fewer are a dip, or an outage. */
    private static final int LEAST = 8;

    /** This many bins after it show that throughput came back. */
    private static final int BACK = 8;

    /** A load has at most this many: more are no exception. */
    private static final int MOST = 3;

    private static final double LEAST_DEPTH = 0.1;

    /** It lies this many standard errors below the rest: more than for one place, because all places are searched. */
    private static final double SURE = 5;

    /** Finds them in the bins from one on, in the order of time, with noise made of parts of the bins. */
    static List<LowSpell> of(double[] bins, int from, Function<List<double[]>, Noise> noiseOf, AnalysisConfig config) {
        List<LowSpell> found = new ArrayList<>();
        double[] left = bins.clone();
        while (found.size() < MOST && bins.length - from >= 3 * LEAST) {
            double level = Series.median(left, from, left.length);
            LowSpell spell = lowest(left, from, level, config);
            if (spell.to - spell.from < LEAST || spell.to > bins.length - BACK || !fell(left, from, spell)) {
                break;
            }
            found.add(spell);
            double low = Series.mean(bins, spell.from, spell.to);
            int first = found.stream().mapToInt(LowSpell::from).min().orElse(from);
            Noise noise = noiseOf.apply(parts(bins, Math.max(from, first - 2 * LEAST), found));
            double depth = 1 - low / level;
            if (depth < LEAST_DEPTH || depth < noise.reach(SURE) * noise.ofMean(spell.to - spell.from)) {
                found.removeLast();
                break;
            }
            Arrays.fill(left, spell.from, spell.to, level);
        }
        found.sort((a, b) -> a.from - b.from);
        return found;
    }

    /** Tells whether throughput stood at the level before it, and did not only pause on its rise. */
    private static boolean fell(double[] bins, int from, LowSpell spell) {
        if (spell.from - from < LEAST) {
            return false;
        }
        double low = Series.median(bins, spell.from, spell.to);
        double after = Series.median(bins, spell.to, bins.length);
        return Series.median(bins, spell.from - LEAST, spell.from) > (low + after) / 2;
    }

    /** Returns the parts into which the spells divide the bins, spells included. */
    static List<double[]> parts(double[] bins, int from, List<LowSpell> spells) {
        List<double[]> parts = new ArrayList<>();
        int at = from;
        for (LowSpell spell : spells.stream().sorted((a, b) -> a.from - b.from).toList()) {
            parts.add(Arrays.copyOfRange(bins, at, spell.from));
            parts.add(Arrays.copyOfRange(bins, spell.from, spell.to));
            at = spell.to;
        }
        parts.add(Arrays.copyOfRange(bins, at, bins.length));
        return parts;
    }

    /** Returns the maximum-sum segment of what lies over delta below the level, bins clipped to delta. */
    private static LowSpell lowest(double[] bins, int from, double level, AnalysisConfig config) {
        double delta = config.delta();
        double best = 0;
        double sum = 0;
        int begin = from;
        LowSpell found = new LowSpell(from, from);
        for (int i = from; i < bins.length && level > 0; i++) {
            if (sum <= 0) {
                sum = 0;
                begin = i;
            }
            sum += Math.clamp(1 - delta - bins[i] / level, -delta, delta);
            if (sum > best) {
                best = sum;
                found = new LowSpell(begin, i + 1);
            }
        }
        return found;
    }

    /** Returns the requests that it lost against the level, less what an outage in it lost below that. */
    double lost(double[] bins, boolean[] outages, double binSeconds) {
        double around = Descriptive.median(new double[] {
            Series.median(bins, Math.max(0, from - LEAST), from),
            Series.median(bins, to, Math.min(bins.length, to + LEAST))
        });
        double[] low = Ending.without(Arrays.copyOf(bins, to), from, outages);
        return low.length == 0 ? 0 : Math.max(0, around - Descriptive.mean(low)) * (to - from) * binSeconds;
    }
}
