package dev.kiln.report;

import dev.kiln.explain.RunNotes;
import dev.kiln.explain.RunResult;
import dev.kiln.explain.ServedLoad;
import dev.kiln.explain.VariantResult;
import dev.kiln.model.experiment.FoundReference;
import dev.kiln.model.run.Provenance;
import dev.kiln.text.Show;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Reading has what every rendering reads from a run in the same way. */
public final class Reading {
    /** The last seconds of a phase, whose latency a caption gives. */
    public static final int END_SECONDS = 10;

    private Reading() {}

    /** Returns why a variant has no figure that needs a peak. */
    public static String noValidRun(VariantResult variant) {
        return variant.runs().isEmpty() ? "No run was recorded" : "No run is valid, so the peak is not known";
    }

    /** Returns why a valid run has no peak or, if it has one, nothing that is measured against it. */
    public static String whyNoPeak(RunResult run) {
        if (run.series().peak().isEmpty()) {
            return Show.sentence(run.whyNoPeak());
        }
        if (run.whyNoWarmup().isPresent()) {
            return Show.sentence(run.whyNoWarmup().get());
        }
        return Show.sentence(
                onlyTotals(run) ? RunNotes.ONLY_TOTALS : "the load before the pause was too short for this figure");
    }

    /** Returns why a valid run has no time to its peak. */
    public static String whyNoTime(RunResult run) {
        return onlyTotals(run) ? Show.sentence(RunNotes.ONLY_TOTALS) : whyNoPeak(run);
    }

    private static boolean onlyTotals(RunResult run) {
        return run.caveats().provenance().filter(Provenance::totals).isPresent();
    }

    /**
     * Returns the names of the phases that measure the peak: the rounds of a search for the reference; else the load
     * phases after the last pause; without a pause the last load, if the analysis used it as one.
     */
    public static Set<String> measuring(RunResult run) {
        List<ServedLoad.PhaseSummary> phases = run.phases();
        Set<String> rounds = phases.stream()
                .map(ServedLoad.PhaseSummary::name)
                .filter(FoundReference::isRound)
                .collect(Collectors.toSet());
        if (!rounds.isEmpty()) {
            return rounds;
        }
        int lastPause = phases.size();
        for (int i = 0; i < phases.size(); i++) {
            if (!phases.get(i).load()) {
                lastPause = i;
            }
        }
        if (lastPause == phases.size() && run.series().peak().isPresent()) {
            return Set.of(phases.getLast().name());
        }
        return phases.stream()
                .skip(lastPause + 1L)
                .map(ServedLoad.PhaseSummary::name)
                .collect(Collectors.toSet());
    }

    /** Returns where a run's curves begin: the first request, in seconds since launch; 0 without a load. */
    public static double firstLoadStart(RunResult run) {
        return run.served()
                .firstLoad()
                .map(ServedLoad.PhaseSummary::startSeconds)
                .orElse(0.0);
    }

    /** Returns the valid runs; all of them if none is valid, for figures that need no peak. */
    public static List<RunResult> readableRuns(VariantResult variant) {
        List<RunResult> valid = variant.valid();
        return valid.isEmpty() ? variant.runs() : valid;
    }
}
