package dev.kiln.stats;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.IntFunction;

/**
 * Current against baseline with a tolerance. Percentages throughout, as people write them: 100 * (current / baseline - 1).
 *
 * @param baseline geometric mean of the baseline's runs, or its one figure
 * @param current the same of the current runs
 * @param loPct interval of the change; empty where none is made, and where it is open because a side is a lower bound
 * @param detectablePct what these runs tell from the tolerance with 80 % power; empty without an interval
 * @param runsNeeded a side, to decide; empty where it is decided, or a side is a lower bound
 * @param confidence two-sided, of the interval
 * @param sessions how the two sides stand to one another; Sessions.ONE also for pairs
 * @param paired runs of one block were compared with one another
 * @param notes what a reader must know
 */
public record Gate(
        Figure baseline,
        Figure current,
        double changePct,
        OptionalDouble loPct,
        OptionalDouble hiPct,
        OptionalDouble detectablePct,
        Optional<RunsNeeded> runsNeeded,
        Verdict verdict,
        double confidence,
        Sessions sessions,
        boolean paired,
        List<String> notes) {
    /** Chance of a wrong PASS or FAIL on either side, over all interim analyses. */
    private static final double ALPHA_PER_SIDE = 0.05;

    private static final int MOST_INTERIMS = 3;

    /** In the order of what stops a build first. */
    public enum Verdict {
        /** The interval lies wholly beyond the tolerance. */
        FAIL,
        /** Inconclusive, and these runs would not let pass what has not changed in four cases of five. */
        UNDER_POWERED,
        INCONCLUSIVE,
        /** Wholly inside. */
        PASS
    }

    /** How a side's figure stands to the true one. */
    public enum Bound {
        EXACT,
        /** The true one may be higher. */
        AT_LEAST,
        /** The true one is higher: half the runs or more did not get there. */
        BEYOND
    }

    /** One side in one figure. */
    public record Figure(double value, Bound bound) {}

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

        /** Two one-sided tests, each at 5 % shared by the looks: 90 % for one look. */
        double confidence() {
            return 1 - 2 * ALPHA_PER_SIDE / interims;
        }

        /** How far from no change the tolerance lies, of the logarithm of the ratio. */
        private double margin() {
            return Math.abs(Math.log1p(tolerancePct / 100));
        }

        /** What has not changed passes with 80 % power: on both sides where both are asked for. */
        private double power() {
            return eitherWay ? (1 + Power.POWER) / 2 : Power.POWER;
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

    /** One side's runs, all above 0; each may be a bound. */
    public record Side(double[] runs, Bound bound) {
        public Side(double[] runs) {
            this(runs, Bound.EXACT);
        }

        boolean open() {
            return bound != Bound.EXACT;
        }

        /** What was not reached is beyond the longest that anybody waited. */
        private Figure figure() {
            double value = bound == Bound.BEYOND
                    ? Arrays.stream(runs).max().orElseThrow()
                    : Summary.of(runs).geomean();
            return new Figure(value, bound);
        }
    }

    public Gate {
        notes = List.copyOf(notes);
    }

    /**
     * At least two runs a side, in one session.
     *
     * @param bin to which times are known; 0 for other quantities
     */
    public static Gate of(Side baseline, Side current, Rule rule, double bin) {
        return of(baseline, current, rule, bin, Sessions.ONE);
    }

    /** The same of one session or of two. */
    public static Gate of(Side baseline, Side current, Rule rule, double bin, Sessions sessions) {
        double[] x = Series.logs(baseline.runs());
        double[] y = Series.logs(current.runs());
        return new Judge(baseline, current, rule, bin, sessions, false, sessions.difference(x, y))
                .gate(runs -> sessions.withRuns(x, y, runs));
    }

    /** Run i of both sides ran in one block: by t on the logarithms of the ratios of these pairs. */
    public static Gate ofPairs(Side baseline, Side current, Rule rule, double bin) {
        Student pairs = Student.pairs(Series.logs(baseline.runs()), Series.logs(current.runs()));
        double sd = pairs.se() * Math.sqrt(baseline.runs().length);
        return new Judge(baseline, current, rule, bin, Sessions.ONE, true, pairs)
                .gate(runs -> new Student(pairs.estimate(), sd / Math.sqrt(runs), runs - 1.0));
    }

    /** One figure a side, because somebody asked for that rule. */
    public static Gate point(double baseline, double current, Rule rule) {
        // Not 100 * (now / before - 1), which makes 101 of 100 a little more than 1 %.
        double change = 100 * (current - baseline) / baseline;
        boolean inside = rule.eitherWay() && Math.abs(change) <= rule.tolerancePct();
        return new Gate(
                new Figure(baseline, Bound.EXACT),
                new Figure(current, Bound.EXACT),
                change,
                OptionalDouble.empty(),
                OptionalDouble.empty(),
                OptionalDouble.empty(),
                Optional.empty(),
                inside ? Verdict.PASS : rule.verdict(change, change),
                rule.confidence(),
                Sessions.ONE,
                false,
                List.of("one figure a side: the point rule cannot tell a change from noise"));
    }

    /** A side has one run: the figures are shown, and decide nothing. */
    public static Gate undecided(Side baseline, Side current, Rule rule) {
        Figure before = baseline.figure();
        Figure now = current.figure();
        return new Gate(
                before,
                now,
                100 * (now.value() / before.value() - 1),
                OptionalDouble.empty(),
                OptionalDouble.empty(),
                OptionalDouble.empty(),
                Optional.empty(),
                Verdict.INCONCLUSIVE,
                rule.confidence(),
                Sessions.ONE,
                false,
                List.of("a side has one run, which does not show how much runs differ: it decides nothing. A"
                        + " gate decides by its interval alone, which takes " + Power.FEWEST_BY_T + " runs a side"));
    }

    /** Both sides' runs by an interval. */
    private record Judge(
            Side baseline, Side current, Rule rule, double bin, Sessions sessions, boolean paired, Student logs) {
        Gate gate(IntFunction<Student> withRuns) {
            double before = Summary.of(baseline.runs()).geomean();
            double now = Summary.of(current.runs()).geomean();
            Slack slack = Slack.ofLogRatio(before, now, bin);
            OptionalDouble lo = end(baseline, logs.lo(rule.confidence()) - slack.down());
            OptionalDouble hi = end(current, logs.hi(rule.confidence()) + slack.up());
            double alpha = 1 - rule.confidence();
            double known = Math.max(slack.down(), slack.up());
            double detectable = Power.byT(alpha, logs.df(), rule.power()) * logs.se() + known;
            Verdict verdict = rule.verdict(lo.orElse(Double.NEGATIVE_INFINITY), hi.orElse(Double.POSITIVE_INFINITY));
            boolean open = baseline.open() || current.open();
            if (verdict == Verdict.INCONCLUSIVE && rule.margin() < detectable && !open) {
                verdict = Verdict.UNDER_POWERED;
            }
            Optional<RunsNeeded> needed = switch (verdict) {
                case PASS, FAIL -> Optional.empty();
                case UNDER_POWERED ->
                    Optional.of(why(Power.runs(withRuns, rule.margin() - known, alpha, rule.power())));
                case INCONCLUSIVE ->
                    open
                            ? Optional.empty()
                            : Optional.of(why(Power.runsForReach(
                                    withRuns, (logs.reach(rule.confidence()) + known) / 2 - known, rule.confidence())));
            };
            double detectablePct = 100 * Math.expm1(detectable);
            return new Gate(
                    baseline.figure(),
                    current.figure(),
                    100 * (Math.exp(logs.estimate()) - 1),
                    lo,
                    hi,
                    lo.isEmpty() && hi.isEmpty() ? OptionalDouble.empty() : OptionalDouble.of(detectablePct),
                    needed,
                    verdict,
                    rule.confidence(),
                    sessions,
                    paired,
                    notes(verdict, needed, open, detectablePct));
        }

        /** Of two sessions more runs leave what sessions differ by. */
        private RunsNeeded why(RunsNeeded needed) {
            return switch (sessions) {
                case Sessions.One one -> needed;
                case Sessions.Unknown unknown -> needed.tooManyFor(RunsNeeded.Why.SESSIONS_UNKNOWN);
                case Sessions.Known known -> needed.tooManyFor(RunsNeeded.Why.SESSIONS);
            };
        }

        private List<String> notes(Verdict verdict, Optional<RunsNeeded> needed, boolean open, double detectablePct) {
            String known = Figures.number(bin) + " s";
            return switch (verdict) {
                case PASS, FAIL -> List.of();
                case UNDER_POWERED ->
                    List.of("under-powered: the tolerance of " + Figures.number(Math.abs(rule.tolerancePct()))
                            + " % is below the " + Figures.percent(detectablePct / 100)
                            + " that these runs can show"
                            + needed.map(runs -> "; " + runs.words("can show a change of its size", known))
                                    .orElse(""));
                case INCONCLUSIVE ->
                    List.of(
                            open
                                    ? "inconclusive: a side is a lower bound, and a higher figure could change the verdict"
                                    : "inconclusive at look " + rule.interim() + " of " + rule.interims()
                                            + ": the tolerance lies within the interval"
                                            + needed.map(runs -> "; " + runs.words("can make one half as wide", known))
                                                    .orElse(""));
            };
        }
    }

    /** What may be higher on the other side of a ratio opens the end. */
    private static OptionalDouble end(Side side, double logRatio) {
        return side.open() ? OptionalDouble.empty() : OptionalDouble.of(100 * (Math.exp(logRatio) - 1));
    }
}
