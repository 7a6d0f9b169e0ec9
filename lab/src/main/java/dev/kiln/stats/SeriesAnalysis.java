package dev.kiln.stats;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What a load series says: how high the peak is, when it was reached, whether it was still there at the end, each with its
 * interval. Rates are requests per second, times seconds from the first bin.
 *
 * @param bins requests per second of the first load; joined where few requests were served
 * @param binSeconds length of a bin as it was analysed
 * @param noise empty where there are too few bins
 * @param measured what the load after the pause itself says of the peak; empty without one
 * @param peak what times and shares refer to; empty without a load after a pause, and where that declines
 * @param times to the peak, by {@link TimeToPeak#PERCENTAGES}; empty without a peak
 * @param ownTimes to the level of the series' own end
 * @param ending empty where there are too few bins
 * @param endOverPeak the level of the end over the peak
 * @param declines the load after the pause went down, so it is no reference
 */
public record SeriesAnalysis(
        double[] bins,
        double binSeconds,
        Noise noise,
        Optional<Peak> measured,
        Optional<Peak> peak,
        List<TimeToPeak> times,
        List<TimeToPeak> ownTimes,
        Optional<Ending> ending,
        Optional<Estimate> endOverPeak,
        boolean declines,
        Shape shape,
        double requests,
        Optional<Deficit> deficit,
        Optional<CooldownJump> jump) {
    /** Two of them at one level, within a tenth, end a load that waits for it. */
    private static final double LEVEL_SECONDS = 30;

    private static final double LEVEL_CHANGE = 0.1;

    /** Bins wider than this tell no time. */
    private static final int MOST_JOINED = 5;

    /** Shorter stretches tell little of noise. */
    private static final int NOISE_STRETCH = 15;

    private static final int NOISE_MARGIN = 8;

    /** Requests that the last seconds would have served, under which nothing served is no stop. */
    private static final double STOP_REQUESTS = 10;

    /**
     * What is not a rise to a level.
     *
     * @param stoppedSeconds from which on next to nothing was served; empty where something was
     * @param cycle empty where there is none, and none to be feared
     * @param held a level above that of the end, by its interval or perhaps; empty where there is none
     * @param slowing the level was held, for certain
     * @param slowingDoubt it may well have been
     */
    public record Shape(
            OptionalDouble stoppedSeconds,
            Optional<Cycle> cycle,
            Optional<HeldLevel> held,
            boolean slowing,
            boolean slowingDoubt,
            List<Disturbance> disturbances) {
        public Shape {
            disturbances = List.copyOf(disturbances);
        }

        static final Shape NONE =
                new Shape(OptionalDouble.empty(), Optional.empty(), Optional.empty(), false, false, List.of());
    }

    /**
     * The load after the pause, requests per second; of several rounds of pause and load those that stood at the peak.
     *
     * @param afterPause the first of all rounds
     * @param loads those at the peak, to the last of all; empty where there is none
     * @param bounds why the peak may be higher than the last served
     */
    public record Measured(double[] afterPause, List<double[]> loads, List<Peak.Bound> bounds) {
        public static final Measured NONE = new Measured(new double[0], List.of(), List.of());

        public Measured {
            loads = List.copyOf(loads);
            bounds = List.copyOf(bounds);
        }

        /** One load; of no bins, none. */
        public Measured(double[] bins, List<Peak.Bound> bounds) {
            this(bins, bins.length == 0 ? List.of() : List.of(bins), bounds);
        }

        private double[] last() {
            return loads.isEmpty() ? new double[0] : loads.getLast();
        }

        private Measured joined(int per) {
            return new Measured(
                    Series.joined(afterPause, per),
                    loads.stream().map(load -> Series.joined(load, per)).toList(),
                    bounds);
        }

        /** Each load without its restart. */
        private List<double[]> restarted(AnalysisConfig config) {
            return loads.stream().map(load -> Peak.restarted(load, config)).toList();
        }
    }

    public SeriesAnalysis {
        times = List.copyOf(times);
        ownTimes = List.copyOf(ownTimes);
    }

    /** Without a load after a pause. */
    public static SeriesAnalysis of(double[] bins, AnalysisConfig config) {
        return of(bins, Measured.NONE, Optional.empty(), config);
    }

    /**
     * Of a run.
     *
     * @param first requests per second from the first request on, in bins of the configured length
     * @param measured the load after the pause
     * @param better a peak that other runs of the variant found, for a run whose own is a lower bound
     */
    public static SeriesAnalysis of(double[] first, Measured measured, Optional<Peak> better, AnalysisConfig config) {
        Series.requireRates(first);
        measured.loads().forEach(Series::requireRates);
        Series.requireRates(measured.afterPause());
        int per = joined(first, measured.last(), config);
        AnalysisConfig own = per == 1 ? config : config.withBinSeconds(per * config.binSeconds());
        double[] bins = Series.joined(first, per);
        Measured after = measured.joined(per);
        if (bins.length < own.bins(own.end().leastEndBins(), 5)) {
            return tooShort(bins, after, better, own);
        }
        return new Analysis(bins, after, better, own).result();
    }

    /** How many bins are joined so that one of the usual level holds enough requests. */
    private static int joined(double[] first, double[] measure, AnalysisConfig config) {
        double[] level = measure.length > 0 ? measure : first;
        double usual = level.length == 0 ? 0 : Descriptive.median(level) * config.binSeconds();
        return usual <= 0 ? 1 : (int) Math.clamp(Math.ceil(config.minRequests() / usual), 1, MOST_JOINED);
    }

    /** Too few bins for an end and for noise; a peak and what it cost to get there can be told all the same. */
    private static SeriesAnalysis tooShort(
            double[] bins, Measured measured, Optional<Peak> better, AnalysisConfig config) {
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
                Descriptive.sum(bins) * config.binSeconds(),
                peak.map(p -> deficit(bins, p, noise, config)),
                Optional.empty());
    }

    private static boolean served(List<double[]> loads) {
        return !loads.isEmpty() && Descriptive.sum(loads.getLast()) > 0;
    }

    private static Deficit deficit(double[] bins, Peak peak, Noise noise, AnalysisConfig config) {
        return Deficit.of(
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

    /** One of {@link TimeToPeak#PERCENTAGES} of the peak. */
    public Optional<TimeToPeak> time(int percent) {
        return times.stream().filter(time -> time.percent() == percent).findFirst();
    }

    /**
     * Whether throughput is level at the end: the mean of the last half a minute over that of the half before is within a
     * tenth of one, by its interval, and nothing else speaks against it. What "until-steady" waits for.
     */
    public boolean level(AnalysisConfig config) {
        int half = Math.min((int) (LEVEL_SECONDS / binSeconds), bins.length / 2);
        if (ending.isEmpty() || half < config.bins(config.end().leastEndBins(), 5)) {
            return false;
        }
        int n = bins.length;
        double before = Series.mean(bins, n - 2 * half, n - half);
        double after = Series.mean(bins, n - half, n);
        double reach = noise.reach(config.end().endZ()) * Math.sqrt(2) * noise.ofMean(half);
        boolean other = shape.stoppedSeconds().isPresent() || shape.cycle().isPresent() || shape.slowing();
        return before > 0 && !other && Math.abs(Math.log(after / before)) + reach < LEVEL_CHANGE;
    }

    /** Length of the series, in seconds. */
    public double seconds() {
        return bins.length * binSeconds;
    }

    /** The steps of an analysis, each from those before. */
    private static final class Analysis {
        private final double[] bins;
        private final Measured after;
        private final List<double[]> restarted;
        private final Optional<Peak> better;
        private final AnalysisConfig config;
        private final boolean[] outages;
        private final int reached;
        private final Noise noise;

        Analysis(double[] bins, Measured after, Optional<Peak> better, AnalysisConfig config) {
            this.bins = bins;
            this.after = after;
            this.better = better;
            this.config = config;
            restarted = after.restarted(config);
            outages = Disturbance.outages(bins);
            reached = TimeToPeak.least(TimeToPeak.sums(bins, roughLevel(), TimeToPeak.HEADLINE));
            noise = Noise.of(stretches(), config.binSeconds());
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

        SeriesAnalysis result() {
            Ending ending = Ending.of(bins, reached, outages, noise, config);
            Optional<Peak> own = served(restarted)
                    ? Optional.of(Peak.of(restarted, after.bounds(), noise, config))
                    : Optional.empty();
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
                    peak.map(p -> times(bins, p.value(), p.error(), noise, config))
                            .orElse(List.of()),
                    ending.level().value() > 0
                            ? times(bins, ending.level().value(), ending.error(), noise, config)
                            : List.of(),
                    Optional.of(ending),
                    peak.map(p -> ending.over(p, noise, config)),
                    declines,
                    shape(ending, heldAbovePeak),
                    Descriptive.sum(bins) * config.binSeconds(),
                    peak.map(p -> deficit(bins, p, noise, config)),
                    CooldownJump.of(bins, after.afterPause(), noise, config));
        }

        private Shape shape(Ending ending, Optional<HeldLevel> heldAbovePeak) {
            Optional<HeldLevel> held = HeldLevel.above(bins, ending.level().value(), ending.error(), noise, config);
            boolean slowing = heldAbovePeak.isPresent()
                    || held.filter(h -> h.sure(config)).isPresent();
            int half = roughHalf();
            return new Shape(
                    stopped(),
                    Optional.ofNullable(Cycle.of(bins, half, after.last(), config)),
                    held.or(() -> heldAbovePeak),
                    slowing,
                    held.filter(h -> h.doubt(config)).isPresent(),
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
    }
}
