package dev.kiln.stats.series;

import dev.kiln.stats.AnalysisConfig;
import dev.kiln.stats.Descriptive;
import dev.kiln.stats.Estimate;
import dev.kiln.stats.Series;
import dev.kiln.stats.series.Bins.BinWidth;
import dev.kiln.stats.series.Peak.AfterPause;
import dev.kiln.stats.series.Peak.PeakReference;
import dev.kiln.stats.series.SeriesAnalysis.CooldownJump;
import dev.kiln.stats.series.SeriesAnalysis.MeasuredLoad;
import dev.kiln.stats.series.SeriesAnalysis.ServedRates;
import dev.kiln.stats.series.SeriesAnalysis.Shape;
import dev.kiln.stats.series.SeriesAnalysis.WarmupCost;
import dev.kiln.stats.series.SeriesAnalysis.WayToPeak;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.stream.IntStream;

/** A SeriesAnalyser takes the steps of the analysis of a series, each from those before. */
public final class SeriesAnalyser {
    /** A load after the pause that serves this share of the level before a stop shows that the pause ended the stop. */
    private static final double BROUGHT_BACK = 0.5;

    /** A slope down by this many standard errors is more than the noise of 98 % of level series. */
    private static final double DECLINE_Z = 2;

    private final LoadsRead loads;
    private final double[] bins;
    private final MeasuredLoad after;
    private final Optional<Peak> better;
    private final AnalysisConfig config;
    private final Noise noise;

    private SeriesAnalyser(LoadsRead loads, MeasuredLoad after, Optional<Peak> better, AnalysisConfig config) {
        this.loads = loads;
        this.bins = loads.bins;
        this.after = after;
        this.better = better;
        this.config = config;
        this.noise = loads.noise;
    }

    /** Analyses a series that has no load after a pause. */
    public static SeriesAnalysis analyse(double[] bins, AnalysisConfig config) {
        return analyse(bins, MeasuredLoad.NONE, Optional.empty(), config);
    }

    /**
     * Analyses the series of a run.
     *
     * @param first requests per second from the first request on, in bins of the configured length
     * @param measured the load after the pause
     * @param better a peak that other runs of the variant found, for a run whose own is a lower bound
     */
    public static SeriesAnalysis analyse(
            double[] first, MeasuredLoad measured, Optional<Peak> better, AnalysisConfig config) {
        Series.requireRates(first);
        measured.loads().forEach(Series::requireRates);
        Series.requireRates(measured.afterPause());
        BinWidth width = BinWidth.of(first, measured.last(), config);
        int per = width.joined();
        AnalysisConfig own = per == 1 ? config : config.withBinSeconds(per * config.binSeconds());
        double[] bins = Series.joined(first, per);
        // Of all bins: joining leaves out a rest at the end.
        double requests = Descriptive.sum(first) * config.binSeconds();
        MeasuredLoad after = measured.joined(per);
        if (bins.length < own.bins(own.end().leastEndBins(), 5)) {
            return tooShort(bins, after, better, own, width.few(), requests);
        }
        return new SeriesAnalyser(new LoadsRead(bins, after, better, own, width.grain()), after, better, own)
                .result(width.few(), requests);
    }

    /** Returns a series held against another peak: its times and cost, unless it has no peak or no times. */
    public static SeriesAnalysis against(SeriesAnalysis series, Peak peak, AnalysisConfig config) {
        if (series.peak().isEmpty()) {
            return series;
        }
        AnalysisConfig own = config.withBinSeconds(series.binSeconds());
        OptionalInt stop = series.shape().stoppedSeconds().stream()
                .mapToInt(seconds -> (int) Math.round(seconds / series.binSeconds()))
                .findFirst();
        return series.against(
                peak,
                series.times().isEmpty()
                        ? List.of()
                        : times(series.served().even(), stop, series.ending(), peak, series.noise(), own),
                warmupCost(series.bins(), peak, series.noise(), own));
    }

