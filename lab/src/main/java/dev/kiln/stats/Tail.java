package dev.kiln.stats;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * The last W bins.
 *
 * @param bins W, dips included
 * @param level median without dips
 * @param mean without dips
 * @param cv population standard deviation over mean, without dips; 0 if nothing was served
 */
record Tail(int bins, double level, double mean, double cv, TailTrend trend) {
    static Tail of(double[] series, List<Integer> masked, int w, AnalysisConfig config) {
        int from = series.length - w;
        Set<Integer> left = new HashSet<>(masked);
        double[] unmasked = IntStream.range(from, series.length)
                .filter(i -> !left.contains(i))
                .mapToDouble(i -> series[i])
                .toArray();
        double mean = Descriptive.mean(unmasked);
        double cv = mean == 0 ? 0 : Descriptive.populationSd(unmasked) / mean;
        double[] whole = Arrays.copyOfRange(series, from, series.length);
        return new Tail(w, Descriptive.median(unmasked), mean, cv, TailTrend.of(whole, config));
    }
}
