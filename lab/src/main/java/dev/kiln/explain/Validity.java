package dev.kiln.explain;

import dev.kiln.model.RunInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/** Whether a peak may be read from a run. Thresholds stand here with their source. */
final class Validity {
    /** A bin with more errors than this share of its requests is invalid (analysis specification, section 1). */
    static final double MAX_ERROR_SHARE = 0.01;

    /** More invalid bins than this share make a run invalid (analysis specification, section 1). */
    static final double MAX_INVALID_BINS = 0.02;

    /** A generator this late has lost a fifth of a bin; on a CPU shared with a database tens of ms are normal. */
    static final long MAX_LAG_NANOS = 200_000_000L;

    /** A CPU this busy has no room for more requests: what is measured is then the lab, not the target. */
    static final double LAB_SATURATED = 0.95;

    private Validity() {}

    static List<String> reasons(RunInfo info, List<LoadSeries> phases, OptionalDouble labBusy) {
        List<String> reasons = new ArrayList<>();
        outcome(info, reasons);
        int bins = phases.stream().mapToInt(LoadSeries::bins).sum();
        if (bins == 0) {
            reasons.add("no whole second of load was recorded");
            return reasons;
        }
        for (LoadSeries phase : phases) {
            double requests = java.util.Arrays.stream(phase.completed()).sum();
            if (phase.bins() > 0 && requests == 0) {
                reasons.add("no request succeeded in phase " + phase.phase());
            }
        }
        int errors = LoadSeries.invalidBins(phases, MAX_ERROR_SHARE, Long.MAX_VALUE).size();
        if (errors > MAX_INVALID_BINS * bins) {
            reasons.add(errors + " of " + bins + " seconds had more than 1 % errors");
        }
        int stalled = LoadSeries.invalidBins(phases, Double.MAX_VALUE, MAX_LAG_NANOS).size();
        if (stalled > MAX_INVALID_BINS * bins) {
            reasons.add("the load generator stalled for over " + MAX_LAG_NANOS / 1_000_000 + " ms in " + stalled + " of "
                    + bins + " seconds");
        }
        if (labBusy.orElse(0) >= LAB_SATURATED) {
            reasons.add(String.format(
                    Locale.ROOT,
                    "load generator and database were the limit: their CPU was %.0f %% busy at the end of the warm-up",
                    100 * labBusy.orElseThrow()));
        }
        return reasons;
    }

    private static void outcome(RunInfo info, List<String> reasons) {
        String detail = info.outcomeDetail().map(text -> ": " + text).orElse("");
        switch (info.outcome()) {
            case COMPLETED -> {}
            case RUNNING -> reasons.add("Kiln was killed during the run");
            case INTERRUPTED -> reasons.add("interrupted" + detail);
            case TARGET_FAILED -> reasons.add("the target failed" + detail);
            case LAB_FAILED -> reasons.add("the lab failed" + detail);
        }
    }
}
