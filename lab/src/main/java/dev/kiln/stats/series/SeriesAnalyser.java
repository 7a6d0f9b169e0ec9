package dev.kiln.stats.series;

import dev.kiln.stats.AnalysisConfig;
import dev.kiln.stats.Descriptive;
import dev.kiln.stats.Estimate;
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
import java.util.OptionalInt;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The steps of the analysis of a series, each from those before. */
public final class SeriesAnalyser {
    /** Shorter stretches say little about noise. */
    private static final int NOISE_STRETCH = 15;

    private static final int NOISE_MARGIN = 8;

    /** Requests that the last seconds would have served, under which nothing served is no stop. */
    private static final double STOP_REQUESTS = 10;

    /** Bins before a stop: fewer are no level. */
    private static final int LEAST_BEFORE_STOP = 5;

    /** Bins that the local mean is taken of, to see whether neighbours alternate around it. */
    private static final int ALTERNATION_WINDOW = 9;

    /** Fewer bins may alternate by chance. */
    private static final int LEAST_ALTERNATING = 18;

    /**
     * Correlation of a bin with the next below which they alternate. Around a local mean of nine bins independent ones have
     * -0.13 (1 / 8 of the variance), with a standard error of 0.13 for 60 bins; whole batches or ticks come near -0.5.
     */
    private static final double ALTERNATES = -0.35;

    private static final double STILL_ALTERNATES = -0.2;

    /** Share of the level before a stop that a load after the pause serves where the pause mended it. */
    private static final double BROUGHT_BACK = 0.5;

    /** Standard errors by which a slope down is more than the noise of 95 % of level series. */
    private static final double DECLINE_Z = 1.64;

    /** Percentage of the level from which on dips are looked for: what rises is none. */
    private static final int RISEN = 75;

    /** Bins wider than this are too coarse for times. */
    private static final int MOST_JOINED = 5;

    private final double[] served;
    private final double[] bins;
    private final Measured after;
    private final List<double[]> restarted;
    private final Optional<Peak> better;
    private final AnalysisConfig config;
    private final boolean[] outages;
    private final int risen;
    private final int reached;
    private final Noise noise;
    private final OptionalInt stop;
    private final List<LowSpell> spells;
    private final List<Disturbance> outagesAfterPause;

    private SeriesAnalyser(
            double[] served, Measured after, Optional<Peak> better, AnalysisConfig config, double grain) {
        this.served = served;
        this.after = after;
        this.better = better;
        this.config = config;
        List<double[]> all = new ArrayList<>(List.of(served));
        all.addAll(after.restarted(config));
        List<boolean[]> out = Disturbance.outages(all);
        outages = out.getFirst();
        outagesAfterPause = IntStream.range(1, all.size())
                .mapToObj(i -> Disturbance.of(all.get(i), 0, out.get(i), List.of(), config.binSeconds(), true))
                .flatMap(List::stream)
                .filter(one -> one.kind() == Disturbance.Kind.OUTAGE)
                .toList();
        List<double[]> up = IntStream.range(1, all.size())
                .mapToObj(i -> Ending.without(all.get(i), 0, out.get(i)))
                .toList();
        risen = TimeToPeak.least(TimeToPeak.sums(served, roughLevel(up), RISEN));
        double[] held = Ending.without(served, risen, outages);
        RegularDips dips =
                RegularDips.of(Stream.concat(Stream.of(held), up.stream()).toList());
        bins = Ending.within(served, risen, outages, dips.spread(held));
        List<double[]> level = up.stream().map(dips::spread).toList();
        List<double[]> halves = level.stream()
                .map(load -> Arrays.copyOfRange(load, load.length / 2, load.length))
                .toList();
        reached = TimeToPeak.least(TimeToPeak.sums(bins, roughLevel(halves), TimeToPeak.HEADLINE));
        spells = LowSpell.of(
                withoutOutages(risen),
                risen,
                parts -> Noise.of(Stream.concat(halves.stream(), parts.stream()).toList(), config.binSeconds(), grain),
                config);
        Noise rough = Noise.of(stretches(halves), config.binSeconds(), grain);
        restarted =
                level.stream().map(load -> Peak.settled(load, rough, config)).toList();
        noise = Noise.of(stretches(restarted), config.binSeconds(), grain);
        stop = stopped();
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
        double grain = per > 1 && alternation(first) < ALTERNATES
                ? Descriptive.sampleVariance(first) / Math.pow(per * Math.max(Descriptive.mean(first), 1e-9), 2)
                : 0;
        return new SeriesAnalyser(bins, after, better, own, grain).result(requests);
    }

