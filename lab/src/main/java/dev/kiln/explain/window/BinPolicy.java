package dev.kiln.explain.window;

import dev.kiln.model.load.LoadBin;
import dev.kiln.model.run.Provenance;
import dev.kiln.model.run.RunEvidence;
import dev.kiln.model.run.RunInfo;
import dev.kiln.model.run.Verdict;
import dev.kiln.stats.AnalysisConfig;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Evidence that other programs recorded: what its bins are, and what that keeps from being said. */
public final class BinPolicy {
    private BinPolicy() {}

    /** The constants for this run: where rows are bins, a bin is as long as they are in the middle. */
    public static AnalysisConfig config(RunEvidence evidence, AnalysisConfig general) {
        if (!rowsAreBins(evidence)) {
            return general;
        }
        long[] lengths = evidence.load().stream()
                .mapToLong(bin -> bin.endNanos() - bin.startNanos())
                .sorted()
                .toArray();
        return lengths.length == 0 ? general : general.withBinSeconds(lengths[lengths.length / 2] / 1e9);
    }

    public static LoadSeries series(String phase, RunEvidence evidence, AnalysisConfig config) {
        List<LoadBin> load = evidence.load();
        return rowsAreBins(evidence) ? LoadSeries.ofRows(phase, load, config.binSeconds()) : LoadSeries.of(phase, load);
    }

    /** Whether the source sampled threads in at least half of a stretch. */
    static boolean seen(RunEvidence evidence, long fromNanos, long toNanos) {
        return evidence.info()
                .provenance()
                .map(foreign -> 2 * foreign.seenNanos(fromNanos, toNanos) >= toNanos - fromNanos)
                .orElse(true);
    }

    private static boolean rowsAreBins(RunEvidence evidence) {
        return evidence.info().provenance().map(Provenance::rowIsBin).orElse(false);
    }

    /** Of sources that keep nothing from which a verdict could come. */
    public static Optional<Verdict> verdict(RunInfo info, List<String> invalid) {
        boolean totals = info.provenance().filter(Provenance::totals).isPresent();
        return totals && invalid.isEmpty()
                ? Optional.of(new Verdict.CannotTell(
                        "only the totals of the whole test were kept", "a file with the requests of each second"))
                : Optional.empty();
    }

    public static String seconds(long nanos) {
        double value = nanos / 1e9;
        return String.format(Locale.ROOT, value == Math.rint(value) ? "%.0f s" : "%.3f s", value);
    }
}
