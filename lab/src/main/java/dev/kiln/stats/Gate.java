package dev.kiln.stats;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/**
 * Current against baseline with a tolerance. Percentages throughout, as people write them: 100 * (current / baseline - 1).
 *
 * @param baseline geometric mean of the baseline's runs, or its one figure
 * @param current the same of the current runs
 * @param tolerancePct a positive tolerance means lower is better, a negative one higher is better
 * @param ciLoPct interval of the variance; empty under the point rule, as hi and the minimal detectable effect
 * @param minimalDetectableEffectPct what runs as noisy as these can show with 80 % power
 * @param verdict PASS wholly inside the tolerance, FAIL wholly beyond it, else INCONCLUSIVE
 * @param underPowered the tolerance is below the minimal detectable effect
 * @param look which of the looks at growing data this is, from 1
 * @param looks planned, at most 3
 */
public record Gate(
        double baseline,
        double current,
        double variancePct,
        double tolerancePct,
        OptionalDouble ciLoPct,
        OptionalDouble ciHiPct,
        OptionalDouble minimalDetectableEffectPct,
        Verdict verdict,
        boolean underPowered,
        int look,
        int looks,
        List<Warning> warnings) {
    /** Chance of a wrong PASS or FAIL on either side, over all looks. */
    private static final double ALPHA_PER_SIDE = 0.05;

    private static final int MOST_LOOKS = 3;

    public enum Verdict {
        PASS,
        FAIL,
        INCONCLUSIVE,
        /** The gate could not have seen a change of the size of its tolerance. */
        REFUSED
    }

    public Gate {
        warnings = List.copyOf(warnings);
    }

    /** One figure a side. */
    public static Gate point(double baseline, double current, double tolerancePct) {
        Series.requirePositive(new double[] {baseline, current});
        requireTolerance(tolerancePct);
        // Not 100 * (current / baseline - 1), which makes 101 of 100 a little more than 1 %.
        double variance = 100 * (current - baseline) / baseline;
        boolean inside = tolerancePct > 0 ? variance <= tolerancePct : variance >= tolerancePct;
        Warning rule = new Warning(
                Warning.Code.POINT_RULE, "one figure a side: the point rule cannot tell a change from noise");
        return new Gate(
                baseline,
                current,
                variance,
                tolerancePct,
                OptionalDouble.empty(),
                OptionalDouble.empty(),
                OptionalDouble.empty(),
                inside ? Verdict.PASS : Verdict.FAIL,
                false,
                1,
                1,
                List.of(rule));
    }

    /** One look, by the 90 % interval. */
    public static Gate interval(double[] baseline, double[] current, double tolerancePct) {
        return interval(baseline, current, tolerancePct, 1, 1);
    }

    /**
     * At least two runs a side. The interval is that of 90 %, or wider where more looks are planned: alpha is split evenly
     * among them (Bonferroni), which holds whenever one stops.
     */
    public static Gate interval(double[] baseline, double[] current, double tolerancePct, int look, int looks) {
        requireTolerance(tolerancePct);
        if (look < 1 || look > looks || looks > MOST_LOOKS) {
            throw new IllegalArgumentException("look " + look + " of " + looks + ": at most " + MOST_LOOKS + " looks");
        }
        WelchRatio ratio = WelchRatio.of(baseline, current, 1 - 2 * ALPHA_PER_SIDE / looks);
        double lo = 100 * (ratio.lo() - 1);
        double hi = 100 * (ratio.hi() - 1);
        double effect = 100 * Power.minimalDetectableEffect(ratio.seLog(), baseline.length + current.length - 2.0);
        boolean underPowered = Math.abs(tolerancePct) < effect;
        Verdict verdict = verdict(lo, hi, tolerancePct);
        return new Gate(
                Summary.of(baseline).geomean(),
                Summary.of(current).geomean(),
                100 * (ratio.ratio() - 1),
                tolerancePct,
                OptionalDouble.of(lo),
                OptionalDouble.of(hi),
                OptionalDouble.of(effect),
                verdict,
                underPowered,
                look,
                looks,
                warnings(verdict, underPowered, tolerancePct, effect, look, looks));
    }

    /** The verdict, unless the gate is under-powered and therefore refused. */
    public Verdict outcome() {
        return underPowered ? Verdict.REFUSED : verdict;
    }

    private static Verdict verdict(double lo, double hi, double tolerance) {
        boolean lowerIsBetter = tolerance > 0;
        if (lowerIsBetter ? hi <= tolerance : lo >= tolerance) {
            return Verdict.PASS;
        }
        return (lowerIsBetter ? lo > tolerance : hi < tolerance) ? Verdict.FAIL : Verdict.INCONCLUSIVE;
    }

    private static List<Warning> warnings(
            Verdict verdict, boolean underPowered, double tolerance, double effect, int look, int looks) {
        List<Warning> out = new ArrayList<>();
        if (underPowered) {
            out.add(new Warning(
                    Warning.Code.TOO_FEW_RUNS,
                    "under-powered: the tolerance of " + Figures.number(Math.abs(tolerance))
                            + " % is below the minimal detectable effect of " + Figures.number(effect) + " %"));
        }
        if (verdict == Verdict.INCONCLUSIVE) {
            String next = look < looks ? "add a block" : "no look is left";
            out.add(new Warning(
                    Warning.Code.TOO_FEW_RUNS, "inconclusive at look " + look + " of " + looks + ": " + next));
        }
        return out;
    }

    private static void requireTolerance(double tolerancePct) {
        if (tolerancePct == 0 || !Double.isFinite(tolerancePct)) {
            throw new IllegalArgumentException(
                    "a tolerance must be finite and not 0, its sign says which way is better: " + tolerancePct);
        }
    }
}