    /**
     * How many bins are joined: so that one of the usual level holds enough requests, and so that neighbours no longer alternate,
     * as they do where requests complete in batches or a clock is coarser than a bin.
     */
    private static int joined(double[] first, double[] measure, AnalysisConfig config) {
        double[] level = measure.length > 0 ? measure : first;
        // Of a clock or of batches the usual bin may be an empty one.
        double usual = level.length == 0 ? 0 : Math.max(Descriptive.median(level), Descriptive.mean(level) / 2);
        int most = Math.clamp(first.length, 1, MOST_JOINED);
        double requests = usual * config.binSeconds();
        int per = requests <= 0 ? 1 : (int) Math.clamp(Math.ceil(config.minRequests() / requests), 1, most);
        // Once they are known to, less of it is enough to go on.
        for (double enough = ALTERNATES;
                per < most && alternation(Series.joined(first, per)) < enough;
                enough = STILL_ALTERNATES) {
            per++;
        }
        return per;
    }

    /** Correlation of a bin with the next, around what is around both; 0 of too few. */
    private static double alternation(double[] bins) {
        int n = bins.length;
        if (n < LEAST_ALTERNATING) {
            return 0;
        }
        double[] away = new double[n];
        int half = ALTERNATION_WINDOW / 2;
        Arrays.setAll(away, i -> bins[i] - Series.mean(bins, Math.max(0, i - half), Math.min(n, i + half + 1)));
        return Series.lagOne(away);
    }

    /** The reference before anything is known of noise, or the level of the last bins. */
    private double roughLevel(List<double[]> loads) {
        double rough = better.map(Peak::value)
                .orElseGet(() -> served(loads) ? Descriptive.mean(loads.getLast()) : lastLevel());
        return Math.max(rough, 1e-9);
    }

    /** Bins with the level in place of outages, which are told apart. */
    private double[] withoutOutages(int from) {
        double level = from < bins.length ? Series.median(bins, from, bins.length) : 0;
        double[] out = bins.clone();
        for (int i = 0; i < out.length; i++) {
            out[i] = outages[i] ? level : out[i];
        }
        return out;
    }

    private double lastLevel() {
        int least = config.bins(config.end().leastEndBins(), 5);
        return Series.mean(served, served.length - least, served.length);
    }

