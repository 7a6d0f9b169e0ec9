package dev.kiln.stats.series;

import dev.kiln.stats.AnalysisConfig;
import dev.kiln.stats.Descriptive;
import dev.kiln.stats.Series;
import dev.kiln.stats.series.Bins.BinWidth;
import dev.kiln.stats.series.SeriesAnalysis.MeasuredLoad;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * LoadsRead is what is read of the first load and of those after a pause, before anything is concluded: outages,
 * regular dips, falls to a lower level for a while, the time that it took to settle, and how noisy the rest is.
 */
final class LoadsRead {
    /** Noise is estimated from this many bins in a row on: fewer say little about it. */
    private static final int NOISE_STRETCH = 15;

    private static final int NOISE_MARGIN = 8;

    /** A stop has missed more than this many requests: fewer may be missing by chance. */
    private static final double STOP_REQUESTS = 10;

    /** The median of this many bins before an outage stands in for those of the outage. */
    private static final int BEFORE_OUTAGE = 8;

    /** A stop has at least this many bins before it: fewer are no level. */
    private static final int LEAST_BEFORE_STOP = 5;

    /** The median of this many bins is what was usual before a stop. */
    static final int BEFORE_STOP = 15;

    /**
     * A climb by more than this share of its mean is seldom a line. What a line leaves of it is no noise, and most of
     * that goes where each half has a line of its own.
     */
    private static final double STEEP = 0.5;

    /** Dips are searched from this percentage of the level on: a rise has none. */
    private static final int RISEN = 75;

    /** The requests per second of the first load. */
    final double[] served;

    /** The first load with what regular seconds have less, or more, spread over the time between them. */
    final double[] bins;

    /** The first load with dips spread, for noise: a mean of so many seconds holds a tick more or less. */
    private final double[] ticking;

    /** The first load without outages, with the ticks of a clock alone spread: what was served just before the pause. */
    final double[] beforePause;

    /** The whole first load after a pause, with the ticks of a clock alone spread. */
    final double[] afterPause;

    /** The relative variance that whole batches or ticks give a bin, from {@link BinWidth}. */
    final double grain;

    /** The loads after a pause without their restart, without outages, without what they took to settle, dips spread. */
    final List<double[]> restarted;

    /** Those of them that show the level: without any that surely served less than another by over a fifth. */
    final List<double[]> standing;

    /** The bins of the first load that are outages are true. */
    final boolean[] outages;

    /** The bin from which on the first load no longer rises, by three quarters of the level. */
    final int risen;

    /** The bin at which the first load came to 90 % of the level. */
    final int reached;

    final Noise noise;

    /** The bin from which on next to nothing was served; empty where the load did not stop. */
    final OptionalInt stop;

    /** The outages, falls and dips of the first load, the outages of those after a pause, and those of these that fell as a whole. */
    final List<Disturbance> disturbances;

    final List<LowSpell> spells;

    private final Optional<Peak> better;
    private final AnalysisConfig config;

    LoadsRead(double[] served, MeasuredLoad after, Optional<Peak> better, AnalysisConfig config, double grain) {
        this.served = served;
        this.better = better;
        this.config = config;
        this.grain = grain;
        List<double[]> all = new ArrayList<>(List.of(served));
        all.addAll(after.restarted(config));
        List<boolean[]> out = Disturbance.outages(all, config);
        outages = out.getFirst();
        List<double[]> up = IntStream.range(1, all.size())
                .mapToObj(i -> Ending.without(all.get(i), 0, out.get(i)))
                .toList();
        risen = TimeToPeak.least(TimeToPeak.sums(served, roughLevel(up), RISEN));
        double[] held = Ending.without(served, risen, outages);
        List<double[]> risenAndUp = Stream.concat(Stream.of(held), up.stream()).toList();
        RegularDips dips = RegularDips.of(risenAndUp);
        RegularDips also = dips.orMore(risenAndUp);
        bins = Ending.within(served, risen, outages, also.spread(held));
        ticking = Ending.within(served, risen, outages, dips.spread(held));
        beforePause = Ending.without(also.mirror() > 0 ? bins : served, 0, outages);
        afterPause = also.mirror() > 0 ? also.spread(after.afterPause()) : after.afterPause();
        List<double[]> level = up.stream().map(also::spread).toList();
        List<double[]> noisy = up.stream().map(dips::spread).toList();
        List<double[]> halves = noisy.stream()
                .map(load -> Arrays.copyOfRange(load, load.length / 2, load.length))
                .toList();
        reached = TimeToPeak.least(TimeToPeak.sums(bins, roughLevel(halves), TimeToPeak.HEADLINE));
        spells = LowSpell.of(
                withoutOutages(),
                risen,
                parts -> Noise.of(
                        Stream.concat(halves.stream(), parts.stream()).toList(), config.countedSeconds(), grain),
                config);
        Noise rough = Noise.of(stretches(halves), config.countedSeconds(), grain);
        restarted =
                level.stream().map(load -> Peak.settled(load, rough, config)).toList();
        noise = Noise.of(
                stretches(noisy.stream()
                        .map(load -> Peak.settled(load, rough, config))
                        .toList()),
                config.countedSeconds(),
                grain);
        standing = Peak.notFallen(restarted, noise, config);
        stop = stopped();
        disturbances = new ArrayList<>(Disturbance.of(served, risen, outages, spells, config.binSeconds(), 0));
        for (int i = 1; i < all.size(); i++) {
            int cut = after.loads().get(i - 1).length - all.get(i).length;
            int round = after.below() + i;
            disturbances.addAll(
                    standing.contains(restarted.get(i - 1))
                            ? outagesAfterPause(all.get(i), out.get(i), cut, round)
                            : List.of(Disturbance.ofLoad(all.get(i), cut, round, standing, config.binSeconds())));
        }
    }

