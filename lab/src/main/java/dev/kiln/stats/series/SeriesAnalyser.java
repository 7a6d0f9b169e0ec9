package dev.kiln.stats.series;

import dev.kiln.stats.AnalysisConfig;
import dev.kiln.stats.Descriptive;
import dev.kiln.stats.Series;
import dev.kiln.stats.series.SeriesAnalysis.CooldownJump;
import dev.kiln.stats.series.SeriesAnalysis.Measured;
import dev.kiln.stats.series.SeriesAnalysis.Shape;
import dev.kiln.stats.series.SeriesAnalysis.WarmupCost;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** The steps of the analysis of a series, each from those before. */
public final class SeriesAnalyser {
    /** Shorter stretches say little about noise. */
    private static final int NOISE_STRETCH = 15;

    private static final int NOISE_MARGIN = 8;

    /** Requests that the last seconds would have served, under which nothing served is no stop. */
    private static final double STOP_REQUESTS = 10;

    /** Bins wider than this are too coarse for times. */
    private static final int MOST_JOINED = 5;

    private final double[] bins;
    private final Measured after;
    private final List<double[]> restarted;
    private final Optional<Peak> better;
    private final AnalysisConfig config;
    private final boolean[] outages;
    private final int reached;
    private final Noise noise;

    private SeriesAnalyser(double[] bins, Measured after, Optional<Peak> better, AnalysisConfig config) {
        this.bins = bins;
        this.after = after;
        this.better = better;
        this.config = config;
        restarted = after.restarted(config);
        outages = Disturbance.outages(bins);
        reached = TimeToPeak.least(TimeToPeak.sums(bins, roughLevel(), TimeToPeak.HEADLINE));
        noise = Noise.of(stretches(), config.binSeconds());
    }

    /** Without a load after a pause. */
    public static SeriesAnalysis analyse(double[] bins, AnalysisConfig config) {
        return analyse(bins, Measured.NONE, Optional.empty(), config);
    }

    /**
     * Of a run.
     *
     * @param first requests per second from the first request on, in bins of the configured length
     * @param measured the load after the pause
     * @param better a peak that other runs of the variant found, for a run whose own is a lower bound
     */
    public static SeriesAnalysis analyse(
            double[] first, Measured measured, Optional<Peak> better, AnalysisConfig config) {
        Series.requireRates(first);
        measured.loads().forEach(Series::requireRates);
        Series.requireRates(measured.afterPause());
        int per = joined(first, measured.last(), config);
        AnalysisConfig own = per == 1 ? config : config.withBinSeconds(per * config.binSeconds());
        double[] bins = Series.joined(first, per);
        // Of all bins: joining leaves out a rest at the end.
        double requests = Descriptive.sum(first) * config.binSeconds();
        Measured after = measured.joined(per);
        if (bins.length < own.bins(own.end().leastEndBins(), 5)) {
            return tooShort(bins, after, better, own, requests);
        }
        return new SeriesAnalyser(bins, after, better, own).result(requests);
    }

    /** The same series held against another peak: its times and its cost. */
    public static SeriesAnalysis against(SeriesAnalysis series, Peak peak, AnalysisConfig config) {
        AnalysisConfig own = config.withBinSeconds(series.binSeconds());
        return series.against(
                peak,
                times(series.bins(), peak.value(), peak.error(), series.noise(), own),
                warmupCost(series.bins(), peak, series.noise(), own));
    }

    /** How many bins are joined so that one of the usual level holds enough requests. */
    private static int joined(double[] first, double[] measure, AnalysisConfig config) {
        double[] level = measure.length > 0 ? measure : first;
        double usual = level.length == 0 ? 0 : Descriptive.median(level) * config.binSeconds();
        int most = Math.clamp(first.length, 1, MOST_JOINED);
        return usual <= 0 ? 1 : (int) Math.clamp(Math.ceil(config.minRequests() / usual), 1, most);
    }

    /** The reference before anything is known of noise, or the level of the last bins. */
    private double roughLevel() {
        double rough = better.map(Peak::value)
                .orElseGet(() -> served(restarted) ? Descriptive.mean(restarted.getLast()) : lastLevel());
        return Math.max(rough, 1e-9);
    }

    private double lastLevel() {
        int least = config.bins(config.end().leastEndBins(), 5);
        return Series.mean(bins, bins.length - least, bins.length);
    }

    /** What is level up to a line: the load after the pause, and what follows the rise, or goes before it. */
    private List<double[]> stretches() {
        int n = bins.length;
        double cut = config.noise().cutSds();
        List<double[]> out = new ArrayList<>();
        restarted.forEach(load -> out.add(Series.tamed(load, cut)));
        int most = config.end().mostEndBins();
        if (n - reached >= NOISE_STRETCH) {
            int from = Math.max(reached, n - config.noise().noiseBins());
            split(Series.tamed(Ending.without(bins, from, outages), cut), out);
        } else if (reached >= n) {
            out.add(Series.tamed(Ending.without(bins, Math.max(0, n - most), outages), cut));
        } else if (reached >= most) {
            double[] before = Arrays.copyOfRange(bins, 0, reached - NOISE_MARGIN);
            out.add(Series.tamed(Ending.without(before, reached - most, outages), cut));
        }
        return out;
    }

