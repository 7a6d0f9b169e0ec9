package dev.kiln.stats.series;

import dev.kiln.stats.AnalysisConfig;
import dev.kiln.stats.Descriptive;
import dev.kiln.stats.Series;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * A Disturbance is some seconds in which much less was served than around them, after which the level came back, or a
 * whole load after a pause that served much less than the others. They are added to the verdict, never in its place.
 *
 * @param seconds from the first bin of its load
 * @param lasted seconds
 * @param lost requests
 * @param round the number of its load among those after a pause, from 1; 0 in the first load
 */
public record Disturbance(Kind kind, double seconds, double lasted, double lost, int round) {
    /** A Kind says how deep the disturbance was, and how long it lasted. */
    public enum Kind {
        /** Throughput was under half of the level for two bins or more. */
        OUTAGE("an outage"),
        /** Throughput had a lower level for eight bins or more. */
        FALL("a fall"),
        /** Throughput was below the level for a shorter time than in those. */
        DIP("a dip");

        private final String words;

        Kind(String words) {
            this.words = words;
        }

        public String words() {
            return words;
        }
    }

    private static final int BEFORE = 15;
    private static final int AFTER = 10;
    private static final double OUTAGE = 0.5;
    private static final int MOST_OUTAGES = 3;
    private static final double BACK = 0.7;
    private static final double NOTHING = 0.1;

    /** So many seconds at the end of a load may be those in which its generator ends, or a part of them. */
    private static final double ENDING = 2;

    /** A longer bin that misses only those seconds still has the rest of its level, less this share at most. */
    private static final double LESS = 0.1;

    /** Fewer bins before them are no level. */
    private static final int LEAST_BEFORE = 5;

    /** A median of at least this many bins on one side is the level there. */
    private static final int LEAST_AROUND = 3;

    /** A dip is reported if deeper than this many robust standard deviations, and its share of the level. */
    private static final double NOTABLE_SDS = 4;

    private static final double NOTABLE_SHARE = 0.1;

    /**
     * Marks the bins of outages: under half of what stood before, for 2 to 15 bins, after which the level came back.
     * Three of them in all loads are none: that is how it runs, and a mean counts what they cost. The last seconds
     * are left out all the same. In a load after a pause one may last until the end, if next to nothing was served: what the
     * service did until then is its level.
     */
    static List<boolean[]> outages(List<double[]> loads, AnalysisConfig config) {
        int found = 0;
        List<boolean[]> all = new ArrayList<>();
        for (double[] load : loads) {
            boolean[] out = new boolean[load.length];
            found += mark(load, out, !all.isEmpty());
            all.add(out);
        }
        if (found >= MOST_OUTAGES) {
            all.forEach(out -> Arrays.fill(out, false));
        }
        if (isEnded(config)) {
            for (int i = 0; i < all.size(); i++) {
                markEnding(loads.get(i), all.get(i), config.binSeconds());
            }
        }
        return all;
    }

    /** Tells whether a generator ends a load: iterations of a benchmark are timed whole, and nothing else is under a second. */
    private static boolean isEnded(AnalysisConfig config) {
        return config.minRequests() > 0 && config.binSeconds() >= 1;
    }

    private static int mark(double[] bins, boolean[] out, boolean afterPause) {
        int n = bins.length;
        int found = 0;
        int i = 3;
        while (i < n) {
            double level = Series.median(bins, Math.max(0, i - BEFORE), i);
            if (afterPause && n - i > 1 && n - i <= i && isNothing(bins, i, level)) {
                Arrays.fill(out, i, n, true);
                found++;
                break;
            }
            int end = i;
            while (end < n && end - i <= BEFORE && bins[end] < OUTAGE * level) {
                end++;
            }
            boolean back = end > i
                    && end < n
                    && end - i <= BEFORE
                    && Series.median(bins, end, Math.min(n, end + AFTER)) >= BACK * level;
            if (back && end - i > 1) {
                Arrays.fill(out, i, end, true);
                found++;
            }
            i = Math.max(end, i + 1);
        }
        return found;
    }

    /**
     * Marks the last second, or two, if they alone are low, by more than noise: in so short a time a load that ends and a service
     * that breaks look alike, so the level is what was served until then. A longer bin may be low by what they miss, and no more.
     */
    private static void markEnding(double[] bins, boolean[] out, double binSeconds) {
        int n = bins.length;
        double notable = notable(bins, around(bins));
        double left = 1 - ENDING / binSeconds - LESS;
        for (int i = Math.max(LEAST_BEFORE, n - Math.max(1, (int) (ENDING / binSeconds))); i < n; i++) {
            int from = Math.max(0, i - BEFORE);
            double level = Series.median(bins, from, i);
            boolean alone = Arrays.stream(bins, from, i).allMatch(bin -> bin >= BACK * level);
            boolean low = Arrays.stream(bins, i, n)
                    .allMatch(bin -> bin < BACK * level && bin >= left * level && isBelow(bin, level, notable));
            if (alone && low) {
                Arrays.fill(out, i, n, true);
                return;
            }
        }
    }

