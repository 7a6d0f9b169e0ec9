package dev.kiln.explain;

import dev.kiln.model.Verdict;
import dev.kiln.stats.Analysed;
import dev.kiln.stats.AnalysisConfig;
import dev.kiln.stats.JumpEvidence;
import dev.kiln.stats.NotEnoughData;
import dev.kiln.stats.ReferencePeak;
import dev.kiln.stats.SeriesAnalysis;
import dev.kiln.stats.SteadyClass;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The curve joined with the compilers' evidence (analysis specification, section 5): a steady throughput is a peak only if
 * nothing says that more was to come.
 *
 * @param invalid why no peak may be read
 * @param jump of the variant's valid runs
 * @param rate requests per second that were offered, in the open loop
 */
record Verdicts(
        List<String> invalid,
        SeriesAnalysis warmup,
        Optional<ReferencePeak> reference,
        Optional<JumpEvidence> jump,
        CompilerTail compilers,
        OptionalDouble rate,
        AnalysisConfig config) {

    Verdict verdict() {
        if (!invalid.isEmpty()) {
            return new Verdict.Invalid(invalid);
        }
        return switch (warmup) {
            case NotEnoughData few ->
                new Verdict.NotEnoughData(String.format(
                        Locale.ROOT,
                        "%.0f more seconds of load before the pause: a plateau cannot be told from a rise in %.0f",
                        few.binsNeeded() * config.binSeconds(),
                        few.bins() * config.binSeconds()));
            case Analysed curve -> curve.steady() ? steady(curve) : unsteady(curve);
        };
    }

    private Verdict steady(Analysed curve) {
        List<String> reasons = heldDown(curve);
        if (!reasons.isEmpty()) {
            return new Verdict.FalsePlateau(reasons);
        }
        if (curve.steadyClass() == SteadyClass.SLOWDOWN) {
            return new Verdict.Slowing();
        }
        if (rate.isPresent() && curve.level() >= (1 - config.delta()) * rate.getAsDouble()) {
            return new Verdict.NotEnoughData(String.format(
                    Locale.ROOT,
                    "load beyond the rate: all %.0f requests per second offered were served, so a peak cannot be seen",
                    rate.getAsDouble()));
        }
        return new Verdict.Peaked(!compilers.observed());
    }

    private List<String> heldDown(Analysed curve) {
        List<String> reasons = new ArrayList<>();
        reference
                .filter(peak -> curve.plateauBelow(peak.value(), config.delta()))
                .ifPresent(peak -> reasons.add(String.format(
                        Locale.ROOT,
                        "it is steady at %,.0f req/s, %.0f %% of the reference peak of %s%,.0f",
                        curve.peakSelf(),
                        100 * curve.peakSelf() / peak.value(),
                        peak.lowerBound() ? "at least " : "",
                        peak.value())));
        reasons.addAll(compilers.unquiet());
        jump.filter(JumpEvidence::evidence)
                .ifPresent(all -> reasons.add(String.format(
                        Locale.ROOT,
                        "over %d runs throughput right after the pause is %.2f times that before it (at least %.2f)",
                        all.runs(),
                        all.ratio(),
                        all.lo().orElse(Double.NaN))));
        return reasons;
    }

    private Verdict unsteady(Analysed curve) {
        return switch (curve.subLabel()) {
            case CLIMBING -> new Verdict.StillClimbing();
            case DECLINING -> new Verdict.Slowing();
            case OSCILLATING -> new Verdict.Unstable();
            // A level tail after a late step: its direction is that of the step.
            case LEVEL -> lateStep(curve);
        };
    }

    private Verdict lateStep(Analysed curve) {
        double level = curve.level();
        double margin = config.delta() * level;
        if (curve.segmentLevels().stream().allMatch(l -> l <= level + margin)) {
            return new Verdict.StillClimbing();
        }
        return curve.segmentLevels().stream().allMatch(l -> l >= level - margin)
                ? new Verdict.Slowing()
                : new Verdict.Unstable();
    }
}