    /** A step is no noise: a stretch that one step explains well is two stretches. */
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

    private SeriesAnalysis result(double requests) {
        Ending ending = Ending.of(bins, reached, outages, noise, config);
        Optional<Peak> own =
                served(restarted) ? Optional.of(Peak.of(restarted, after.bounds(), noise, config)) : Optional.empty();
        boolean declines = own.isPresent() && Peak.change(restarted.getLast(), noise, config) < 0;
        Optional<HeldLevel> heldAbovePeak = own.flatMap(
                        peak -> HeldLevel.above(bins, peak.value(), peak.error(), noise, config))
                .filter(held -> held.sure(config));
        Optional<Peak> peak = heldAbovePeak
                .map(held -> Peak.of(held, noise, config))
                .or(() -> declines ? Optional.empty() : own)
                .map(found -> found.lowerBound() ? better.orElse(found) : found)
                .or(() -> better);
        return new SeriesAnalysis(
                bins,
                config.binSeconds(),
                noise,
                own,
                peak,
                peak.map(p -> times(bins, p.value(), p.error(), noise, config)).orElse(List.of()),
                ending.level().value() > 0
                        ? times(bins, ending.level().value(), ending.error(), noise, config)
                        : List.of(),
                Optional.of(ending),
                peak.map(p -> ending.over(p, noise, config)),
                declines,
                shape(ending, heldAbovePeak),
                requests,
                peak.map(p -> warmupCost(bins, p, noise, config)),
                CooldownJump.of(bins, after.afterPause(), noise, config));
    }

    private Shape shape(Ending ending, Optional<HeldLevel> heldAbovePeak) {
        Optional<HeldLevel> held = HeldLevel.above(bins, ending.level().value(), ending.error(), noise, config);
        boolean slowing = held.filter(h -> h.sure(config)).isPresent();
        int half = roughHalf();
        return new Shape(
                stopped(),
                Optional.ofNullable(Cycle.of(bins, half, after.last(), config)),
                held.or(() -> heldAbovePeak),
                slowing,
                held.filter(h -> h.doubt(config)).isPresent(),
                heldAbovePeak.isPresent() && !slowing,
                Disturbance.of(bins, outages, config.binSeconds()));
    }

    /** Where the rise to half of the level ended, at most the middle. */
    private int roughHalf() {
        return Math.min(bins.length / 2, TimeToPeak.least(TimeToPeak.sums(bins, roughLevel(), 50)));
    }

    /** The longest end in which each bin served under a tenth of what was usual before it. */
    private OptionalDouble stopped() {
        int n = bins.length;
        int since = n;
        double most = 0;
        for (int k = 1; k <= n / 2; k++) {
            most = Math.max(most, bins[n - k]);
            double before = Series.median(bins, Math.max(0, n - k - NOISE_STRETCH), n - k);
            boolean longEnough = k >= config.bins(config.shape().stoppedBins(), 2);
            boolean missed = before * k * config.binSeconds() > STOP_REQUESTS;
            if (longEnough && missed && most < config.shape().stoppedShare() * before) {
                since = n - k;
            }
        }
        return since == n ? OptionalDouble.empty() : OptionalDouble.of(since * config.binSeconds());
    }

    /** Too few bins for an end and for noise. A peak and the warm-up cost are known all the same. */
    private static SeriesAnalysis tooShort(
            double[] bins, Measured measured, Optional<Peak> better, AnalysisConfig config, double requests) {
        List<double[]> after = measured.restarted(config);
        Noise noise = Noise.of(after, config.binSeconds());
        Optional<Peak> own =
                served(after) ? Optional.of(Peak.of(after, measured.bounds(), noise, config)) : Optional.empty();
        Optional<Peak> peak = better.or(() -> own);
        return new SeriesAnalysis(
                bins,
                config.binSeconds(),
                noise,
                own,
                peak,
                peak.map(p -> times(bins, p.value(), p.error(), noise, config)).orElse(List.of()),
                List.of(),
                Optional.empty(),
                Optional.empty(),
                false,
                Shape.NONE,
                requests,
                peak.map(p -> warmupCost(bins, p, noise, config)),
                Optional.empty());
    }

    private static boolean served(List<double[]> loads) {
        return !loads.isEmpty() && Descriptive.sum(loads.getLast()) > 0;
    }

    private static WarmupCost warmupCost(double[] bins, Peak peak, Noise noise, AnalysisConfig config) {
        return WarmupCost.of(
                bins,
                config.binSeconds(),
                peak.value(),
                noise.reach(config.end().endZ()) * peak.error());
    }

    private static List<TimeToPeak> times(
            double[] bins, double level, double error, Noise noise, AnalysisConfig config) {
        return TimeToPeak.PERCENTAGES.stream()
                .map(percent -> TimeToPeak.of(bins, level, error, percent, noise.longRun(), config))
                .toList();
    }
}
