package dev.kiln.stats;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/**
 * Current against baseline with a tolerance. Percentages throughout, as people write them: 100 * (current / baseline - 1).
 *
 * @param baseline geometric mean of the baseline's runs, or its one figure
 * @param current the same of the current runs
 * @param loPct interval of the variance; empty under the point rule, and where it is open because a side is a lower bound
 * @param minimalDetectableEffectPct what runs as noisy as these can show with 80 % power; empty under the point rule
 * @param runsNeeded a side, to decide; empty where it is decided, and where no number of runs would do
 * @param confidence two-sided, of the interval
 * @param paired runs of one block were compared with one another
 * @param notes what a reader must know
 */
public record Gate(
        double baseline,
        double current,
        double variancePct,
        OptionalDouble loPct,
        OptionalDouble hiPct,
        OptionalDouble minimalDetectableEffectPct,
        OptionalInt runsNeeded,
        Verdict verdict,
        double confidence,
        boolean paired,
        List<String> notes) {
    /** Chance of a wrong PASS or FAIL on either side, over all interim analyses. */
    private static final double ALPHA_PER_SIDE = 0.05;

    private static final int MOST_INTERIMS = 3;

    /** An interval half as wide takes four times the runs. */
    private static final int TO_HALVE = 4;

    /** In the order of what stops a build first. */
    public enum Verdict {
        /** The interval lies wholly beyond the tolerance. */
        FAIL,
        /** Inconclusive, and the gate could not have seen a change of the size of its tolerance. */
        UNDER_POWERED,
        INCONCLUSIVE,
        /** Wholly inside. */
        PASS
    }

    /**
     * What may change by how much.
     *
     * @param tolerancePct positive: lower is better, this much more is tolerated; negative: higher is better
     * @param eitherWay neither more nor less is tolerated; the margin of less is 1 / (1 + the tolerance)
     * @param interim which of the interim analyses of growing data this is, from 1
     * @param interims planned, at most 3; alpha is split evenly among them (Bonferroni), which holds whenever one stops
     */
    public record Rule(double tolerancePct, boolean eitherWay, int interim, int interims) {
        public Rule {
            if (tolerancePct == 0 || !Double.isFinite(tolerancePct)) {
                throw new IllegalArgumentException(
                        "a tolerance must be finite and not 0, its sign says which way is better: " + tolerancePct);
            }
            if (interim < 1 || interim > interims || interims > MOST_INTERIMS) {
                throw new IllegalArgumentException(
                        "look " + interim + " of " + interims + ": at most " + MOST_INTERIMS + " looks");
            }
        }

        double confidence() {
            return 1 - 2 * ALPHA_PER_SIDE / interims;
        }

        /** By an interval in percent, open ends infinite. */
        private Verdict verdict(double lo, double hi) {
            double above = tolerancePct > 0 ? tolerancePct : Double.POSITIVE_INFINITY;
            double below = eitherWay
                    ? 100 * (1 / (1 + tolerancePct / 100) - 1)
                    : tolerancePct < 0 ? tolerancePct : Double.NEGATIVE_INFINITY;
            if (lo >= below && hi <= above) {
                return Verdict.PASS;
            }
            return lo > above || hi < below ? Verdict.FAIL : Verdict.INCONCLUSIVE;
        }
    }

    /**
     * One side's runs, all above 0.
     *
     * @param atLeast the true figures may be higher: a peak that is a lower bound, times that were not reached
     */
    public record Side(double[] runs, boolean atLeast) {
        public Side(double[] runs) {
            this(runs, false);
        }
    }

    public Gate {
        notes = List.copyOf(notes);
    }

    /**
     * One figure a side, or at least two.
     *
     * @param bin to which times are known; 0 for other quantities
     */
    public static Gate of(Side baseline, Side current, Rule rule, double bin) {
        return of(baseline, current, rule, bin, false);
    }

    /** The same where run i of both sides ran in one block: by t on the logarithms of the ratios of these pairs. */
    public static Gate ofPairs(Side baseline, Side current, Rule rule, double bin) {
        return of(baseline, current, rule, bin, true);
    }

    private static Gate of(Side baseline, Side current, Rule rule, double bin, boolean paired) {
        double before = Summary.of(baseline.runs()).geomean();
        double now = Summary.of(current.runs()).geomean();
        Slack slack = Slack.ofLogRatio(before, now, bin);
        if (baseline.runs().length == 1 && current.runs().length == 1) {
            return point(baseline, current, rule, slack);
        }
        double[] x = Series.logs(baseline.runs());
        double[] y = Series.logs(current.runs());
        Student logs = paired ? Student.pairs(x, y) : Student.welch(x, y);
        OptionalDouble lo = end(baseline, logs.lo(rule.confidence()) - slack.down());
        OptionalDouble hi = end(current, logs.hi(rule.confidence()) + slack.up());
        double df = paired ? x.length - 1.0 : x.length + y.length - 2.0;
        double effect = 100 * Power.minimalDetectableEffect(logs.se(), df);
        Verdict byInterval = rule.verdict(lo.orElse(Double.NEGATIVE_INFINITY), hi.orElse(Double.POSITIVE_INFINITY));
        boolean underPowered = Math.abs(rule.tolerancePct()) < effect;
        boolean open = baseline.atLeast() || current.atLeast();
        Verdict verdict =
                byInterval == Verdict.INCONCLUSIVE && underPowered && !open ? Verdict.UNDER_POWERED : byInterval;
        OptionalInt needed = open ? OptionalInt.empty() : needed(x.length, y.length, logs.se(), paired, rule, verdict);
        return new Gate(
                before,
                now,
                100 * (Math.exp(logs.estimate()) - 1),
                lo,
                hi,
                OptionalDouble.of(effect),
                needed,
                verdict,
                rule.confidence(),
                paired,
                notes(verdict, needed, open, rule, effect));
    }

    /** What may be higher on the other side of a ratio opens the end. */
    private static OptionalDouble end(Side side, double logRatio) {
        return side.atLeast() ? OptionalDouble.empty() : OptionalDouble.of(100 * (Math.exp(logRatio) - 1));
    }

    private static Gate point(Side baseline, Side current, Rule rule, Slack slack) {
        double before = baseline.runs()[0];
        double now = current.runs()[0];
        // Not 100 * (now / before - 1), which makes 101 of 100 a little more than 1 %.
        double variance = 100 * (now - before) / before;
        double lo = baseline.atLeast() ? Double.NEGATIVE_INFINITY : moved(variance, -slack.down());
        double hi = current.atLeast() ? Double.POSITIVE_INFINITY : moved(variance, slack.up());
        boolean exact = lo == hi;
        boolean inside = rule.eitherWay() && Math.abs(variance) <= rule.tolerancePct();
        List<String> notes = new ArrayList<>();
        notes.add("one figure a side: the point rule cannot tell a change from noise");
        Verdict verdict = exact && inside ? Verdict.PASS : rule.verdict(lo, hi);
        if (verdict == Verdict.INCONCLUSIVE) {
            notes.add(open(baseline.atLeast() || current.atLeast()));
        }
        return new Gate(
                before,
                now,
                variance,
                OptionalDouble.empty(),
                OptionalDouble.empty(),
                OptionalDouble.empty(),
                OptionalInt.empty(),
                verdict,
                rule.confidence(),
                false,
                notes);
    }

    private static double moved(double percent, double logs) {
        return logs == 0 ? percent : 100 * ((1 + percent / 100) * Math.exp(logs) - 1);
    }

    private static String open(boolean atLeast) {
        return atLeast
                ? "inconclusive: one side is a lower bound, and a higher figure could change the verdict"
                : "inconclusive: the time is known to its bin only";
    }

    private static OptionalInt needed(int n, int m, double se, boolean paired, Rule rule, Verdict verdict) {
        double effect = Math.abs(rule.tolerancePct()) / 100;
        return switch (verdict) {
            case PASS, FAIL -> OptionalInt.empty();
            case UNDER_POWERED ->
                paired
                        ? Power.pairsForEffect(se * Math.sqrt(n), effect)
                        : Power.runsForEffect(se / Math.sqrt(1.0 / n + 1.0 / m), effect);
            case INCONCLUSIVE -> OptionalInt.of(TO_HALVE * Math.max(n, m));
        };
    }

    private static List<String> notes(Verdict verdict, OptionalInt needed, boolean open, Rule rule, double effect) {
        String runs = needed.isPresent() ? needed.getAsInt() + " runs a side" : "more than 10,000 runs a side";
        return switch (verdict) {
            case PASS, FAIL -> List.of();
            case UNDER_POWERED ->
                List.of("under-powered: the tolerance of " + Figures.number(Math.abs(rule.tolerancePct()))
                        + " % is below the " + Figures.number(effect)
                        + " % that these runs can show; a change of its size takes " + runs);
            case INCONCLUSIVE ->
                List.of(
                        open
                                ? open(true)
                                : "inconclusive at look " + rule.interim() + " of " + rule.interims()
                                        + ": the tolerance lies within the interval; one half as wide takes some "
                                        + runs);
        };
    }
}
