package dev.kiln.explain.window;

import dev.kiln.model.load.LoadBin;
import dev.kiln.model.run.Provenance;
import dev.kiln.model.run.RunEvidence;
import dev.kiln.model.run.RunInfo;
import dev.kiln.stats.AnalysisConfig;
import dev.kiln.stats.series.SeriesAnalysis;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** BinPolicy says what the bins of evidence are that other programs recorded, and what they leave open. */
public final class BinPolicy {
    /** Of so many operations or more, one more or less does not matter. */
    private static final int EXACT = 1000;

    private BinPolicy() {}

    /** Returns the constants for this run: where rows are bins, a bin has their median length. */
    public static AnalysisConfig config(RunEvidence evidence, AnalysisConfig general) {
        if (!rowsAreBins(evidence)) {
            return general;
        }
        if (totals(evidence.info())) {
            List<LoadBin> tests = evidence.load();
            long nanos = tests.stream()
                    .limit(Math.max(1, tests.size() - 1))
                    .mapToLong(BinPolicy::length)
                    .sum();
            return nanos == 0 ? general : general.withBinSeconds(nanos / 1e9);
        }
        // Iterations of the warm-up may be shorter or longer than those measured.
        String first =
                evidence.load().isEmpty() ? "" : evidence.load().getFirst().phase();
        long[] lengths = evidence.load().stream()
                .filter(bin -> bin.phase().equals(first))
                .mapToLong(BinPolicy::length)
                .sorted()
                .toArray();
        AnalysisConfig own = iterations(evidence.info()) && !rounded(evidence.load()) ? general.timed() : general;
        return lengths.length == 0 ? own : own.withBinSeconds(lengths[lengths.length / 2] / 1e9);
    }

    public static LoadSeries series(String phase, RunEvidence evidence, AnalysisConfig config) {
        List<LoadBin> load = evidence.load();
        if (totals(evidence.info())) {
            double own = load.stream()
                    .filter(bin -> bin.phase().equals(phase))
                    .mapToLong(BinPolicy::length)
                    .sum();
            return LoadSeries.ofRows(phase, load, own / 1e9);
        }
        return rowsAreBins(evidence) ? LoadSeries.ofRows(phase, load, config.binSeconds()) : LoadSeries.of(phase, load);
    }

    private static long length(LoadBin bin) {
        return bin.endNanos() - bin.startNanos();
    }

    /** Tells whether the source kept nothing but the sums of whole tests, from which no verdict comes. */
    public static boolean totals(RunInfo info) {
        return info.provenance().map(Provenance::totals).orElse(false);
    }

    /** Tells whether a bin is an iteration of a benchmark: its operations were timed, however few they are. */
    private static boolean iterations(RunInfo info) {
        return info.provenance()
                .filter(foreign -> foreign.bins().kind() == Provenance.SourceKind.ITERATION)
                .isPresent();
    }

    /** Tells whether iterations count whole operations in the length asked for, as Kiln once wrote them. */
    private static boolean rounded(List<LoadBin> load) {
        boolean few = load.stream().anyMatch(bin -> bin.completed() > 1 && bin.completed() < EXACT);
        return few
                && load.stream().collect(Collectors.groupingBy(LoadBin::phase)).values().stream()
                        .allMatch(rows -> rows.stream()
                                        .mapToLong(BinPolicy::length)
                                        .distinct()
                                        .count()
                                == 1);
    }

    /** Returns loads before a pause as one series; a whole test is one bin, counted by its length. */
    public static double[] beforePause(RunInfo info, List<LoadSeries> loads, AnalysisConfig config) {
        double[] rates = LoadSeries.concatenated(loads);
        if (!totals(info) || rates.length < 2) {
            return rates;
        }
        double requests = loads.stream()
                .mapToDouble(load -> Arrays.stream(load.completed()).sum() * load.binSeconds())
                .sum();
        return new double[] {requests / config.binSeconds()};
    }

    /** Returns the series without its times if only sums of whole tests are known, which show no times. */
    public static SeriesAnalysis known(RunInfo info, SeriesAnalysis series) {
        return totals(info) ? series.withoutTimes() : series;
    }

    /** Tells whether threads were sampled in half of the time or more; Kiln's own evidence always counts. */
    static boolean seen(RunEvidence evidence, long fromNanos, long toNanos) {
        return evidence.info()
                .provenance()
                .map(foreign -> 2 * foreign.seenNanos(fromNanos, toNanos) >= toNanos - fromNanos)
                .orElse(true);
    }

    private static boolean rowsAreBins(RunEvidence evidence) {
        return evidence.info().provenance().map(Provenance::rowIsBin).orElse(false);
    }

    public static String seconds(long nanos) {
        double value = nanos / 1e9;
        return String.format(Locale.ROOT, value == Math.rint(value) ? "%.0f s" : "%.3f s", value);
    }
}
