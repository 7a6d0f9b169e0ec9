package dev.kiln.stats;

import dev.kiln.stats.Estimate.Slack;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.IntFunction;

/**
 * A Gate judges the current runs against a baseline with a tolerance. All changes are percentages: 100 * (current /
 * baseline - 1).
 *
 * @param baseline geometric mean of the baseline's runs, or its one figure
 * @param current the same of the current runs
 * @param runsNeeded a side, to decide; empty where it is decided, or a side is a lower bound
 * @param sessions how the two sides stand to one another; Sessions.ONE also for pairs
 * @param notes what a reader must know
 */
public record Gate(
        Figure baseline,
        Figure current,
        GateChange change,
        Verdict verdict,
        Optional<RunsNeeded> runsNeeded,
        Sessions sessions,
        List<String> notes) {
    /** A wrong PASS or FAIL has at most this chance on either side, over all interim analyses. */
    public static final double ALPHA_PER_SIDE = 0.05;

    private static final int MOST_INTERIMS = 3;

    /** The verdicts stand in the order of what stops a build first. */
    public enum Verdict {
        /** The interval lies wholly beyond the tolerance. */
        FAIL,
        /** The tolerance lies within the interval, and an unchanged figure passes in under four cases of five. */
        UNDER_POWERED,
        INCONCLUSIVE,
        /** The interval lies wholly within the tolerance. */
        PASS
    }

    /** A FigureBound says how a side's figure stands to the true one. */
    public enum FigureBound {
        EXACT,
        /** The true figure may be higher. */
        AT_LEAST,
        /** The true figure is higher: half the runs or more did not reach the level. */
        BEYOND
    }

    /**
     * A GateChange is how far the current runs lie from the baseline.
     *
     * @param loPct of the interval; empty where none is made, and where it is open because a side is a lower bound
     * @param detectablePct the change that these runs can show with 80 % power; empty without an interval
     * @param confidence two-sided, of the interval
     * @param paired runs of one block were compared with one another
     */
    public record GateChange(
            double pct,
            OptionalDouble loPct,
            OptionalDouble hiPct,
            OptionalDouble detectablePct,
            double confidence,
            boolean paired) {
        /** Makes a change without an interval; its rule has a confidence nevertheless. */
        private static GateChange point(double pct, Rule rule) {
            return new GateChange(
                    pct,
                    OptionalDouble.empty(),
                    OptionalDouble.empty(),
                    OptionalDouble.empty(),
                    rule.confidence(),
                    false);
        }
    }

    /** A Figure sums up one side in one number. */
    public record Figure(double value, FigureBound bound) {}

    /**
     * A Rule says how much may change, and by which of the interim analyses it is judged.
     *
     * @param tolerancePct positive: lower is better, this much more is tolerated; negative: higher is better
     * @param eitherWay neither more nor less is tolerated; the margin of less is 1 / (1 + the tolerance)
     * @param interim which of the interim analyses of growing data this is, from 1
     * @param interims planned, at most 3; alpha is split evenly among them (Bonferroni), which holds whenever one stops
     * @param share of alpha that is left; under 1 where the interval's width decided how many runs there are
     */
    public record Rule(double tolerancePct, boolean eitherWay, int interim, int interims, double share) {
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

        /** Makes the rule for runs of which nothing that it judges decided how many there are. */
        public Rule(double tolerancePct, boolean eitherWay, int interim, int interims) {
            this(tolerancePct, eitherWay, interim, interims, 1);
        }

        /** Returns the confidence of two one-sided tests at 5 % shared by interim analyses: 90 % for one. */
        double confidence() {
            return 1 - share * 2 * ALPHA_PER_SIDE / interims;
        }

        /** Returns how far the tolerance lies from no change, on the logarithm of the ratio. */
        private double margin() {
            return Math.abs(Math.log1p(tolerancePct / 100));
        }

        /** Returns one side's power, so that an unchanged figure passes all sides tested with 80 % power. */
        private double power() {
            return eitherWay ? (1 + Power.POWER) / 2 : Power.POWER;
        }

        /** Judges an interval in percent, whose open ends are infinite. */
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

    /** A GateSide is one side's runs, all above 0; each may be a bound. */
    public record GateSide(double[] runs, FigureBound bound) {
        public GateSide(double[] runs) {
            this(runs, FigureBound.EXACT);
        }

        boolean open() {
            return bound != FigureBound.EXACT;
        }

        /** Returns the side in one figure: the geometric mean, or the longest time where it is open above. */
        private Figure figure() {
            double value = bound == FigureBound.BEYOND
                    ? Arrays.stream(runs).max().orElseThrow()
                    : Summary.of(runs).geomean();
            return new Figure(value, bound);
        }
    }

    public Gate {
        notes = List.copyOf(notes);
    }

    /** Judges two runs a side or more, of one session. */
    public static Gate of(GateSide baseline, GateSide current, Rule rule, Resolution known) {
        return of(baseline, current, rule, known, Sessions.ONE);
    }

    /** Judges at least two runs a side, of one session or of two. */
    public static Gate of(GateSide baseline, GateSide current, Rule rule, Resolution known, Sessions sessions) {
        double[] x = Series.logs(baseline.runs());
        double[] y = Series.logs(current.runs());
        return new GateJudge(baseline, current, rule, known, sessions, false, sessions.difference(x, y))
                .gate(runs -> sessions.withRuns(x, y, runs));
    }

    /** Judges pairs of runs i, each of one block, by t on their log ratios; or two groups, of which more blocks will make pairs. */
    public static Gate ofBlocks(GateSide baseline, GateSide current, Rule rule, Resolution known, boolean paired) {
        double[] x = Series.logs(baseline.runs());
        double[] y = Series.logs(current.runs());
        Student now = paired ? Student.pairs(x, y) : Student.welch(x, y);
        // Too few blocks do not show how much pairs differ: then they are taken to differ by what both runs do.
        double both = Descriptive.sampleVariance(x) + Descriptive.sampleVariance(y);
        double ofPairs = paired ? now.se() * Math.sqrt(x.length) : Math.sqrt(both);
        return new GateJudge(baseline, current, rule, known, Sessions.ONE, paired, now)
                .gate(runs -> new Student(now.estimate(), ofPairs / Math.sqrt(runs), runs - 1.0));
    }

    /** Judges one figure a side, without an interval, where the user asked for that rule. */
    public static Gate point(double baseline, double current, Rule rule) {
        // Not 100 * (now / before - 1), which makes 101 of 100 a little more than 1 %.
        double change = 100 * (current - baseline) / baseline;
        boolean inside = rule.eitherWay() && Math.abs(change) <= rule.tolerancePct();
        return new Gate(
                new Figure(baseline, FigureBound.EXACT),
                new Figure(current, FigureBound.EXACT),
                GateChange.point(change, rule),
                inside ? Verdict.PASS : rule.verdict(change, change),
                Optional.empty(),
                Sessions.ONE,
                List.of("one figure a side: the point rule cannot tell a change from noise"));
    }

    /** Makes the gate of a side with one run: the figures are shown, and decide nothing. */
    public static Gate undecided(GateSide baseline, GateSide current, Rule rule) {
        Figure before = baseline.figure();
        Figure now = current.figure();
        return new Gate(
                before,
                now,
                GateChange.point(100 * (now.value() / before.value() - 1), rule),
                Verdict.INCONCLUSIVE,
                Optional.empty(),
                Sessions.ONE,
                List.of("a side has one run, which does not show how much runs differ: it decides nothing. A"
                        + " gate decides by its interval alone, which takes " + Power.FEWEST_BY_T + " runs a side"));
    }

    /** A GateJudge decides from both sides' runs by an interval. */
    private record GateJudge(
            GateSide baseline,
            GateSide current,
            Rule rule,
            Resolution resolution,
            Sessions sessions,
            boolean paired,
            Student logs) {
        Gate gate(IntFunction<Student> withRuns) {
            double before = Summary.of(baseline.runs()).geomean();
            double now = Summary.of(current.runs()).geomean();
            Slack slack = resolution.ofLogRatio(before, now);
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
                    new GateChange(
                            100 * (Math.exp(logs.estimate()) - 1),
                            lo,
                            hi,
                            lo.isEmpty() && hi.isEmpty() ? OptionalDouble.empty() : OptionalDouble.of(detectablePct),
                            rule.confidence(),
                            paired),
                    verdict,
                    needed,
                    sessions,
                    notes(verdict, needed, open, detectablePct));
        }

        /** Names why no number of runs decides between two sessions: more leave what sessions differ by. */
        private RunsNeeded why(RunsNeeded needed) {
            return switch (sessions) {
                case Sessions.One one -> needed;
                case Sessions.Unknown unknown -> needed.tooManyFor(RunsNeeded.Why.SESSIONS_UNKNOWN);
                case Sessions.Known known -> needed.tooManyFor(RunsNeeded.Why.SESSIONS);
            };
        }

        private List<String> notes(Verdict verdict, Optional<RunsNeeded> needed, boolean open, double detectablePct) {
            String known = resolution.words();
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

    /** Returns an end of the interval in percent; empty where the side that bounds it may be higher than its figure. */
    private static OptionalDouble end(GateSide side, double logRatio) {
        return side.open() ? OptionalDouble.empty() : OptionalDouble.of(100 * (Math.exp(logRatio) - 1));
    }
}
