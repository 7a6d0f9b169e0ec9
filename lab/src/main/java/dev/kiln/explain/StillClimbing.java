package dev.kiln.explain;

import dev.kiln.stats.AnalysisConfig;
import dev.kiln.stats.SeriesAnalyzer;
import dev.kiln.stats.Trend;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** A measuring phase in which throughput rose from its beginning to its end: its mean is no peak, level as its tail may be. */
final class StillClimbing {
    private StillClimbing() {}

    static boolean is(double[] measure, AnalysisConfig config) {
        return SeriesAnalyzer.trend(measure, config) == Trend.CLIMBING;
    }

    /** The run's notes, and by how much it climbed. */
    static List<String> notes(RunDigest digest) {
        double[] bins = digest.measure();
        if (!is(bins, digest.config())) {
            return digest.notes();
        }
        int third = Math.max(1, bins.length / 3);
        List<String> notes = new ArrayList<>(digest.notes());
        notes.add(String.format(
                Locale.ROOT,
                "still climbing in the load after the pause: from %,.0f req/s in its first third to %,.0f in its last",
                mean(Arrays.copyOf(bins, third)),
                mean(Arrays.copyOfRange(bins, bins.length - third, bins.length))));
        return notes;
    }

    private static double mean(double[] bins) {
        return Arrays.stream(bins).average().orElse(0);
    }
}
