package dev.kiln.report;

import dev.kiln.explain.RunResult;
import dev.kiln.explain.VariantResult;
import dev.kiln.model.FoundReference;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Collectors;

/** What every rendering reads from a run in the same way. */
public final class Reading {
    /** Last seconds of a phase that a caption tells the latency of. */
    public static final int END_SECONDS = 10;

    private Reading() {}

    public static final String NO_COST = "Without a peak there is no loss to count";

    /** Why a variant has no figure that needs a peak. */
    public static String noValidRun(VariantResult variant) {
        return variant.runs().isEmpty() ? "No run was recorded" : "No run is valid, so no peak can be read";
    }

    /** What the warm-up cost, as seconds at the reference peak. */
    public static OptionalDouble lostSeconds(RunResult run) {
        return optional(run.series().deficit().map(deficit -> deficit.seconds().value()));
    }

    /** Of runs that no start is known of. */
    public static String whyNoStart(List<RunResult> runs) {
        return imported(runs)
                ? "The imported files do not tell when the service was launched"
                : "The service was never seen ready";
    }

    /** Of runs that no first response is known of. */
    public static String whyNoResponse(List<RunResult> runs) {
        return imported(runs) ? whyNoStart(runs) : "No successful response was seen";
    }

    private static boolean imported(List<RunResult> runs) {
        return runs.stream().anyMatch(RunResult::imported);
    }

    /**
     * The rounds of a search for the reference; else load phases after the last pause; without a pause the last load, where
     * the analysis took it for one.
     */
    public static Set<String> measuring(RunResult run) {
        List<RunResult.PhaseSummary> phases = run.phases();
        Set<String> rounds = phases.stream()
                .map(RunResult.PhaseSummary::name)
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
                .map(RunResult.PhaseSummary::name)
                .collect(Collectors.toSet());
    }

    /** Where times of a run's curves begin: the first request, in seconds since launch. */
    public static double firstLoadStart(RunResult run) {
        return run.phases().stream()
                .filter(RunResult.PhaseSummary::load)
                .mapToDouble(RunResult.PhaseSummary::startSeconds)
                .findFirst()
                .orElse(0);
    }

    /** The valid runs; all of them where none is valid, for figures that need no peak. */
    public static List<RunResult> readableRuns(VariantResult variant) {
        List<RunResult> valid = variant.valid();
        return valid.isEmpty() ? variant.runs() : valid;
    }

    public static OptionalDouble optional(Optional<Double> value) {
        return value.map(OptionalDouble::of).orElse(OptionalDouble.empty());
    }
}
