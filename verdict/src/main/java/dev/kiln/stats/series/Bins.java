package dev.kiln.stats.series;

import dev.kiln.stats.AnalysisConfig;
import dev.kiln.stats.Figures;
import dev.kiln.stats.Series;
import java.util.ArrayList;
import java.util.List;

/** Bins finds out which of the bins that are analysed can be trusted. */
public final class Bins {
    private Bins() {}

    /**
     * A Validity lists the bins that cannot be trusted, and judges the run by them.
     *
     * @param stalled bins in which the generator stalled
     * @param erroneous bins with more errors than accepted
     */
    public record Validity(int bins, List<Integer> stalled, List<Integer> erroneous) {
        public Validity {
            stalled = List.copyOf(stalled);
            erroneous = List.copyOf(erroneous);
        }

        /** Returns the invalid bins in ascending order, each once. */
        public List<Integer> invalid() {
            List<Integer> all = new ArrayList<>(stalled);
            erroneous.stream().filter(b -> !stalled.contains(b)).forEach(all::add);
            return all.stream().sorted().toList();
        }

        /**
         * Returns the reasons why the run is invalid; none if it is valid.
         *
         * @param reportedSeconds times that the report names, from the first bin
         */
        public List<String> reasons(List<Double> reportedSeconds, AnalysisConfig config) {
            List<Integer> invalid = invalid();
            List<String> out = new ArrayList<>();
            if (invalid.size() > config.validity().maxInvalidShare() * bins) {
                out.add(Figures.percent((double) invalid.size() / bins) + " of the bins are invalid, more than "
                        + Figures.percent(config.validity().maxInvalidShare()));
            }
            for (double t : reportedSeconds) {
                List<Integer> close = invalid.stream()
                        .filter(b -> distance(b, t, config) <= config.validity().invalidReachSeconds())
                        .toList();
                if (!close.isEmpty()) {
                    out.add("invalid bins " + close + " within "
                            + Figures.number(config.validity().invalidReachSeconds()) + " s of the reported time "
                            + Figures.number(t) + " s");
                }
            }
            return out;
        }

        /** Returns the distance from a time to the nearest moment of a bin, in seconds. */
        private static double distance(int bin, double t, AnalysisConfig config) {
            double start = bin * config.binSeconds();
            return Math.max(0, Math.max(start - t, t - start - config.binSeconds()));
        }
    }

    /**
     * Finds the bins of a run in which the generator stalled, and those with too many errors.
     *
     * @param completed successful requests of each bin
     * @param errors failed requests of each bin
     * @param stalled whether the generator stalled in it
     */
    public static Validity validity(double[] completed, double[] errors, boolean[] stalled, AnalysisConfig config) {
        Series.requireRates(completed);
        Series.requireRates(errors);
        if (completed.length != errors.length || completed.length != stalled.length) {
            throw new IllegalArgumentException("bins differ in number: " + completed.length + " completed, "
                    + errors.length + " errors, " + stalled.length + " stalled");
        }
        List<Integer> stalls = new ArrayList<>();
        List<Integer> erroneous = new ArrayList<>();
        for (int i = 0; i < completed.length; i++) {
            if (stalled[i]) {
                stalls.add(i);
            }
            if (errors[i] > config.validity().maxErrorShare() * (completed[i] + errors[i])) {
                erroneous.add(i);
            }
        }
        return new Validity(completed.length, stalls, erroneous);
    }
}
