package dev.kiln.compare;

import dev.kiln.compare.Comparison.MetricComparison.CrossCheck;
import dev.kiln.compare.Comparison.MetricComparison.Form;
import dev.kiln.compare.Comparison.MetricComparison.Side;
import dev.kiln.stats.CensoredTimes;
import dev.kiln.stats.Descriptive;
import dev.kiln.stats.Estimate.Slack;
import dev.kiln.stats.ExactTest.Permutation;
import dev.kiln.stats.ExactTest.RankSums;
import dev.kiln.stats.HodgesLehmann;
import dev.kiln.stats.Series;
import dev.kiln.stats.Sessions;
import dev.kiln.stats.Student;
import dev.kiln.stats.Student.PairedRatio;
import dev.kiln.stats.Summary;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** A MetricEstimate is what a metric's own method says: b over or minus a, and the exact test if any. */
record MetricEstimate(
        Form form,
        Side a,
        Side b,
        EstimatedSize size,
        double p,
        Optional<CrossCheck> check,
        Optional<HodgesLehmann> ranks) {
    /** An EstimatedSize is the estimate; its ends are empty for censored times, or a side of one run. */
    record EstimatedSize(double value, OptionalDouble lo, OptionalDouble hi) {
        private static EstimatedSize of(double value, double lo, double hi) {
            return new EstimatedSize(value, OptionalDouble.of(lo), OptionalDouble.of(hi));
        }

        private static EstimatedSize alone(double value) {
            return new EstimatedSize(value, OptionalDouble.empty(), OptionalDouble.empty());
        }
    }

    /** Returns a number above 0 if the second is higher. */
    double direction() {
        return form == Form.RATIO ? Math.log(size.value()) : size.value();
    }

    static MetricEstimate oneRatio(Measured a, Measured b) {
        double from = Summary.of(a.values()).geomean();
        double to = Summary.of(b.values()).geomean();
        return alone(Form.RATIO, side(a, from), side(b, to), to / from);
    }

    private static MetricEstimate alone(Form form, Side a, Side b, double estimate) {
        return new MetricEstimate(form, a, b, EstimatedSize.alone(estimate), 1, Optional.empty(), Optional.empty());
    }

    static MetricEstimate ratio(Measured a, Measured b, boolean blocks, Sessions sessions, double confidence) {
        double[] x = a.values();
        double[] y = b.values();
        double from = Summary.of(x).geomean();
        double to = Summary.of(y).geomean();
        Slack slack = a.resolution(b).ofLogRatio(from, to);
        Optional<HodgesLehmann> ranks = Math.max(x.length, y.length) > RankSums.MOST_RUNS
                ? Optional.empty()
                : Optional.of(HodgesLehmann.of(x, y, confidence).widened(slack));
        if (blocks) {
            PairedRatio pairs = PairedRatio.of(x, y, confidence, slack);
            return new MetricEstimate(
                    Form.RATIO,
                    side(a, from),
                    side(b, to),
                    EstimatedSize.of(pairs.ratio(), pairs.lo(), pairs.hi()),
                    pairs.p(),
                    withinBlocks(pairs.permutation().p()),
                    ranks);
        }
        double[] logsOfX = Series.logs(x);
        double[] logsOfY = Series.logs(y);
        Student logs = sessions.difference(logsOfX, logsOfY);
        return new MetricEstimate(
                Form.RATIO,
                side(a, from),
                side(b, to),
                EstimatedSize.of(
                        Math.exp(logs.estimate()),
                        Math.exp(logs.lo(confidence) - slack.down()),
                        Math.exp(logs.hi(confidence) + slack.up())),
                logs.nearest(slack).p(),
                exact(sessions) ? check(logsOfX, logsOfY, slack, logs.estimate(), false) : Optional.empty(),
                exact(sessions) ? ranks : Optional.empty());
    }

    /** Tells whether an exact test is possible: runs of two sessions are no rearrangements of one another. */
    private static boolean exact(Sessions sessions) {
        return sessions.equals(Sessions.ONE);
    }

    static MetricEstimate difference(Measured a, Measured b, boolean blocks, Sessions sessions, double confidence) {
        double[] x = a.values();
        double[] y = b.values();
        double estimate = mean(y) - mean(x);
        if (Math.min(x.length, y.length) < 2) {
            return alone(Form.DIFFERENCE, side(a, mean(x)), side(b, mean(y)), estimate);
        }
        Slack slack = a.resolution(b).ofDifference();
        Student t = blocks ? Student.pairs(x, y) : sessions.difference(x, y);
        return new MetricEstimate(
                Form.DIFFERENCE,
                side(a, mean(x)),
                side(b, mean(y)),
                EstimatedSize.of(estimate, t.lo(confidence) - slack.down(), t.hi(confidence) + slack.up()),
                t.nearest(slack).p(),
                exact(sessions) ? check(x, y, slack, estimate, blocks) : Optional.empty(),
                Optional.empty());
    }

    /** Returns the time until which both sides were looked at. */
    static double horizon(Measured a, Measured b) {
        return Math.min(a.horizon().orElse(Double.MAX_VALUE), b.horizon().orElse(Double.MAX_VALUE));
    }

    /** Estimates the difference of restricted means under a common horizon: the exact test, no interval. */
    static MetricEstimate times(Measured a, Measured b, boolean blocks, Sessions sessions, List<String> notes) {
        double horizon = horizon(a, b);
        CensoredTimes.CensoredDifference times = CensoredTimes.compare(a.values(), b.values(), horizon);
        notes.addAll(times.warnings());
        double estimate = times.restrictedMeanDifference();
        Optional<CrossCheck> exact = exact(sessions)
                ? check(
                        CensoredTimes.cut(a.values(), horizon),
                        CensoredTimes.cut(b.values(), horizon),
                        a.resolution(b).ofDifference(),
                        estimate,
                        blocks)
                : Optional.empty();
        return new MetricEstimate(
                Form.DIFFERENCE,
                side(times.a(), a),
                side(times.b(), b),
                EstimatedSize.alone(estimate),
                exact.map(CrossCheck::p).orElse(1.0),
                exact,
                Optional.empty());
    }

    /** Runs the exact test on values that are moved towards one another by the resolution to which they are known. */
    private static Optional<CrossCheck> check(double[] x, double[] y, Slack slack, double estimate, boolean blocks) {
        double left = slack.towardsZero(estimate);
        boolean nothingLeft = left == 0 && estimate != 0;
        double[] near = nothingLeft
                ? x
                : Arrays.stream(y).map(v -> v - (estimate - left)).toArray();
        if (!blocks) {
            return rankSums(x, near);
        }
        double[] differences = new double[x.length];
        Arrays.setAll(differences, i -> near[i] - x[i]);
        return withinBlocks(Permutation.withinBlocks(differences).p());
    }

    private static Optional<CrossCheck> withinBlocks(OptionalDouble p) {
        return p.isPresent()
                ? Optional.of(new CrossCheck("permutation within blocks", p.getAsDouble()))
                : Optional.empty();
    }

    private static Optional<CrossCheck> rankSums(double[] x, double[] y) {
        OptionalDouble p = RankSums.p(x, y);
        return p.isPresent() ? Optional.of(new CrossCheck("Mann-Whitney", p.getAsDouble())) : Optional.empty();
    }

    private static Side side(Measured m, double centre) {
        int reached = (int) m.runs().stream().filter(run -> !run.censored()).count();
        double[] sorted = m.values();
        Arrays.sort(sorted);
        double median = (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
        return new Side(
                sorted.length,
                reached,
                OptionalDouble.of(centre),
                sorted.length < 2
                        ? OptionalDouble.empty()
                        : OptionalDouble.of(Math.sqrt(Descriptive.sampleVariance(sorted))),
                OptionalDouble.of(median),
                m.horizon(),
                m.mayBeHigher());
    }

    private static Side side(CensoredTimes times, Measured m) {
        return new Side(
                times.runs(),
                times.reached(),
                OptionalDouble.of(times.restrictedMean()),
                OptionalDouble.empty(),
                times.median(),
                OptionalDouble.of(times.horizon()),
                m.mayBeHigher());
    }

    private static double mean(double[] values) {
        return Arrays.stream(values).average().orElse(Double.NaN);
    }
}
