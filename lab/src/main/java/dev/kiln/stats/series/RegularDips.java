package dev.kiln.stats.series;

import dev.kiln.stats.Descriptive;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Dips that come again after much the same time, as collections do. What each of them costs belongs to the time since the one
 * before it. Spread over that time it leaves means as they are, and a mean no longer depends on how many dips fall into it.
 *
 * @param periodBins from one dip to the next, in the middle; 0 where none are regular
 * @param lastLost what the last of them took, as a share of a bin of the level around it
 */
record RegularDips(double periodBins, double lastLost) {
    /** Two gaps between dips may be alike by chance; fewer say nothing. */
    private static final int LEAST_GAPS = 3;

    /** Standard deviation of the gaps, as a share of their mean: collections are as regular as the load, other jobs are not. */
    private static final double REGULAR = 0.3;

    /** A gap so many periods long is none: they have stopped. */
    private static final double STOPPED = 1.5;

    /**
     * Neighbouring bins far below what is around them.
     *
     * @param at their middle
     * @param lost requests per second, summed over its bins
     * @param level what is around it
     */
    private record Dip(int from, int to, double lost, double level) {
        double share() {
            return level > 0 ? lost / level : 0;
        }

        double at() {
            return (from + to) / 2.0;
        }
    }

    /** No dips, or none that are regular: then nothing is spread. */
    private static final RegularDips NONE = new RegularDips(0, 0);

    /** In these loads, one after the other. */
    static RegularDips of(List<double[]> loads) {
        List<Double> gaps = new ArrayList<>();
        double lost = 0;
        for (double[] load : loads) {
            List<Dip> dips = dips(load);
            for (int i = 1; i < dips.size(); i++) {
                gaps.add(dips.get(i).at() - dips.get(i - 1).at());
            }
            lost = dips.isEmpty() ? lost : dips.getLast().share();
        }
        if (gaps.size() < LEAST_GAPS) {
            return NONE;
        }
        double[] all = gaps.stream().mapToDouble(gap -> gap).toArray();
        double mean = Descriptive.mean(all);
        return Math.sqrt(Descriptive.sampleVariance(all)) <= REGULAR * mean ? new RegularDips(mean, lost) : NONE;
    }

    /** The load with the cost of each dip spread over the period that it ends. */
    double[] spread(double[] load) {
        if (periodBins == 0) {
            return load;
        }
        List<Dip> dips = dips(load);
        double[] out = load.clone();
        if (dips.isEmpty()) {
            // A load shorter than a period may just have missed the next.
            double kept = load.length < periodBins ? 1 - lastLost / periodBins : 1;
            Arrays.setAll(out, i -> kept * load[i]);
            return out;
        }
        double[] middle = Disturbance.around(load);
        dips.forEach(dip -> System.arraycopy(middle, dip.from, out, dip.from, dip.to - dip.from));
        for (int j = 0; j < dips.size(); j++) {
            Dip dip = dips.get(j);
            double begin = j == 0 ? dip.at() - periodBins : dips.get(j - 1).at();
            take(out, begin, dip.at(), dip.lost / (dip.at() - begin));
        }
        Dip last = dips.getLast();
        if (load.length - last.at() < STOPPED * periodBins) {
            take(out, last.at(), load.length, last.lost / periodBins);
        }
        return out;
    }

    /** Takes as much from each bin between two moments, as far as they lie within the load. */
    private static void take(double[] out, double from, double to, double perBin) {
        for (int i = Math.max(0, (int) from); i < Math.min(out.length, to); i++) {
            double covered = Math.min(i + 1, to) - Math.max(i, from);
            out[i] = Math.max(0, out[i] - perBin * covered);
        }
    }

    private static List<Dip> dips(double[] load) {
        double[] middle = Disturbance.around(load);
        double notable = Disturbance.notable(load, middle);
        List<Dip> out = new ArrayList<>();
        int i = 0;
        while (i < load.length) {
            int end = i;
            double lost = 0;
            while (end < load.length && Disturbance.isBelow(load[end], middle[end], notable)) {
                lost += middle[end] - load[end];
                end++;
            }
            if (end > i) {
                out.add(new Dip(i, end, lost, middle[i]));
            }
            i = Math.max(end, i + 1);
        }
        return out;
    }
}
