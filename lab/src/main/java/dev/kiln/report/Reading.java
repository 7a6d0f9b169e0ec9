package dev.kiln.report;

import dev.kiln.explain.Curves;
import dev.kiln.explain.RunResult;
import dev.kiln.explain.VariantResult;
import dev.kiln.model.FoundReference;
import dev.kiln.stats.Analysed;
import dev.kiln.stats.Deficit;
import dev.kiln.stats.NotEnoughData;
import dev.kiln.stats.SeriesAnalysis;
import dev.kiln.stats.TimeToPeak;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;

/** What every rendering reads from a run in the same way. */
final class Reading {
    static final List<Integer> PERCENTS = List.of(50, 90, 95, 99);

    /** Seconds at the end of the warm-up whose mean is its throughput, as in the cooldown jump. */
    static final int END_SECONDS = 10;

    private Reading() {}

    /** Of runs that no start is known of. */
    static String whyNoStart(List<RunResult> runs) {
        return imported(runs)
                ? "The imported files do not tell when the service was launched"
                : "The service was never seen ready";
    }

    /** Of runs that no first response is known of. */
    static String whyNoResponse(List<RunResult> runs) {
        return imported(runs) ? whyNoStart(runs) : "No successful response was seen";
    }

    private static boolean imported(List<RunResult> runs) {
        return runs.stream().anyMatch(RunResult::imported);
    }

    /** Empty where there is not enough data. */
    private static Optional<Analysed> analysed(SeriesAnalysis series) {
        return series instanceof Analysed analysed ? Optional.of(analysed) : Optional.empty();
    }

    static String className(SeriesAnalysis series) {
        return analysed(series).map(a -> a.steadyClass().label()).orElse("not enough data");
    }

    static Optional<String> subLabel(SeriesAnalysis series) {
        return analysed(series).map(a -> a.subLabel().label());
    }

    /** More bins that the answer needs; empty where there is an answer. */
    static OptionalInt binsNeeded(SeriesAnalysis series) {
        return series instanceof NotEnoughData missing ? OptionalInt.of(missing.binsNeeded()) : OptionalInt.empty();
    }

    /** Empty without a steady state. */
    static OptionalDouble ownPeak(SeriesAnalysis series) {
        return optional(analysed(series).filter(Analysed::steady).map(Analysed::peakSelf));
    }

    /** Empty without a peak to reach. */
    static Map<Integer, TimeToPeak> ownTimes(SeriesAnalysis series) {
        return analysed(series)
                .filter(a -> a.peakUsed().isPresent())
                .map(a -> a.timeToPeak().stream().collect(Collectors.toMap(TimeToPeak::percent, t -> t)))
                .orElse(Map.of());
    }

    /** Relative noise of the end of the warm-up. */
    static OptionalDouble noise(SeriesAnalysis series) {
        return optional(analysed(series).map(Analysed::tailCv));
    }

    /** Against the reference peak; against the run's own where there is no reference. */
    static Optional<TimeToPeak> headline(RunResult run, int percent) {
        Map<Integer, TimeToPeak> times =
                run.timeToReferencePeak().isEmpty() ? ownTimes(run.warmup()) : run.timeToReferencePeak();
        return Optional.ofNullable(times.get(percent));
    }

    static OptionalDouble lostSeconds(RunResult run) {
        return run.deficit()
                .map(Deficit::deficitSeconds)
                .map(OptionalDouble::of)
                .orElse(OptionalDouble.empty());
    }

    /**
     * The rounds of a search for the reference; else load phases after the last pause; without a pause the last load, where
     * the analysis took it for one.
     */
    static Set<String> measuring(RunResult run) {
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
        if (lastPause == phases.size() && run.measure().isPresent()) {
            return Set.of(phases.getLast().name());
        }
        return phases.stream()
                .skip(lastPause + 1L)
                .map(RunResult.PhaseSummary::name)
                .collect(Collectors.toSet());
    }

    /** Requests per second in the last seconds of the warm-up. */
    static OptionalDouble endOfWarmup(RunResult run) {
        Set<String> measuring = measuring(run);
        double[] warmup = run.curves().load().stream()
                .filter(point -> !measuring.contains(point.phase()))
                .mapToDouble(Curves.LoadPoint::requestsPerSecond)
                .toArray();
        return Arrays.stream(warmup)
                .skip(Math.max(0, warmup.length - END_SECONDS))
                .average();
    }

    /** Where times of a run's curves begin: the first request, in seconds since launch. */
    static double firstLoadStart(RunResult run) {
        return run.phases().stream()
                .filter(RunResult.PhaseSummary::load)
                .mapToDouble(RunResult.PhaseSummary::startSeconds)
                .findFirst()
                .orElse(0);
    }

    static List<RunResult> validRuns(VariantResult variant) {
        return variant.runs().stream().filter(RunResult::valid).toList();
    }

    /** The valid runs; all of them where none is valid, for figures that need no peak. */
    static List<RunResult> readableRuns(VariantResult variant) {
        List<RunResult> valid = validRuns(variant);
        return valid.isEmpty() ? variant.runs() : valid;
    }

    static OptionalDouble optional(Optional<Double> value) {
        return value.map(OptionalDouble::of).orElse(OptionalDouble.empty());
    }
}