    private SeriesAnalysis result(boolean few, double requests) {
        Ending ending = Ending.of(bins, loads.reached, loads.outages, loads.sinceFall(), noise, config);
        Optional<Peak> own = LoadsRead.served(loads.standing)
                ? Optional.of(Peak.of(loads.standing, after.bounds(), noise, config))
                : Optional.empty();
        Optional<HeldLevel> abovePeak =
                own.flatMap(peak -> HeldLevel.above(bins, peak.value(), peak.error(), noise, config));
        Optional<HeldLevel> heldAbovePeak = abovePeak.filter(held -> held.sure(config));
        Optional<Peak> broken = loads.stop.isPresent() ? beforeStop(own) : Optional.empty();
        Optional<Peak.Absence> absence = broken.isPresent() ? Optional.empty() : absence(own, ending, heldAbovePeak);
        Optional<Peak> found = broken.or(() -> absence.isPresent()
                ? Optional.empty()
                : heldAbovePeak.map(held -> Peak.of(held, noise, config)).or(() -> own));
        Optional<Peak> peak = orBetter(found, better);
        List<TimeToPeak> times = peak.map(p -> times(bins, loads.stop, Optional.of(ending), p, noise, config))
                .orElse(List.of());
        List<TimeToPeak> ownTimes = ending.level().value() > 0
                ? times(bins, ending.level().value(), ending.error(), noise, config)
                : List.of();
        return new SeriesAnalysis(
                new ServedRates(loads.served, bins, config.binSeconds(), few, requests, noise),
                new PeakReference(own, found, peak, peak.isPresent() ? Optional.empty() : absence),
                new WayToPeak(times, ownTimes, peak.map(p -> warmupCost(loads.served, p, noise, config))),
                Optional.of(ending),
                peak.map(p -> ending.over(p, noise, config)),
                shape(ending, own, abovePeak, heldAbovePeak.isPresent()),
                CooldownJump.of(loads.beforePause, loads.afterPause, noise, loads.grain, config));
    }

    /** Returns why the load after the pause is no peak, by all that is known of both loads; empty where it is one. */
    private Optional<Peak.Absence> absence(Optional<Peak> own, Ending ending, Optional<HeldLevel> heldAbove) {
        if (own.isEmpty()) {
            return Optional.of(Peak.Absence.NOT_MEASURED);
        }
        if (loads.fell()) {
            return Optional.of(Peak.Absence.FELL);
        }
        if (ending.over(own.get(), noise, config).above(1 + config.delta())) {
            return Optional.of(Peak.Absence.SERVED_LESS);
        }
        return declinesAfterPause() && heldAbove.isEmpty() ? Optional.of(Peak.Absence.DECLINES) : Optional.empty();
    }

    private boolean declinesAfterPause() {
        return !loads.restarted.isEmpty() && Peak.change(loads.restarted.getLast(), noise, config) < 0;
    }

    /** Returns what was served before the stop as the peak; empty where the load after the pause served it again. */
    private Optional<Peak> beforeStop(Optional<Peak> own) {
        int to = loads.stop.orElseThrow();
        double[] before = Arrays.copyOf(loads.served, to);
        // More than ten times what followed, so it is not 0.
        double usual = Series.median(before, Math.max(0, to - LoadsRead.BEFORE_STOP), to);
        int from = TimeToPeak.least(TimeToPeak.sums(before, usual, TimeToPeak.HEADLINE));
        double level = Series.mean(before, Math.min(from, to - 1), to);
        return own.filter(peak -> peak.value() >= BROUGHT_BACK * level).isPresent()
                ? Optional.empty()
                : Optional.of(Peak.held(level, noise.ofMean(to - Math.min(from, to - 1)), noise, config));
    }

    /** Returns the times to a peak, without levels that the end contradicts and bins after a stop. */
    private static List<TimeToPeak> times(
            double[] bins, OptionalInt stop, Optional<Ending> ending, Peak peak, Noise noise, AnalysisConfig config) {
        if (stop.isPresent()) {
            return times(Arrays.copyOf(bins, stop.getAsInt()), peak.value(), peak.error(), noise, config);
        }
        List<TimeToPeak> all = times(bins, peak.value(), peak.error(), noise, config);
        if (ending.isEmpty()) {
            return all;
        }
        Estimate r = ending.get().over(peak, noise, config);
        double end = ending.get().fromSeconds();
        return all.stream()
                .map(time ->
                        r.below(time.percent() / 100.0) && time.seconds().orElse(0) >= end ? time.notReached() : time)
                .toList();
    }

    private Shape shape(Ending ending, Optional<Peak> own, Optional<HeldLevel> abovePeak, boolean above) {
        Optional<HeldLevel> held = HeldLevel.above(bins, ending.level().value(), ending.error(), noise, config);
        Optional<HeldLevel> perhaps = own.flatMap(peak -> mayHaveHeld(ending, peak));
        boolean slowing = held.filter(h -> h.sure(config)).isPresent();
        return new Shape(
                loads.stop.isPresent()
                        ? OptionalDouble.of(loads.stop.getAsInt() * config.binSeconds())
                        : OptionalDouble.empty(),
                Optional.ofNullable(Cycle.of(loads.served, loads.half(), after.last(), config)),
                slowing ? held : above ? abovePeak : perhaps,
                slowing,
                perhaps.isPresent() || mayDecline() || declines(ending),
                new AfterPause(above && !slowing, declinesAfterPause(), loads.fell()),
                loads.disturbances);
    }

