package dev.kiln.stats;

import java.util.Arrays;

/** Finds short dips (and spikes), such as garbage collections, that must not pass for a change of level. */
final class DipMask {
    private DipMask() {}

    /** For each bin, whether it is masked. */
    static boolean[] of(double[] bins, AnalysisConfig config) {
        boolean[] masked = outlying(bins, config);
        int start = 0;
        while (start < masked.length) {
            int end = start;
            while (end < masked.length && masked[end]) {
                end++;
            }
            if (end - start > config.dipMaxRunBins()) {
                Arrays.fill(masked, start, end, false);
            }
            start = end + 1;
        }
        return masked;
    }

    private static boolean[] outlying(double[] bins, AnalysisConfig config) {
        boolean[] out = new boolean[bins.length];
        for (int i = 0; i < bins.length; i++) {
            double[] window = Series.window(bins, i, config.dipWindowBins());
            Arrays.sort(window);
            double spread = Descriptive.sortedQuantile(window, 0.9) - Descriptive.sortedQuantile(window, 0.1);
            double median = Descriptive.sortedQuantile(window, 0.5);
            out[i] = Math.abs(bins[i] - median) > config.dipFactor() * spread;
        }
        return out;
    }
}
