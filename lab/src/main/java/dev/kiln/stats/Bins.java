package dev.kiln.stats;

import java.util.ArrayList;
import java.util.List;

/** From recorded slices to the bins that are analysed. */
public final class Bins {
    private Bins() {}

    /**
     * Joins {@code per} slices to a bin and drops what is left at the end: a partial bin reads as a collapse.
     *
     * @param counts requests completed in each slice
     * @param sliceSeconds length of a slice
     * @return requests per second
     */
    public static double[] rates(double[] counts, double sliceSeconds, int per) {
        Series.requireRates(counts);
        Checks.positive("sliceSeconds", sliceSeconds);
        Checks.atLeast("per", per, 1);
        double[] out = new double[counts.length / per];
        double seconds = sliceSeconds * per;
        for (int i = 0; i < out.length; i++) {
            double sum = 0;
            for (int k = i * per; k < (i + 1) * per; k++) {
                sum += counts[k];
            }
            out[i] = sum / seconds;
        }
        return out;
    }

    /** 100 ms counts to requests per second in 1 s bins. */
    public static double[] seconds(double[] counts) {
        return rates(counts, 0.1, 10);
    }

    /**
     * Which bins cannot be trusted.
     *
     * @param stalled bins in which the generator stalled
     * @param erroneous bins with more errors than accepted
     */
    public record Validity(int bins, List<Integer> stalled, List<Integer> erroneous) {
        public Validity {
            stalled = List.copyOf(stalled);
            erroneous = List.copyOf(erroneous);
        }

        /** Ascending, each bin once. */
        public List<Integer> invalid() {
            List<Integer> all = new ArrayList<>(stalled);
            erroneous.stream().filter(b -> !stalled.contains(b)).forEach(all::add);
            return all.stream().sorted().toList();
        }

        /**
         * Reasons why the run is invalid; none if it is valid.
         *
         * @param reportedSeconds times that the report names, from the first bin
         */
        public List<Warning> reasons(List<Double> reportedSeconds, AnalysisConfig config) {
            List<Integer> invalid = invalid();
            List<Warning> out = new ArrayList<>();
            if (invalid.size() > config.validity().maxInvalidShare() * bins) {
                out.add(reason(Figures.percent((double) invalid.size() / bins) + " of the bins are invalid, more than "
                        + Figures.percent(config.validity().maxInvalidShare())));
            }
            for (double t : reportedSeconds) {
                List<Integer> close = invalid.stream()
                        .filter(b -> distance(b, t, config) <= config.validity().invalidReachSeconds())
                        .toList();
                if (!close.isEmpty()) {
                    out.add(reason("invalid bins " + close + " within "
                            + Figures.number(config.validity().invalidReachSeconds()) + " s of the reported time "
                            + Figures.number(t) + " s"));
                }
            }
            return out;
        }

        /** From a time to the nearest moment of a bin, in seconds. */
        private static double distance(int bin, double t, AnalysisConfig config) {
            double start = bin * config.binSeconds();
            return Math.max(0, Math.max(start - t, t - start - config.binSeconds()));
        }

        private static Warning reason(String text) {
            return new Warning(Warning.Code.INVALID_BINS, text);
        }
    }

    /**
     * Sorts out the bins of a run.
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
