package dev.kiln.stats;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;

/** What must be said beside the analysis of a series. */
final class SeriesWarnings {
    private SeriesWarnings() {}

    static List<Warning> of(
            double[] bins,
            Segments segments,
            Tail tail,
            SteadyState state,
            OptionalDouble reference,
            AnalysisConfig config) {
        List<Warning> out = new ArrayList<>();
        int masked = segments.masked().size();
        if (masked > 0) {
            out.add(new Warning(
                    Warning.Code.DIPS_MASKED,
                    masked + " bins masked as dips for segments and levels, not for the deficit"));
        }
        if (tail.bins() < config.minTailBins()) {
            out.add(new Warning(
                    Warning.Code.SHORT_TAIL,
                    "the tail has " + tail.bins() + " bins, fewer than the " + config.minTailBins() + " of a warm-up"));
        }
        if (tail.mean() == 0) {
            out.add(new Warning(Warning.Code.NO_THROUGHPUT, "nothing was served in the tail, so there is no peak"));
        }
        if (state.steady()) {
            disturbances(bins, state.start(), config, out);
            reference.ifPresent(peak -> below(tail.mean(), peak, config, out));
        }
        return out;
    }

    private static void below(double own, double peak, AnalysisConfig config, List<Warning> out) {
        if (own < (1 - config.delta()) * peak) {
            out.add(new Warning(
                    Warning.Code.PLATEAU_BELOW_REFERENCE,
                    "plateau below reference: " + Figures.number(own) + " of " + Figures.number(peak) + " req/s"));
        }
    }

    /**
     * Runs of any length, judged as dips are but against the steady state as a whole: against a window of 21 bins a dip of
     * three would hide itself.
     */
    private static void disturbances(double[] bins, int start, AnalysisConfig config, List<Warning> out) {
        double[] sorted = Arrays.copyOfRange(bins, start, bins.length);
        Arrays.sort(sorted);
        double median = Descriptive.sortedQuantile(sorted, 0.5);
        double reach = config.dipFactor()
                * (Descriptive.sortedQuantile(sorted, 0.9) - Descriptive.sortedQuantile(sorted, 0.1));
        List<String> seconds = new ArrayList<>();
        for (int i = start; i < bins.length; i++) {
            if (Math.abs(bins[i] - median) > reach) {
                seconds.add(Figures.number(i * config.binSeconds()));
            }
        }
        if (!seconds.isEmpty()) {
            out.add(new Warning(
                    Warning.Code.DISTURBANCES,
                    "disturbances in the steady state at second " + String.join(", ", seconds)));
        }
    }
}