    /** Tells whether the last load after a pause surely served less than one before it, by over a fifth. */
    boolean fell() {
        return !restarted.isEmpty() && !standing.contains(restarted.getLast());
    }

    /** @param cut how many bins of the load, the restart, stand before those given */
    private List<Disturbance> outagesAfterPause(double[] load, boolean[] out, int cut, int round) {
        return Disturbance.of(load, 0, out, List.of(), config.binSeconds(), round).stream()
                .filter(one -> out[(int) Math.round(one.seconds() / config.binSeconds())])
                .map(one -> one.later(cut * config.binSeconds()))
                .toList();
    }

    /** Returns the bin at which the first load had risen to half of the level, at most the middle. */
    int half() {
        return Math.min(bins.length / 2, TimeToPeak.least(TimeToPeak.sums(bins, roughLevel(restarted), 50)));
    }

    /** Returns the bin after the last fall of the first load; 0 without one. */
    int sinceFall() {
        return spells.stream().mapToInt(LowSpell::to).max().orElse(0);
    }

    /** Returns the reference before anything is known of noise, or the level of the last bins; always above 0. */
    private double roughLevel(List<double[]> loads) {
        double rough = better.map(Peak::value)
                .orElseGet(() -> served(loads) ? Descriptive.mean(loads.getLast()) : lastLevel());
        return Math.max(rough, 1e-9);
    }

    /** Returns the bins with the level before them in place of outages, which are reported apart. */
    private double[] withoutOutages() {
        double[] out = ticking.clone();
        for (int i = 1; i < out.length; i++) {
            if (outages[i]) {
                out[i] = Series.median(out, Math.max(0, i - BEFORE_OUTAGE), i);
            }
        }
        return out;
    }

    private double lastLevel() {
        int least = config.bins(config.end().leastEndBins(), 5);
        return Series.mean(served, served.length - least, served.length);
    }

    /** Returns the parts that are level up to a line: loads after a pause, what follows the rise, or precedes. */
    private List<double[]> stretches(List<double[]> loads) {
        int n = ticking.length;
        double cut = config.noise().cutSds();
        List<double[]> out = new ArrayList<>();
        loads.forEach(load -> out.add(Series.tamed(load, cut)));
        int most = config.end().mostEndBins();
        if (n - reached >= NOISE_STRETCH) {
            int from = Math.max(reached, n - config.noise().noiseBins());
            int begin = spells.stream()
                    .filter(spell -> spell.from() <= from && from < spell.to())
                    .mapToInt(LowSpell::to)
                    .findFirst()
                    .orElse(from);
            List<LowSpell> later =
                    spells.stream().filter(spell -> spell.from() > begin).toList();
            if (later.isEmpty()) {
                split(Series.tamed(Ending.without(ticking, begin, outages), cut), out);
            } else {
                LowSpell.parts(ticking, begin, later).forEach(part -> out.add(Series.tamed(part, cut)));
            }
        } else if (reached >= n) {
            double[] last = Series.tamed(Ending.without(ticking, Math.max(0, n - most), outages), cut);
            double rise = Series.slope(last) * last.length / Math.max(Descriptive.mean(last), 1e-9);
            if (rise > STEEP) {
                split(last, out);
            } else {
                out.add(last);
            }
        } else if (reached >= most) {
            double[] before = Arrays.copyOfRange(ticking, 0, reached - NOISE_MARGIN);
            out.add(Series.tamed(Ending.without(before, reached - most, outages), cut));
        }
        return out;
    }

    /** Divides bins in two where one step explains them well, because a step is no noise. */
    private void split(double[] stretch, List<double[]> out) {
        int n = stretch.length;
        double all = Descriptive.sampleVariance(stretch) * (n - 1);
        double least = (1 - config.noise().stepShare()) * all;
        int at = 0;
        for (int s = NOISE_MARGIN; s <= n - NOISE_MARGIN; s++) {
            double gap = Series.mean(stretch, 0, s) - Series.mean(stretch, s, n);
            double left = all - gap * gap * s * (n - s) / n;
            if (left < least) {
                least = left;
                at = s;
            }
        }
        if (at > 0) {
            out.add(Arrays.copyOf(stretch, at));
        }
        out.add(Arrays.copyOfRange(stretch, at, n));
    }

    /** Returns where the longest end begins whose bins serve under a tenth of before; empty if none. */
    private OptionalInt stopped() {
        int n = served.length;
        int since = n;
        double most = 0;
        for (int k = 1; k <= n - LEAST_BEFORE_STOP; k++) {
            most = Math.max(most, served[n - k]);
            double before = Series.median(served, Math.max(0, n - k - BEFORE_STOP), n - k);
            boolean longEnough = k >= config.bins(config.shape().stoppedBins(), 2);
            boolean missed = before * k * config.binSeconds() > STOP_REQUESTS;
            if (longEnough && missed && most < config.shape().stoppedShare() * before) {
                since = n - k;
            }
        }
        return since == n ? OptionalInt.empty() : OptionalInt.of(since);
    }

    static boolean served(List<double[]> loads) {
        return !loads.isEmpty() && Descriptive.sum(loads.getLast()) > 0;
    }
}
