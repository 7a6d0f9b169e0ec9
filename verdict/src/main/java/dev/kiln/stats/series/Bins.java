package dev.kiln.stats.series;

import dev.kiln.stats.AnalysisConfig;
import dev.kiln.stats.Descriptive;
import dev.kiln.stats.Figures;
import dev.kiln.stats.Series;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/** Bins finds out which of the bins that are analysed can be trusted; {@link BinWidth} is how wide they are. */
public final class Bins {
    /** A share that is above what is accepted by less than this is rounding: rows of any length have one rule. */
    private static final double ROUNDING = 1e-9;

    private Bins() {}

    /** A Validity lists the bins in which the generator stalled, or with more errors than accepted. */
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

        /** Returns why the run is invalid, with the times in seconds that the report names; none if it is valid. */
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
            if (errors[i] > (1 + ROUNDING) * config.validity().maxErrorShare() * (completed[i] + errors[i])) {
                erroneous.add(i);
            }
        }
        return new Validity(completed.length, stalls, erroneous);
    }

    /**
     * A BinWidth says how wide bins are for a series to be analysed: so that one of the usual level holds enough requests,
     * and so that neighbours do not alternate, as they do where requests complete in batches or a clock is coarser than a
     * bin.
     *
     * @param joined bins that make one
     * @param few one bin fewer would hold too few requests; else neighbours alternate, where bins are joined
     * @param grain most variance that whole batches or ticks give a joined bin, relative; 0 where neighbours did not alternate
     */
    record BinWidth(int joined, boolean few, double grain) {
        /** A joined bin has at most this many bins: wider ones are too coarse for times. */
        private static final int MOST_JOINED = 5;

        /** The local mean, around which neighbours may alternate, is that of this many bins. */
        private static final int WINDOW = 9;

        /** The load after the pause keeps at least this many bins: fewer are no level. */
        private static final int LEAST_LEVEL = 5;

        /** Alternation is judged from this many bins on: fewer may alternate by chance. */
        private static final int LEAST_BINS = 18;

        /**
         * Bins alternate where the correlation of a bin with the next is below this value. Around a local mean of nine bins
         * independent ones have -0.13 (1 / 8 of the variance), with a standard error of 0.13 for 60 bins; whole batches or
         * ticks come near -0.5.
         */
        private static final double ALTERNATES = -0.35;

        /** A weaker correlation is enough to go on joining bins that are known to alternate. */
        private static final double STILL_ALTERNATES = -0.2;

        /** Next to nothing is served in a bin of less than this share of the mean. */
        private static final double EMPTY = 0.1;

        /** A batch has this many bins at most, on the whole: what lasts longer is a level, of which there may be two. */
        private static final double SHORT = 1.5;

        /** Batches are regular from this many on. */
        private static final int LEAST_BATCHES = 4;

        /** Returns the width for a first load and a load after the pause, both in requests per second. */
        static BinWidth of(double[] first, double[] measure, AnalysisConfig config) {
            double[] level = measure.length > 0 ? measure : first;
            // Of a clock or of batches the usual bin may be an empty one.
            double usual = level.length == 0 ? 0 : Math.max(Descriptive.median(level), Descriptive.mean(level) / 2);
            int shorter = measure.length == 0 ? first.length : Math.min(first.length, measure.length / LEAST_LEVEL);
            int most = Math.clamp(shorter, 1, MOST_JOINED);
            double requests = usual * config.binSeconds();
            int enoughRequests =
                    requests <= 0 ? 1 : (int) Math.clamp(Math.ceil(config.minRequests() / requests), 1, most);
            int batch = batch(first, config.minRequests() / config.binSeconds());
            int per = Math.clamp(Math.max(enoughRequests, batch), 1, most);
            double enough = batch > 1 ? STILL_ALTERNATES : ALTERNATES;
            while (per < most && alternation(Series.joined(first, per)) < enough) {
                per++;
                enough = STILL_ALTERNATES;
            }
            double mean = first.length == 0 ? 0 : Descriptive.mean(first);
            boolean grained = per > 1 && mean > 0 && (batch > 1 || alternation(first) < ALTERNATES);
            return new BinWidth(
                    per,
                    per > 1 && per == enoughRequests,
                    grained ? Descriptive.sampleVariance(first) / Math.pow(per * mean, 2) : 0);
        }

        /**
         * Returns how many bins it is from one batch to the next; 1 where requests do not complete in batches. Behind a bin with next to
         * nothing a batch begins; an outage or a late start has such bins too, and does not recur.
         *
         * @param least requests per second of a bin with a batch: few requests leave bins empty by chance
         */
        private static int batch(double[] bins, double least) {
            double[] second = Arrays.copyOfRange(bins, bins.length / 2, bins.length);
            double low = second.length == 0 ? 0 : EMPTY * Descriptive.mean(second);
            int[] begins = IntStream.range(1, second.length)
                    .filter(i -> second[i] > low && second[i - 1] <= low)
                    .toArray();
            long full = Arrays.stream(second).filter(bin -> bin > low).count();
            if (begins.length < LEAST_BATCHES
                    || 3 * full > 2L * second.length
                    || full > SHORT * begins.length
                    || Descriptive.sum(second) < least * full) {
                return 1;
            }
            double[] steps = IntStream.range(1, begins.length)
                    .mapToDouble(i -> begins[i] - begins[i - 1])
                    .toArray();
            int usual = (int) Math.round(Descriptive.median(steps));
            long regular = Arrays.stream(steps)
                    .filter(step -> Math.abs(step - usual) <= 1)
                    .count();
            return 2 * regular > steps.length ? usual : 1;
        }

        /** Returns the correlation of a bin with the next, around their local means; 0 for too few bins. */
        private static double alternation(double[] bins) {
            int n = bins.length;
            if (n < LEAST_BINS) {
                return 0;
            }
            double[] away = new double[n];
            int half = WINDOW / 2;
            Arrays.setAll(away, i -> bins[i] - Series.mean(bins, Math.max(0, i - half), Math.min(n, i + half + 1)));
            return Series.lagOne(away);
        }
    }
}
