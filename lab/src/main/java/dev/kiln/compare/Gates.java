package dev.kiln.compare;

import dev.kiln.compare.GateRow.Outcome;
import dev.kiln.model.Tolerance;
import dev.kiln.stats.Gate;
import dev.kiln.stats.Tost;
import dev.kiln.stats.Warning;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** Metrics against tolerances: by intervals where there are runs, by the point rule where there is one figure a side. */
public final class Gates {
    private static final double CONFIDENCE = 0.90;

    private Gates() {}

    /** One figure a side. */
    public static GateRow point(String metric, double current, double baseline, Tolerance tolerance) {
        return row(metric, metric, tolerance, new double[] {current}, new double[] {baseline}, 1, 1);
    }

    /**
     * A metric that both configurations may have.
     *
     * @param look which of the planned looks at growing data this is, from 1
     */
    public static GateRow of(Tolerance tolerance, Configuration current, Configuration baseline, int look, int looks) {
        Optional<Measured> ofCurrent = current.metric(tolerance.metric());
        Optional<Measured> ofBaseline = baseline.metric(tolerance.metric());
        Metric metric = ofBaseline.or(() -> ofCurrent).map(Measured::metric).orElse(Metric.of(tolerance.metric()));
        if (ofCurrent.isEmpty() || ofBaseline.isEmpty()) {
            String who = ofCurrent.isEmpty() ? current.name() : baseline.name();
            return undecided(metric, tolerance, who + " has no run with this metric");
        }
        OptionalDouble factor = Units.factor(ofCurrent.get().metric().unit(), metric.unit());
        Measured now = ofCurrent.get().scaled(factor.orElse(1), metric.unit());
        if (now.anyCensored() || ofBaseline.get().anyCensored()) {
            return undecided(
                    metric, tolerance, "not every run got there: censored times have no ratio, see kiln compare");
        }
        return row(
                metric.id(),
                metric.title(),
                tolerance,
                now.values(),
                ofBaseline.get().values(),
                look,
                looks);
    }

    private static GateRow row(
            String metric,
            String label,
            Tolerance tolerance,
            double[] current,
            double[] baseline,
            int look,
            int looks) {
        if (!positive(current) || !positive(baseline)) {
            return undecided(
                    metric, label, tolerance, "a run has 0 or less: there is no ratio to hold against a tolerance");
        }
        if (current.length == 1 && baseline.length == 1) {
            return point(metric, label, tolerance, current[0], baseline[0]);
        }
        if (Math.min(current.length, baseline.length) < 2) {
            return undecided(metric, label, tolerance, "a side has one run: an interval needs at least two a side");
        }
        Gate gate = Gate.interval(baseline, current, tolerance.percent(), look, looks);
        List<String> notes = new ArrayList<>();
        Outcome byInterval =
                tolerance.eitherWay() ? equivalence(baseline, current, tolerance) : outcome(gate.verdict());
        boolean underPowered = gate.underPowered();
        gate.warnings().stream()
                .filter(warning -> !tolerance.eitherWay() || underPowered)
                .forEach(warning -> notes.add(warning.text()));
        return new GateRow(
                metric,
                label,
                tolerance,
                current.length,
                baseline.length,
                OptionalDouble.of(gate.current()),
                OptionalDouble.of(gate.baseline()),
                OptionalDouble.of(gate.variancePct()),
                gate.ciLoPct(),
                gate.ciHiPct(),
                gate.minimalDetectableEffectPct(),
                byInterval,
                underPowered ? Outcome.UNDER_POWERED : byInterval,
                1 - (1 - CONFIDENCE) / looks,
                notes);
    }

    /** "No change" by two one-sided tests; change where the interval lies wholly beyond the margin. */
    private static Outcome equivalence(double[] baseline, double[] current, Tolerance tolerance) {
        Tost tost = Tost.of(baseline, current, tolerance.percent() / 100);
        if (tost.equivalent()) {
            return Outcome.PASS;
        }
        return tost.ci90Lo() > tost.marginHi() || tost.ci90Hi() < tost.marginLo() ? Outcome.FAIL : Outcome.INCONCLUSIVE;
    }

    private static GateRow point(String metric, String label, Tolerance tolerance, double current, double baseline) {
        Gate gate = Gate.point(baseline, current, tolerance.percent());
        boolean inside = !tolerance.eitherWay() || Math.abs(gate.variancePct()) <= tolerance.percent();
        Outcome outcome = tolerance.eitherWay() ? inside ? Outcome.PASS : Outcome.FAIL : outcome(gate.verdict());
        return new GateRow(
                metric,
                label,
                tolerance,
                1,
                1,
                OptionalDouble.of(current),
                OptionalDouble.of(baseline),
                OptionalDouble.of(gate.variancePct()),
                OptionalDouble.empty(),
                OptionalDouble.empty(),
                OptionalDouble.empty(),
                outcome,
                outcome,
                CONFIDENCE,
                gate.warnings().stream().map(Warning::text).toList());
    }

    private static GateRow undecided(Metric metric, Tolerance tolerance, String why) {
        return undecided(metric.id(), metric.title(), tolerance, why);
    }

    private static GateRow undecided(String metric, String label, Tolerance tolerance, String why) {
        return new GateRow(
                metric,
                label,
                tolerance,
                0,
                0,
                OptionalDouble.empty(),
                OptionalDouble.empty(),
                OptionalDouble.empty(),
                OptionalDouble.empty(),
                OptionalDouble.empty(),
                OptionalDouble.empty(),
                Outcome.INCONCLUSIVE,
                Outcome.INCONCLUSIVE,
                CONFIDENCE,
                List.of(why));
    }

    private static boolean positive(double[] values) {
        return Arrays.stream(values).allMatch(v -> v > 0);
    }

    private static Outcome outcome(Gate.Verdict verdict) {
        return switch (verdict) {
            case PASS -> Outcome.PASS;
            case FAIL -> Outcome.FAIL;
            case INCONCLUSIVE -> Outcome.INCONCLUSIVE;
            case REFUSED -> Outcome.UNDER_POWERED;
        };
    }
}