    private static boolean isNothing(double[] bins, int from, double level) {
        return Arrays.stream(bins, from, bins.length).allMatch(bin -> bin < NOTHING * level);
    }

    /** Returns the level around each bin: the lower of the medians before and after it, so that a rise is no dip. */
    static double[] around(double[] bins) {
        int n = bins.length;
        double[] out = new double[n];
        for (int i = 0; i < n; i++) {
            int from = Math.max(0, i - BEFORE);
            int to = Math.min(n, i + 1 + BEFORE);
            boolean begins = i - from < LEAST_AROUND;
            boolean ends = to - i - 1 < LEAST_AROUND;
            double before = begins ? Double.POSITIVE_INFINITY : Series.median(bins, from, i);
            double after = ends ? Double.POSITIVE_INFINITY : Series.median(bins, i + 1, to);
            out[i] = begins && ends ? bins[i] : Math.min(before, after);
        }
        return out;
    }

    public boolean afterPause() {
        return round > 0;
    }

    /** Returns outages, falls and dips deeper than noise in order; the rise, up to a bin, has no dips. */
    static List<Disturbance> of(
            double[] bins, int risen, boolean[] outages, List<LowSpell> falls, double binSeconds, int round) {
        double[] middle = around(bins);
        double noise = notable(bins, middle);
        boolean[] fallen = new boolean[bins.length];
        falls.forEach(fall -> Arrays.fill(fallen, fall.from(), fall.to(), true));
        List<Disturbance> out = new ArrayList<>();
        falls.forEach(fall -> out.add(new Disturbance(
                Kind.FALL,
                fall.from() * binSeconds,
                (fall.to() - fall.from()) * binSeconds,
                fall.lost(bins, outages, binSeconds),
                round)));
        int i = risen;
        while (i < bins.length) {
            int end = i;
            double lost = 0;
            boolean outage = outages[i];
            boolean fell = i > 0 && bins[i - 1] > bins[i];
            while (end < bins.length
                    && outages[end] == outage
                    && (outage || (fell && !fallen[end] && isBelow(bins[end], middle[end], noise)))) {
                lost += Math.max(0, middle[end] - bins[end]) * binSeconds;
                end++;
            }
            if (end > i) {
                Kind kind = outage && !isCutShort(bins, i, end) ? Kind.OUTAGE : Kind.DIP;
                lost = outage && end == bins.length ? lostUntilTheEnd(bins, i, binSeconds) : lost;
                out.add(new Disturbance(kind, i * binSeconds, (end - i) * binSeconds, lost, round));
            }
            i = Math.max(end, i + 1);
        }
        out.sort(Comparator.comparingDouble(Disturbance::seconds));
        return out;
    }

    /**
     * Returns what a whole load after a pause is that served less than those which show the level.
     *
     * @param cut how many bins of the load, the restart, stand before those given
     */
    static Disturbance ofLoad(double[] load, int cut, int round, List<double[]> standing, double binSeconds) {
        double level =
                standing.stream().mapToDouble(Descriptive::mean).average().orElseThrow();
        double mean = Descriptive.mean(load);
        double lasted = load.length * binSeconds;
        return new Disturbance(
                mean < OUTAGE * level ? Kind.OUTAGE : Kind.FALL,
                cut * binSeconds,
                lasted,
                (level - mean) * lasted,
                round);
    }

    /** Tells whether the last bins of a load are too few, or too high, for an outage. */
    private static boolean isCutShort(double[] bins, int from, int to) {
        double half = OUTAGE * Series.median(bins, Math.max(0, from - BEFORE), from);
        return to == bins.length
                && (to - from == 1 || Arrays.stream(bins, from, to).anyMatch(bin -> bin >= half));
    }

    /** Returns the same in a load that has so many seconds before the first bin looked at. */
    Disturbance later(double bySeconds) {
        return new Disturbance(kind, seconds + bySeconds, lasted, lost, round);
    }

    /** Returns the requests lost from a bin on, against the level before it: behind them there is none. */
    private static double lostUntilTheEnd(double[] bins, int from, double binSeconds) {
        double level = Series.median(bins, Math.max(0, from - BEFORE), from);
        return Arrays.stream(bins, from, bins.length)
                .map(bin -> Math.max(0, level - bin) * binSeconds)
                .sum();
    }

    /** Returns how far below the level around it a bin is notable, by the noise of all bins. */
    static double notable(double[] bins, double[] middle) {
        double[] away = new double[bins.length];
        for (int i = 0; i < bins.length; i++) {
            away[i] = Math.abs(bins[i] - middle[i]);
        }
        return bins.length == 0 ? 0 : NOTABLE_SDS * Descriptive.robustSd(away);
    }

    static boolean isBelow(double bin, double middle, double notable) {
        return middle - bin > Math.max(notable, NOTABLE_SHARE * middle);
    }
}
