package dev.kiln.stats;

import java.util.List;
import java.util.OptionalDouble;

/**
 * From a series of requests per second to its segments, class, peak, time to peak and warm-up deficit. Classes: Barrett et
 * al. (OOPSLA 2017), judged by relative differences of medians; their mean-and-variance test mixes units and would call
 * everything flat on requests per second.
 */
public final class SeriesAnalyzer {
    /** Of the peak, for the times to it. */
    public static final List<Integer> PERCENTAGES = List.of(50, 90, 95, 99);

    private SeriesAnalyzer() {}

    /** A phase under load from the first request on, against its own peak. */
    public static SeriesAnalysis warmup(double[] bins, AnalysisConfig config) {
        return analyse(bins, config, config.minBins(), config.minTailBins(), OptionalDouble.empty());
    }

    /** The phase after the pause; shorter ones are accepted, and the minimum of bins does not apply. */
    public static SeriesAnalysis measuring(double[] bins, AnalysisConfig config) {
        int minTail = config.measuringMinTail(bins.length);
        return analyse(bins, config, minTail, minTail, OptionalDouble.empty());
    }

    /** As {@link #warmup}, with times and deficit against a peak found elsewhere, in requests per second. */
    public static SeriesAnalysis againstReference(double[] bins, double referencePeak, AnalysisConfig config) {
        Checks.positive("referencePeak", referencePeak);
        return analyse(bins, config, config.minBins(), config.minTailBins(), OptionalDouble.of(referencePeak));
    }

    /** Where a whole phase is going, its beginning included; level where it is too short to tell. */
    public static Trend trend(double[] bins, AnalysisConfig config) {
        return bins.length < config.trendBlocks()
                ? Trend.LEVEL
                : TailTrend.of(bins, config).trend();
    }

    private static SeriesAnalysis analyse(
            double[] bins, AnalysisConfig config, int minBins, int minTail, OptionalDouble reference) {
        Series.requireRates(bins);
        double requests = Descriptive.sum(bins) * config.binSeconds();
        if (bins.length < minBins) {
            int missing = minBins - bins.length;
            String why = "needs " + Figures.number(missing * config.binSeconds()) + " more seconds: " + bins.length
                    + " bins of " + minBins;
            return new NotEnoughData(bins.length, missing, requests, why);
        }
        Segments segments = Segments.of(bins, config);
        Tail tail = Tail.of(bins, segments.masked(), config.tailBins(bins.length, minTail), config);
        SteadyState state = SteadyState.of(bins.length, segments, tail, config);
        OptionalDouble peak = reference;
        if (peak.isEmpty() && state.steady() && tail.mean() > 0) {
            peak = OptionalDouble.of(tail.mean());
        }
        AgainstPeak against = AgainstPeak.of(bins, peak, tail.cv(), config);
        List<Warning> warnings = SeriesWarnings.of(bins, segments, tail, state, reference, config);
        return assemble(bins.length, minTail, requests, segments, tail, state, peak, against, warnings);
    }

    private static Analysed assemble(
            int bins,
            int minTail,
            double requests,
            Segments segments,
            Tail tail,
            SteadyState state,
            OptionalDouble peak,
            AgainstPeak against,
            List<Warning> warnings) {
        return new Analysed(
                bins,
                tail.bins(),
                segments.masked(),
                segments.partition().changepoints(),
                segments.partition().objective(),
                segments.levels(),
                tail.level(),
                state.steady(),
                state.startSeconds(),
                state.steadyClass(),
                state.subLabel(),
                tail.mean(),
                peak,
                tail.cv(),
                tail.trend().growth(),
                tail.trend().p(),
                tail.trend().trend(),
                state.reversals(),
                against.times(),
                requests,
                against.deficitRequests(),
                against.deficitSeconds(),
                against.efficiency(),
                minTail,
                warnings);
    }
}