    /** What is level up to a line: the load after the pause, and what follows the rise, or goes before it. */
    private List<double[]> stretches(List<double[]> loads) {
        int n = bins.length;
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
                split(Series.tamed(Ending.without(bins, begin, outages), cut), out);
            } else {
                LowSpell.parts(bins, begin, later).forEach(part -> out.add(Series.tamed(part, cut)));
            }
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
        Optional<HeldLevel> heldAbovePeak = own.flatMap(
                        peak -> HeldLevel.above(bins, peak.value(), peak.error(), noise, config))
                .filter(held -> held.sure(config));
        Optional<Peak> broken = stop.isPresent() ? beforeStop(own) : Optional.empty();
        Optional<Peak.Absence> absence = broken.isPresent() ? Optional.empty() : absence(own, ending, heldAbovePeak);
        Optional<Peak> peak = broken.or(
                        () -> heldAbovePeak.filter(held -> absence.isEmpty()).map(held -> Peak.of(held, noise, config)))
                .or(() -> absence.isPresent() ? Optional.empty() : own)
                .map(found -> found.lowerBound() ? better.orElse(found) : found)
                .or(() -> better);
        Optional<Estimate> r = peak.map(p -> ending.over(p, noise, config));
        return new SeriesAnalysis(
                bins,
                config.binSeconds(),
                noise,
                own,
                peak,
                peak.map(p -> timesTo(p, r.orElseThrow(), ending)).orElse(List.of()),
                ending.level().value() > 0
                        ? times(bins, ending.level().value(), ending.error(), noise, config)
                        : List.of(),
                Optional.of(ending),
                r,
                peak.isPresent() ? Optional.empty() : absence,
                shape(ending, heldAbovePeak),
                requests,
                peak.map(p -> warmupCost(served, p, noise, config)),
                CooldownJump.of(served, after.afterPause(), noise, config));
    }

    /** Why the load after the pause is no peak, for all that is known of both loads. */
    private Optional<Peak.Absence> absence(Optional<Peak> own, Ending ending, Optional<HeldLevel> heldAbove) {
        if (own.isEmpty()) {
            return Optional.of(Peak.Absence.NOT_MEASURED);
        }
        if (ending.over(own.get(), noise, config).above(1 + config.delta())) {
            return Optional.of(Peak.Absence.SERVED_LESS);
        }
        boolean declines = Peak.change(restarted.getLast(), noise, config) < 0;
        return declines && heldAbove.isEmpty() ? Optional.of(Peak.Absence.DECLINES) : Optional.empty();
    }

    /** What was served before it stopped, unless a pause brought that back. */
    private Optional<Peak> beforeStop(Optional<Peak> own) {
        int to = stop.orElseThrow();
        double[] before = Arrays.copyOf(served, to);
        int from = TimeToPeak.least(TimeToPeak.sums(before, Descriptive.median(before), TimeToPeak.HEADLINE));
        double level = Series.mean(before, Math.min(from, to - 1), to);
        return own.filter(peak -> peak.value() >= BROUGHT_BACK * level).isPresent()
                ? Optional.empty()
                : Optional.of(Peak.held(level, noise.ofMean(to - Math.min(from, to - 1)), noise, config));
    }

    /** The times to a peak. What the end contradicts is not reached, and what follows a stop says nothing. */
    private List<TimeToPeak> timesTo(Peak peak, Estimate r, Ending ending) {
        if (stop.isPresent()) {
            return times(Arrays.copyOf(bins, stop.getAsInt()), peak.value(), peak.error(), noise, config);
        }
        return times(bins, peak.value(), peak.error(), noise, config).stream()
                .map(time -> r.below(time.percent() / 100.0) && time.seconds().orElse(0) >= ending.fromSeconds()
                        ? time.notReached()
                        : time)
                .toList();
    }

    private Shape shape(Ending ending, Optional<HeldLevel> heldAbovePeak) {
        Optional<HeldLevel> held = HeldLevel.above(bins, ending.level().value(), ending.error(), noise, config);
        boolean slowing = held.filter(h -> h.sure(config)).isPresent();
        int half = roughHalf();
        List<Disturbance> disturbances =
                new ArrayList<>(Disturbance.of(served, risen, outages, spells, config.binSeconds(), false));
        disturbances.addAll(outagesAfterPause);
        return new Shape(
                stop.isPresent() ? OptionalDouble.of(stop.getAsInt() * config.binSeconds()) : OptionalDouble.empty(),
                Optional.ofNullable(Cycle.of(served, half, after.last(), config)),
                held.or(() -> heldAbovePeak),
                slowing,
                held.filter(h -> h.doubt(config)).isPresent() || mayDecline(),
                heldAbovePeak.isPresent() && !slowing,
                disturbances);
    }

    /** Whether what follows the rise goes down by more than counts, and by more than noise mostly does. */
    private boolean mayDecline() {
        double[] tail =
                reached >= bins.length || !spells.isEmpty() ? new double[0] : Ending.without(bins, reached, outages);
        if (tail.length < config.bins(config.end().mostEndBins(), 10)) {
            return false;
        }
        double change = Series.slope(tail) * tail.length / Math.max(Descriptive.mean(tail), 1e-9);
        return change < -Math.max(config.delta(), DECLINE_Z * noise.ofSlope(tail.length) * tail.length);
    }

    /** Where the rise to half of the level ended, at most the middle. */
    private int roughHalf() {
        return Math.min(bins.length / 2, TimeToPeak.least(TimeToPeak.sums(bins, roughLevel(restarted), 50)));
    }

    /** The longest end in which each bin served under a tenth of what was usual before it; empty if there is none. */
    private OptionalInt stopped() {
        int n = served.length;
        int since = n;
        double most = 0;
        for (int k = 1; k <= n - LEAST_BEFORE_STOP; k++) {
            most = Math.max(most, served[n - k]);
            double before = Series.median(served, Math.max(0, n - k - NOISE_STRETCH), n - k);
            boolean longEnough = k >= config.bins(config.shape().stoppedBins(), 2);
            boolean missed = before * k * config.binSeconds() > STOP_REQUESTS;
            if (longEnough && missed && most < config.shape().stoppedShare() * before) {
                since = n - k;
            }
        }
        return since == n ? OptionalInt.empty() : OptionalInt.of(since);
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
                peak.isPresent() ? Optional.empty() : Optional.of(Peak.Absence.NOT_MEASURED),
                Shape.NONE,
                requests,
                peak.map(p -> warmupCost(bins, p, noise, config)),
                Optional.empty());
    }

    private static boolean served(List<double[]> loads) {
        return !loads.isEmpty() && Descriptive.sum(loads.getLast()) > 0;
    }

    private static WarmupCost warmupCost(double[] bins, Peak peak, Noise noise, AnalysisConfig config) {
        return WarmupCost.of(bins, config.binSeconds(), peak.value(), noise.reach(config.intervalZ()) * peak.error());
    }

    private static List<TimeToPeak> times(
            double[] bins, double level, double error, Noise noise, AnalysisConfig config) {
        List<TimeToPeak> out = new ArrayList<>();
        for (int percent : TimeToPeak.PERCENTAGES) {
            TimeToPeak time = TimeToPeak.of(bins, level, error, percent, noise, config);
            out.add(out.isEmpty() ? time : time.notBefore(out.getLast()));
        }
        return out;
    }
}
