package dev.kiln.compare;

import dev.kiln.compare.Comparison.MetricComparison;
import dev.kiln.compare.Comparison.MetricComparison.Bound;
import dev.kiln.compare.Comparison.MetricComparison.Form;
import dev.kiln.model.Metric;
import dev.kiln.stats.Conclusion;
import dev.kiln.stats.ExactTest;
import dev.kiln.stats.PairedRatio;
import dev.kiln.stats.Power;
import dev.kiln.stats.Summary;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/**
 * One metric of two configurations, by the form that fits what was measured. Beside each interval stands an exact test: the
 * permutation within blocks where runs were interleaved in blocks, Mann and Whitney's elsewhere.
 *
 * @param confidence two-sided, of the interval; its complement is the level of the exact test
 * @param effect the change, as a share, that runs needed are given for
 */
record MetricComparer(double confidence, double effect) {
    MetricComparison compare(Measured a, Measured b, boolean sameExperiment) {
        List<String> notes = new ArrayList<>();
        Optional<Measured.Pairs> pairs = sameExperiment ? Measured.Pairs.of(a, b) : Optional.empty();
        pairs.flatMap(Measured.Pairs::note).ifPresent(notes::add);
        return pairs.map(found -> compare(found.a(), found.b(), true, notes))
                .orElseGet(() -> compare(a, b, false, notes));
    }

    private MetricComparison compare(Measured a, Measured b, boolean blocks, List<String> notes) {
        boolean time = a.metric().kind() == Metric.Kind.TIME;
        boolean ratio = a.metric().kind() != Metric.Kind.DIFFERENCE && a.positive() && b.positive();
        if (a.metric().kind() == Metric.Kind.POSITIVE && !ratio) {
            notes.add("a run has 0, so this is a difference and no ratio");
        }
        boolean several = Math.min(a.runs().size(), b.runs().size()) >= 2;
        MetricEstimate found = time && (a.anyCensored() || b.anyCensored())
                ? MetricEstimate.times(a, b, blocks, notes)
                : !ratio
                        ? MetricEstimate.difference(a, b, blocks, confidence)
                        : several ? MetricEstimate.ratio(a, b, blocks, confidence) : MetricEstimate.oneRatio(a, b);
        return judged(a, b, found, blocks, several, notes);
    }

    private MetricComparison judged(
            Measured a, Measured b, MetricEstimate found, boolean blocks, boolean several, List<String> notes) {
        double alpha = 1 - confidence;
        int n = a.runs().size();
        int m = b.runs().size();
        double least = blocks ? ExactTest.withinBlocks(n) : ExactTest.unpaired(n, m);
        OptionalDouble exact =
                found.check().map(check -> OptionalDouble.of(check.p())).orElse(OptionalDouble.empty());
        Conclusion both = several
                ? Conclusion.of(found.direction(), found.p(), exact, exact.isPresent() ? least : 0, alpha)
                : Conclusion.NOT_ENOUGH_RUNS;
        if (several && exact.isEmpty()) {
            notes.add("too many runs for an exact cross-check");
        }
        String needed =
                blocks ? ExactTest.pairsNeeded(alpha) + " blocks" : ExactTest.runsNeeded(alpha) + " runs a side";
        both.why(least, needed).ifPresent(notes::add);
        if (!several) {
            notes.add("n = 1: one run a side does not show how much runs differ; at least " + needed
                    + " can show a difference");
        }
        Bound bound = bound(a, b, notes);
        boolean from = bound == Bound.AT_MOST || bound == Bound.UNKNOWN;
        boolean to = bound == Bound.AT_LEAST || bound == Bound.UNKNOWN;
        return new MetricComparison(
                a.metric(),
                found.a(),
                found.b(),
                found.form(),
                bound == Bound.UNKNOWN ? OptionalDouble.empty() : OptionalDouble.of(found.estimate()),
                from ? OptionalDouble.empty() : found.lo(),
                to ? OptionalDouble.empty() : found.hi(),
                bound,
                confidence,
                several && bound != Bound.UNKNOWN ? OptionalDouble.of(found.p()) : OptionalDouble.empty(),
                OptionalDouble.empty(),
                found.check(),
                found.ranks(),
                blocks,
                within(bound, both),
                found.form() == Form.RATIO ? runsNeeded(a.values(), b.values(), blocks) : OptionalInt.empty(),
                notes);
    }

    private static Bound bound(Measured a, Measured b, List<String> notes) {
        boolean first = a.mayBeHigher();
        boolean second = b.mayBeHigher();
        a.lowerBound()
                .filter(why -> first)
                .ifPresent(why -> notes.add("the baseline's figure is a lower bound: " + why));
        b.lowerBound().filter(why -> second).ifPresent(why -> notes.add("the other's figure is a lower bound: " + why));
        return first ? second ? Bound.UNKNOWN : Bound.AT_MOST : second ? Bound.AT_LEAST : Bound.NONE;
    }

    /** What a higher figure could turn is open. */
    private static Conclusion within(Bound bound, Conclusion both) {
        boolean holds = switch (bound) {
            case NONE -> true;
            case AT_LEAST -> both == Conclusion.HIGHER;
            case AT_MOST -> both == Conclusion.LOWER;
            case UNKNOWN -> false;
        };
        boolean few = both == Conclusion.EXPLORATORY || both == Conclusion.NOT_ENOUGH_RUNS;
        return holds || few ? both : Conclusion.CANNOT_TELL;
    }

    private OptionalInt runsNeeded(double[] x, double[] y, boolean blocks) {
        if (Math.min(x.length, y.length) < 2) {
            return OptionalInt.empty();
        }
        double a = Summary.of(x).cv();
        double b = Summary.of(y).cv();
        OptionalInt runs = blocks
                ? Power.pairsForEffect(PairedRatio.of(x, y, confidence).seLog() * Math.sqrt(x.length), effect)
                : Power.runsForEffect(Math.sqrt((a * a + b * b) / 2), effect);
        int fewest = blocks ? ExactTest.pairsNeeded(1 - confidence) : ExactTest.runsNeeded(1 - confidence);
        return runs.isPresent() ? OptionalInt.of(Math.max(fewest, runs.getAsInt())) : runs;
    }
}
