package dev.kiln.explain;

import dev.kiln.model.FoundReference;
import dev.kiln.model.LoadBin;
import dev.kiln.model.PhaseLatency;
import dev.kiln.model.Provenance;
import dev.kiln.stats.CooldownJump;
import dev.kiln.stats.Deficit;
import dev.kiln.stats.SeriesAnalysis;
import dev.kiln.stats.TimeToPeak;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What the evidence of one run says.
 *
 * @param invalidReasons why no peak may be read from this run; empty for a valid one
 * @param warmup the load phases before the measuring phase, one after the other, in bins of a second
 * @param measure the load phase after the last pause
 * @param timeToReferencePeak by percent of the variant's reference peak; empty without a reference
 * @param deficit of the warm-up against the reference peak, or against its own where there is no reference
 * @param startSeconds from launch to readiness
 * @param firstResponseSeconds from launch to the first successful response
 * @param requests successful responses in all load phases
 * @param notes what a reader must know beside the figures
 * @param provenance of evidence that other programs recorded
 * @param imported whether they recorded all of it; they may have sent the load of a run that Kiln launched
 */
public record RunResult(
        String variant,
        int run,
        int block,
        List<String> invalidReasons,
        SeriesAnalysis warmup,
        Optional<SeriesAnalysis> measure,
        Map<Integer, TimeToPeak> timeToReferencePeak,
        Optional<Deficit> deficit,
        Optional<CooldownJump> cooldownJump,
        OptionalDouble startSeconds,
        OptionalDouble firstResponseSeconds,
        long requests,
        LoadBin.Errors errors,
        List<PhaseSummary> phases,
        Observed observed,
        Curves curves,
        Explanation explanation,
        List<String> notes,
        Optional<Provenance> provenance,
        boolean imported) {
    /** Of a run that Kiln itself recorded. */
    public RunResult(
            String variant,
            int run,
            int block,
            List<String> invalidReasons,
            SeriesAnalysis warmup,
            Optional<SeriesAnalysis> measure,
            Map<Integer, TimeToPeak> timeToReferencePeak,
            Optional<Deficit> deficit,
            Optional<CooldownJump> cooldownJump,
            OptionalDouble startSeconds,
            OptionalDouble firstResponseSeconds,
            long requests,
            LoadBin.Errors errors,
            List<PhaseSummary> phases,
            Observed observed,
            Curves curves,
            Explanation explanation,
            List<String> notes) {
        this(
                variant,
                run,
                block,
                invalidReasons,
                warmup,
                measure,
                timeToReferencePeak,
                deficit,
                cooldownJump,
                startSeconds,
                firstResponseSeconds,
                requests,
                errors,
                phases,
                observed,
                curves,
                explanation,
                notes,
                Optional.empty(),
                false);
    }

    public boolean valid() {
        return invalidReasons.isEmpty();
    }

    /** Requests per second over the last ten seconds of the warm-up; empty if it was shorter. */
    public OptionalDouble endOfWarmup() {
        List<Curves.LoadPoint> points = curves.load();
        String measuring = measure.isPresent() ? points.getLast().phase() : "";
        double[] warm = points.stream()
                .filter(point -> !point.phase().equals(measuring) && !FoundReference.isRound(point.phase()))
                .mapToDouble(Curves.LoadPoint::requestsPerSecond)
                .toArray();
        return warm.length < 10
                ? OptionalDouble.empty()
                : Arrays.stream(warm, warm.length - 10, warm.length).average();
    }

    /**
     * A load or pause phase as it was.
     *
     * @param startSeconds since launch
     * @param requests successful responses; 0 in a pause
     * @param throughput successful responses per second; 0 in a pause
     * @param latency empty in a pause, and where none was recorded
     */
    public record PhaseSummary(
            String name,
            boolean load,
            double startSeconds,
            double durationSeconds,
            long requests,
            double throughput,
            Optional<PhaseLatency> latency) {}
}
