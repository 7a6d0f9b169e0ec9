package dev.kiln.stats.series;

import dev.kiln.model.experiment.FoundReference;
import dev.kiln.stats.AnalysisConfig;
import dev.kiln.stats.Descriptive;
import dev.kiln.stats.Estimate;
import dev.kiln.stats.Series;
import dev.kiln.stats.series.Peak.PeakReference;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * A SeriesAnalysis is what a load series shows: how high the peak is, when it was reached, whether it was still there
 * at the end, each with its interval. Rates are requests per second, times seconds from the first bin.
 *
 * @param ending empty where there are too few bins
 * @param endOverPeak the level of the end over the peak
 */
public record SeriesAnalysis(
        ServedRates served,
        PeakReference reference,
        WayToPeak way,
        Optional<Ending> ending,
        Optional<Estimate> endOverPeak,
        Shape shape,
        Optional<CooldownJump> jump) {
    /** Two periods of this many seconds at one level, within a tenth, end a load that waits for a steady throughput. */
    private static final double LEVEL_SECONDS = 30;

    private static final double LEVEL_CHANGE = 0.1;

    /**
     * ServedRates are what the first load served.
     *
     * @param bins requests per second; joined where few requests were served
     * @param even the same with what regular dips cost spread over the time between them: what levels and times are read from
     * @param binSeconds length of a bin as it was analysed
     * @param few a bin that is one shorter would have held too few requests; where bins were joined, and this is false, they alternate
     * @param noise of no bins where there are too few
     */
    public record ServedRates(
            double[] bins, double[] even, double binSeconds, boolean few, double requests, Noise noise) {}

    /** A WayToPeak says when levels of the peak, and of the own end, were reached, and what that cost. */
    public record WayToPeak(List<TimeToPeak> times, List<TimeToPeak> ownTimes, Optional<WarmupCost> cost) {
        public WayToPeak {
            times = List.copyOf(times);
            ownTimes = List.copyOf(ownTimes);
        }
    }

    /**
     * A Shape has all that is not a rise to a level.
     *
     * @param stoppedSeconds from which on almost nothing was served; empty where something was
     * @param cycle empty where there is none, and none is likely
     * @param held a level above that of the end, by its interval or perhaps; empty where there is none
     * @param slowing the level was held, for certain
     * @param slowingDoubt it may well have been, or throughput may go down
     */
    public record Shape(
            OptionalDouble stoppedSeconds,
            Optional<Cycle> cycle,
            Optional<HeldLevel> held,
            boolean slowing,
            boolean slowingDoubt,
            Peak.AfterPause afterPause,
            List<Disturbance> disturbances) {
        public Shape {
            disturbances = List.copyOf(disturbances);
        }

        /** Makes the shape of a load that is too short for anything but what came after its pause. */
        static Shape ofShort(Peak.AfterPause afterPause, List<Disturbance> disturbances) {
            return new Shape(
                    OptionalDouble.empty(), Optional.empty(), Optional.empty(), false, false, afterPause, disturbances);
        }
    }

    /**
     * MeasuredLoad is the load after the pause, in requests per second; of several rounds of pause and load those that
     * stood at the peak.
     *
     * @param afterPause the first of all rounds
     * @param below how many rounds there were before those at the peak
     * @param loads those at the peak, to the last of all; empty where there is none
     * @param bounds why the peak may be higher than the last served
     */
    public record MeasuredLoad(double[] afterPause, int below, List<double[]> loads, List<Peak.PeakBound> bounds) {
        public static final MeasuredLoad NONE = new MeasuredLoad(new double[0], List.of(), List.of());

        public MeasuredLoad {
            loads = List.copyOf(loads);
            bounds = List.copyOf(bounds);
        }

        /** Makes the measurement of loads of which all stood at the peak. */
        public MeasuredLoad(double[] afterPause, List<double[]> loads, List<Peak.PeakBound> bounds) {
            this(afterPause, 0, loads, bounds);
        }

        /** Makes the measurement of one load, or of none if there are no bins. */
        public MeasuredLoad(double[] bins, List<Peak.PeakBound> bounds) {
            this(bins, bins.length == 0 ? List.of() : List.of(bins), bounds);
        }

        /** Makes the measurement of a search from those of its rounds that stood at the peak. */
        public static MeasuredLoad atPeak(List<double[]> rounds, AnalysisConfig config) {
            int first = FoundReference.firstAtPeak(Peak.levels(rounds, config));
            return new MeasuredLoad(rounds.getFirst(), first, rounds.subList(first, rounds.size()), List.of());
        }

        double[] last() {
            return loads.isEmpty() ? new double[0] : loads.getLast();
        }

        MeasuredLoad joined(int per) {
            return new MeasuredLoad(
                    Series.joined(afterPause, per),
                    below,
                    loads.stream().map(load -> Series.joined(load, per)).toList(),
                    bounds);
        }

        /** Returns each load without its restart. */
        List<double[]> restarted(AnalysisConfig config) {
            return loads.stream().map(load -> Peak.restarted(load, config)).toList();
        }
    }

    /** Returns the same analysis for a protocol without a pause, which is why the series has no peak. */
    public SeriesAnalysis withoutPause() {
        Optional<Peak.Absence> why = absence().map(absence -> absence.judged() ? absence : Peak.Absence.NO_PAUSE);
        return with(new PeakReference(measured(), reference.own(), peak(), why), way);
    }

    /** Returns the same analysis without times, for whole tests: nothing shows when within them a level was reached. */
    public SeriesAnalysis withoutTimes() {
        return with(reference, new WayToPeak(List.of(), List.of(), warmupCost()));
    }

    /** Returns the same without times and warm-up cost, for a service whose warm-up was not seen. */
    public SeriesAnalysis withoutWarmup() {
        return with(reference, new WayToPeak(List.of(), List.of(), Optional.empty()));
    }

    SeriesAnalysis against(Peak other, List<TimeToPeak> timesToIt, WarmupCost cost) {
        return with(
                new PeakReference(measured(), reference.own(), Optional.of(other), absence()),
                new WayToPeak(timesToIt, ownTimes(), Optional.of(cost)));
    }

    private SeriesAnalysis with(PeakReference other, WayToPeak wayToIt) {
        return new SeriesAnalysis(served, other, wayToIt, ending, endOverPeak, shape, jump);
    }

    public double[] bins() {
        return served.bins;
    }

    public double binSeconds() {
        return served.binSeconds;
    }

    public Noise noise() {
        return served.noise;
    }

    public Optional<Peak> measured() {
        return reference.measured();
    }

    public Optional<Peak> peak() {
        return reference.peak();
    }

    public Optional<Peak.Absence> absence() {
        return reference.absence();
    }

    public List<TimeToPeak> times() {
        return way.times();
    }

    public List<TimeToPeak> ownTimes() {
        return way.ownTimes();
    }

    public Optional<WarmupCost> warmupCost() {
        return way.cost();
    }

    /** Returns why a series without a peak has none, in words. */
    public String whyNoPeak() {
        return absence().orElse(Peak.Absence.NOT_MEASURED).text();
    }

    /** Tells whether the last load after a pause surely served less than one before it, by over a fifth, so that it is no reference. */
    public boolean fell() {
        return shape.afterPause().fell();
    }

    /** Tells whether the load before the pause shows that what was served after it is no peak: it served more, or held more. */
    public boolean servedLess() {
        boolean above = measured().isPresent()
                && reference.own().isPresent()
                && !reference.own().equals(measured());
        return above || absence().filter(Peak.Absence.SERVED_LESS::equals).isPresent();
    }

    /** Returns the time to one of {@link TimeToPeak#PERCENTAGES} of the peak; empty without a peak. */
    public Optional<TimeToPeak> time(int percent) {
        return times().stream().filter(time -> time.percent() == percent).findFirst();
    }

    /**
     * Tells whether throughput is level at the end: the mean of the last half a minute over that of the half before is
     * within a tenth of one, by its interval, and nothing else speaks against it. What "until-steady" waits for.
     */
    public boolean level(AnalysisConfig config) {
        double[] bins = served.bins;
        int half = Math.min((int) (LEVEL_SECONDS / binSeconds()), bins.length / 2);
        if (ending.isEmpty() || half < config.bins(config.end().leastEndBins(), 5)) {
            return false;
        }
        int n = bins.length;
        double before = Series.mean(bins, n - 2 * half, n - half);
        double after = Series.mean(bins, n - half, n);
        double reach = noise().reach(config.end().endZ()) * Math.sqrt(2) * noise().ofMean(half);
        boolean other = shape.stoppedSeconds().isPresent() || shape.cycle().isPresent() || shape.slowing();
        return before > 0 && !other && Math.abs(Math.log(after / before)) + reach < LEVEL_CHANGE;
    }

    /** Returns the length of the series, in seconds. */
    public double seconds() {
        return bins().length * binSeconds();
    }

    /**
     * A CooldownJump compares throughput after the pause with that before it. What grows while no request is served was
     * not held back by the load.
     *
     * @param before mean of the last warm-up bins, requests per second
     * @param after mean of the first measuring bins but the very first, which is the connections' restart
     * @param ratio after / before
     */
    public record CooldownJump(double before, double after, Estimate ratio) {
        /** Compares two phases; empty if one is short or unserved; grain is what batches add to a bin's variance. */
        public static Optional<CooldownJump> of(
                double[] warmup, double[] measure, Noise noise, double grain, AnalysisConfig config) {
            int span = config.bins(config.jump().jumpBins(), 3);
            int skip = config.jump().jumpSkipBins();
            if (warmup.length < span || measure.length < skip + span) {
                return Optional.empty();
            }
            double before = Series.mean(warmup, warmup.length - span, warmup.length);
            double after = Series.mean(measure, skip, skip + span);
            double error = Math.hypot(noise.ofMean(span), Math.sqrt(grain) / span);
            double reach = noise.reach(config.intervalZ()) * Math.sqrt(2) * error;
            return before == 0
                    ? Optional.empty()
                    : Optional.of(new CooldownJump(before, after, Estimate.ofRelative(after / before, reach)));
        }
    }

    /**
     * A WarmupCost is what warm-up cost over the horizon that is the length of the series. Nothing is left out: a dip
     * is real loss.
     *
     * @param requests served
     * @param lost requests that a service at its peak from the first bin would have served more; negative if the series lies
     *     above the peak on average
     * @param seconds the same as seconds at the peak
     * @param efficiency requests served as a share of those at the peak
     */
    public record WarmupCost(double requests, Estimate lost, Estimate seconds, double efficiency) {
        /** Computes a series' cost: bins of w seconds and peak in requests per second, reach half its interval. */
        public static WarmupCost of(double[] bins, double w, double peak, double reach) {
            double requests = Descriptive.sum(bins) * w;
            double possible = peak * bins.length * w;
            double lost = possible - requests;
            return new WarmupCost(
                    requests,
                    Estimate.ofDifference(lost, reach * possible),
                    Estimate.ofDifference(lost / peak, reach * requests / peak),
                    bins.length == 0 ? 1 : requests / possible);
        }
    }
}
