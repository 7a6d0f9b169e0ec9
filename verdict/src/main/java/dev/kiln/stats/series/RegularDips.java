package dev.kiln.stats.series;

import dev.kiln.stats.Descriptive;
import dev.kiln.stats.Series;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * RegularDips are dips that come again after much the same time, as collections do. What each of them costs belongs to
 * the time since the one before it. Spread over that time it leaves means as they are, and a mean no longer depends on
 * how many dips fall into it.
 *
 * <p>Seconds that have more are handled in the same way: a clock whose ticks are a little shorter than a second has two
 * in one of them. They are the dips of the load subtracted from a constant.
 *
 * @param periodBins from one dip to the next, in the middle; 0 where none are regular
 * @param leastShare what each of them takes at least, in bins of the level around it: smaller ones are another thing
 * @param lastShare what the last of them took
 * @param mirror requests per second that loads are taken from, where they have more; 0 where they have less
 */
record RegularDips(double periodBins, double leastShare, double lastShare, double mirror) {
    /** Dips are judged by at least this many gaps between them: two may be alike by chance. */
    private static final int LEAST_GAPS = 3;

    /** The gaps' standard deviation is at most this share of their mean: other jobs are less regular. */
    private static final double REGULAR = 0.3;

    /** Dips are tried from these shares of the deepest on: deep ones are found among shallow ones. */
    private static final double[] DEPTHS = {0, 0.3, 0.6};

    /** A load is subtracted from this many levels, so that more becomes less: no second of a clock has so much. */
    private static final double MIRROR = 4;

    /** The dips have stopped where the last gap is this many periods long. */
    private static final double STOPPED = 1.5;

    /** A Dip is neighbouring bins far below the level around them; lost sums requests per second. */
    private record Dip(int from, int to, double lost, double level) {
        double share() {
            return level > 0 ? lost / level : 0;
        }

        double at() {
            return (from + to) / 2.0;
        }
    }

    /** There are no dips, or none that are regular: nothing is spread. */
    private static final RegularDips NONE = new RegularDips(0, 0, 0, 0);

    /** Finds the most regular dips in these consecutive loads, among all dips or the deeper ones. */
    static RegularDips of(List<double[]> loads) {
        return of(loads, 0);
    }

    /** Returns these dips; where there are none, regular seconds that have more. */
    RegularDips orMore(List<double[]> loads) {
        double[] last = loads.getLast();
        double mirror = MIRROR * (last.length == 0 ? 0 : Series.median(last, 0, last.length));
        return periodBins > 0 || mirror == 0 || !loads.stream().allMatch(load -> isBelow(load, mirror))
                ? this
                : of(loads.stream().map(load -> mirrored(load, mirror)).toList(), mirror);
    }

    /** Tells whether a load lies wholly below the mirror, which cannot show what is above it. */
    private static boolean isBelow(double[] load, double mirror) {
        return Arrays.stream(load).allMatch(x -> x <= mirror);
    }

    private static double[] mirrored(double[] load, double mirror) {
        return Arrays.stream(load).map(x -> mirror - x).toArray();
    }

    private static RegularDips of(List<double[]> loads, double mirror) {
        List<List<Dip>> all = loads.stream().map(RegularDips::dips).toList();
        double deepest =
                all.stream().flatMap(List::stream).mapToDouble(Dip::share).max().orElse(0);
        RegularDips best = NONE;
        double least = REGULAR;
        for (double depth : DEPTHS) {
            List<List<Dip>> dips = all.stream()
                    .map(load -> load.stream()
                            .filter(dip -> dip.share() >= depth * deepest)
                            .toList())
                    .toList();
            double[] gaps = gaps(dips);
            double mean = gaps.length < LEAST_GAPS ? 0 : Descriptive.mean(gaps);
            double spread = mean == 0 ? 1 : Math.sqrt(Descriptive.sampleVariance(gaps)) / mean;
            if (spread <= least) {
                least = spread;
                double last = dips.stream()
                        .flatMap(List::stream)
                        .reduce((first, second) -> second)
                        .orElseThrow()
                        .share();
                best = new RegularDips(mean, depth * deepest, last, mirror);
            }
        }
        return best;
    }

    private static double[] gaps(List<List<Dip>> loads) {
        return loads.stream()
                .flatMapToDouble(dips -> IntStream.range(1, dips.size())
                        .mapToDouble(i -> dips.get(i).at() - dips.get(i - 1).at()))
                .toArray();
    }

    /** Returns the load with the cost of each dip spread over the period that it ends. */
    double[] spread(double[] load) {
        if (periodBins == 0 || (mirror > 0 && !isBelow(load, mirror))) {
            return load;
        }
        return mirror == 0 ? level(load) : mirrored(level(mirrored(load, mirror)), mirror);
    }

    private double[] level(double[] load) {
        List<Dip> dips =
                dips(load).stream().filter(dip -> dip.share() >= leastShare).toList();
        double[] out = load.clone();
        if (dips.isEmpty()) {
            // A load shorter than a period may just have missed the next.
            double kept = load.length < periodBins ? 1 - lastShare / periodBins : 1;
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

    /** Subtracts as much from each bin between two moments, as far as they lie within the load. */
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