    /** Returns a level that may have been held above the end, or for much of the load above what was served after the pause. */
    private Optional<HeldLevel> mayHaveHeld(Ending ending, Peak after) {
        int from = (int) Math.round(ending.fromSeconds() / config.binSeconds());
        double[] end = Ending.without(bins, from, loads.outages);
        List<double[]> levels = new ArrayList<>(List.of(end));
        levels.addAll(loads.standing);
        int binsAfter = loads.standing.stream().mapToInt(load -> load.length).sum();
        Function<List<double[]>, Noise> noiseOf = all -> Noise.of(all, config.countedSeconds(), loads.grain);
        return HeldLevel.perhaps(bins, ending.level().value(), end.length, levels, noiseOf, config)
                .filter(held -> held.doubt(config))
                .or(() -> HeldLevel.perhaps(bins, after.level(), binsAfter, levels, noiseOf, config)
                        .filter(held -> held.likely(bins.length * config.binSeconds(), config)));
    }

    /** Tells whether throughput goes down after the rise by more than delta, and by more than noise mostly does. */
    private boolean mayDecline() {
        // An overshoot at the beginning is no decline.
        int from = loads.reached + config.bins(HeldLevel.OVERSHOOT, 3);
        double[] tail = from >= bins.length || !loads.spells.isEmpty()
                ? new double[0]
                : Ending.without(bins, from, loads.outages);
        if (tail.length < config.bins(config.end().mostEndBins(), 10)) {
            return false;
        }
        double change = Series.slope(tail) * tail.length / Math.max(Descriptive.mean(tail), 1e-9);
        return change < -Math.max(config.delta(), DECLINE_Z * noise.ofSlope(tail.length) * tail.length);
    }

    /** Tells whether throughput goes down within the end, as a load after the pause is judged: then its mean is not where it stood. */
    private boolean declines(Ending ending) {
        int from = (int) Math.round(ending.fromSeconds() / config.binSeconds());
        return Peak.change(Ending.without(bins, from, loads.outages), noise, config) < 0;
    }

    /** Analyses a series too short for an end and for noise: its peak and warm-up cost are known still. */
    private static SeriesAnalysis tooShort(
            double[] bins,
            MeasuredLoad measured,
            Optional<Peak> better,
            AnalysisConfig config,
            boolean few,
            double requests) {
        List<double[]> after = measured.restarted(config);
        Noise noise = Noise.of(after, config.countedSeconds());
        List<double[]> standing = Peak.notFallen(after, noise, config);
        boolean fell = !after.isEmpty() && !standing.contains(after.getLast());
        Optional<Peak> own = LoadsRead.served(after) && !fell
                ? Optional.of(Peak.of(standing, measured.bounds(), noise, config))
                : Optional.empty();
        Optional<Peak> peak = orBetter(own, better);
        List<TimeToPeak> times =
                peak.map(p -> times(bins, p.value(), p.error(), noise, config)).orElse(List.of());
        Optional<Peak.Absence> absence =
                peak.isPresent() ? Optional.empty() : Optional.of(fell ? Peak.Absence.FELL : Peak.Absence.NOT_MEASURED);
        return new SeriesAnalysis(
                new ServedRates(bins, bins, config.binSeconds(), few, requests, noise),
                new PeakReference(own, own, peak, absence),
                new WayToPeak(times, List.of(), peak.map(p -> warmupCost(bins, p, noise, config))),
                Optional.empty(),
                Optional.empty(),
                Shape.ofShort(new AfterPause(false, false, fell), fallen(measured, after, standing, config)),
                Optional.empty());
    }

    private static List<Disturbance> fallen(
            MeasuredLoad measured, List<double[]> after, List<double[]> standing, AnalysisConfig config) {
        return IntStream.range(0, after.size())
                .filter(i -> !standing.contains(after.get(i)))
                .mapToObj(i -> Disturbance.ofLoad(
                        after.get(i),
                        measured.loads().get(i).length - after.get(i).length,
                        measured.below() + i + 1,
                        standing,
                        config.binSeconds()))
                .toList();
    }

    /** Returns the peak of other runs in place of one that is a lower bound. */
    private static Optional<Peak> orBetter(Optional<Peak> own, Optional<Peak> better) {
        return own.map(found -> found.lowerBound() ? better.orElse(found) : found);
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
