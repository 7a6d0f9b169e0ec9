package dev.kiln.compare;

import dev.kiln.compare.Comparison.MetricComparison;
import dev.kiln.compare.Comparison.MetricComparison.Bound;
import dev.kiln.compare.Comparison.MetricComparison.ChangeTests;
import dev.kiln.compare.Comparison.MetricComparison.ComparedSides;
import dev.kiln.compare.Comparison.MetricComparison.Form;
import dev.kiln.compare.Comparison.MetricComparison.MetricChange;
import dev.kiln.compare.Comparison.MetricComparison.TooFew;
import dev.kiln.model.Metric;
import dev.kiln.stats.Conclusion;
import dev.kiln.stats.Descriptive;
import dev.kiln.stats.Estimate.Slack;
import dev.kiln.stats.ExactTest;
import dev.kiln.stats.Figures;
import dev.kiln.stats.Power;
import dev.kiln.stats.RunsNeeded;
import dev.kiln.stats.Series;
import dev.kiln.stats.Sessions;
import dev.kiln.stats.Student;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;

/**
 * A MetricComparer compares one metric of two configurations by the form that fits what was measured. Beside each
 * interval stands an exact test: the permutation within blocks where runs were interleaved in blocks, Mann and
 * Whitney's elsewhere. For two sessions there is no exact test, and no conclusion unless earlier sessions say how much
 * sessions differ.
 *
 * @param confidence two-sided, of the interval; its complement is the level of the exact test
 * @param effect the change, as a share, that runs needed are given for
 */
record MetricComparer(double confidence, double effect) {
    /** Compares b with a, run by run within blocks where both are of one experiment with enough pairs. */
    MetricComparison compare(
            Measured a, Measured b, boolean sameExperiment, Function<EarlierSessions.Scale, Sessions> sessions) {
        List<String> notes = new ArrayList<>();
        Optional<Measured.MeasuredPairs> pairs = sameExperiment ? Measured.MeasuredPairs.of(a, b) : Optional.empty();
        pairs.flatMap(Measured.MeasuredPairs::note).ifPresent(notes::add);
        Blocks few = new Blocks(false, sameExperiment && !a.partners(b).runs().isEmpty());
        return pairs.map(found -> of(found.a(), found.b(), new Blocks(true, true), sessions, notes)
                        .judged())
                .orElseGet(() -> of(a, b, few, sessions, notes).judged());
    }

    /** Blocks say whether runs are compared within them now, or would be once there are enough of them. */
    private record Blocks(boolean now, boolean withMore) {}

    private Case of(
            Measured a,
            Measured b,
            Blocks blocks,
            Function<EarlierSessions.Scale, Sessions> sessions,
            List<String> notes) {
        boolean censored = a.anyCensored() || b.anyCensored();
        boolean ratio = a.metric().kind() != Metric.MetricKind.DIFFERENCE && a.positive(b) && !censored;
        if (a.metric().kind() == Metric.MetricKind.POSITIVE && !ratio) {
            notes.add("a run has 0, so this is a difference and no ratio");
        }
        Sessions of = sessions.apply(ratio ? EarlierSessions.Scale.LOGARITHMS : EarlierSessions.Scale.VALUES);
        // What is printed of two sessions whose variance nobody knows holds for these two: it is that of their runs.
        boolean unknown = of.equals(Sessions.UNKNOWN) || (censored && !of.equals(Sessions.ONE));
        return new Case(a, b, blocks, ratio, censored, unknown ? Sessions.UNKNOWN : of, notes);
    }

    /** A Case is one metric, and how its sides stand to one another. */
    private final class Case {
        private final Measured a;
        private final Measured b;
        private final boolean blocks;
        private final boolean blocksWithMore;
        private final boolean ratio;
        private final boolean censored;
        private final Sessions sessions;
        private final List<String> notes;
        private final boolean several;

        Case(
                Measured a,
                Measured b,
                Blocks blocks,
                boolean ratio,
                boolean censored,
                Sessions sessions,
                List<String> notes) {
            this.a = a;
            this.b = b;
            this.blocks = blocks.now;
            this.blocksWithMore = blocks.withMore;
            this.ratio = ratio;
            this.censored = censored;
            this.sessions = sessions;
            this.notes = notes;
            several = Math.min(a.runs().size(), b.runs().size()) >= 2;
        }

        private boolean unknown() {
            return sessions.equals(Sessions.UNKNOWN);
        }

        private boolean one() {
            return sessions.equals(Sessions.ONE);
        }

        private MetricEstimate estimate() {
            Sessions shown = unknown() ? Sessions.ONE : sessions;
            if (censored) {
                return MetricEstimate.times(a, b, blocks, shown, notes);
            }
            return !ratio
                    ? MetricEstimate.difference(a, b, blocks, shown, confidence)
                    : several ? MetricEstimate.ratio(a, b, blocks, shown, confidence) : MetricEstimate.oneRatio(a, b);
        }

        MetricComparison judged() {
            MetricEstimate found = estimate();
            Bound bound = bound();
            OptionalDouble least = least(found);
            Conclusion both = within(bound, conclusion(found, least));
            return new MetricComparison(
                    a.metric(),
                    new ComparedSides(found.a(), found.b(), blocks),
                    change(found, bound),
                    tests(found, bound, both, least),
                    both,
                    runsNeeded(found),
                    notes);
        }

        private MetricChange change(MetricEstimate found, Bound bound) {
            boolean from = bound == Bound.AT_MOST || bound == Bound.UNKNOWN;
            boolean to = bound == Bound.AT_LEAST || bound == Bound.UNKNOWN;
            return new MetricChange(
                    found.form(),
                    bound == Bound.UNKNOWN
                            ? OptionalDouble.empty()
                            : OptionalDouble.of(found.size().value()),
                    from ? OptionalDouble.empty() : found.size().lo(),
                    to ? OptionalDouble.empty() : found.size().hi(),
                    bound,
                    confidence);
        }

        private ChangeTests tests(MetricEstimate found, Bound bound, Conclusion both, OptionalDouble least) {
            boolean tested = several && !unknown() && (bound != Bound.UNKNOWN || bothCensored());
            return new ChangeTests(
                    tested ? OptionalDouble.of(found.p()) : OptionalDouble.empty(),
                    OptionalDouble.empty(),
                    unknown() ? Optional.empty() : found.check(),
                    unknown() ? Optional.empty() : found.ranks(),
                    tooFew(both, least.orElse(0)));
        }

        /** Returns why nothing could be shown by so few runs; empty where there are enough. */
        private Optional<TooFew> tooFew(Conclusion both, double least) {
            return switch (both) {
                case NOT_ENOUGH_RUNS ->
                    Optional.of(new TooFew(
                            one() ? Optional.of(needed()) : Optional.empty(),
                            "n = 1: one run a side does not show how much runs differ"
                                    + (one() ? "; at least " + needed() + " can show a difference" : "")));
                case EXPLORATORY -> both.why(least, needed()).map(note -> new TooFew(Optional.of(needed()), note));
                case HIGHER, LOWER, NO_DIFFERENCE_SHOWN, INCONCLUSIVE, TWO_SESSIONS, CANNOT_TELL -> Optional.empty();
            };
        }

        private String needed() {
            double alpha = 1 - confidence;
            return blocksWithMore
                    ? Power.fewest(Power.Design.BLOCKS, alpha) + " blocks"
                    : Power.fewest(Power.Design.GROUPS, alpha) + " runs a side";
        }

        /** Returns the least p that the exact test can give; empty where there is no such test. */
        private OptionalDouble least(MetricEstimate found) {
            int n = a.runs().size();
            int m = b.runs().size();
            return found.check().isEmpty()
                    ? OptionalDouble.empty()
                    : OptionalDouble.of(blocks ? ExactTest.withinBlocks(n) : ExactTest.unpaired(n, m));
        }

        private Conclusion conclusion(MetricEstimate found, OptionalDouble least) {
            if (!several) {
                return Conclusion.NOT_ENOUGH_RUNS;
            }
            if (unknown()) {
                return Conclusion.TWO_SESSIONS;
            }
            OptionalDouble exact =
                    found.check().map(check -> OptionalDouble.of(check.p())).orElse(OptionalDouble.empty());
            Conclusion both = Conclusion.of(found.direction(), found.p(), exact, least.orElse(0), 1 - confidence);
            if (exact.isEmpty() && one()) {
                notes.add("too many runs for an exact cross-check");
            }
            if (both != Conclusion.EXPLORATORY) {
                both.why(least.orElse(0), needed()).ifPresent(notes::add);
            }
            return both;
        }

        private boolean bothCensored() {
            return anyCut(a) && anyCut(b) && !a.mayBeHigher() && !b.mayBeHigher();
        }

        /** Tells whether a run did not get there, or later than the other side looked: its time is cut there. */
        private boolean anyCut(Measured side) {
            double horizon = MetricEstimate.horizon(a, b);
            return side.anyCensored()
                    || (censored && Arrays.stream(side.values()).anyMatch(time -> time >= horizon));
        }

        /** Returns which end of the interval is open: a side's peak is a lower bound, or a run did not get there. */
        private Bound bound() {
            a.lowerBound()
                    .filter(why -> a.mayBeHigher())
                    .ifPresent(why -> notes.add("the baseline's figure is a lower bound: " + why));
            b.lowerBound()
                    .filter(why -> b.mayBeHigher())
                    .ifPresent(why -> notes.add("the other's figure is a lower bound: " + why));
            boolean first = a.mayBeHigher() || anyCut(a);
            boolean second = b.mayBeHigher() || anyCut(b);
            return first ? second ? Bound.UNKNOWN : Bound.AT_MOST : second ? Bound.AT_LEAST : Bound.NONE;
        }

        /**
         * Returns the conclusion as far as higher figures of a side could not change it. Where both sides have runs
         * that did not get there, their ranks show which is later, but not by how much.
         */
        private Conclusion within(Bound bound, Conclusion both) {
            boolean holds = switch (bound) {
                case NONE -> true;
                case AT_LEAST -> both == Conclusion.HIGHER;
                case AT_MOST -> both == Conclusion.LOWER;
                case UNKNOWN -> bothCensored() && both.shown();
            };
            return switch (both) {
                case EXPLORATORY, NOT_ENOUGH_RUNS, TWO_SESSIONS -> both;
                case HIGHER, LOWER, NO_DIFFERENCE_SHOWN, INCONCLUSIVE, CANNOT_TELL ->
                    holds ? both : Conclusion.CANNOT_TELL;
            };
        }

        private Optional<RunsNeeded> runsNeeded(MetricEstimate found) {
            if (found.form() != Form.RATIO || !several) {
                return Optional.empty();
            }
            double[] x = Series.logs(a.values());
            double[] y = Series.logs(b.values());
            double alpha = 1 - confidence;
            Slack slack = a.resolution(b).ofLogRatio(Math.exp(Descriptive.mean(x)), Math.exp(Descriptive.mean(y)));
            double left = Math.log1p(effect) - Math.max(slack.down(), slack.up());
            RunsNeeded needed = switch (sessions) {
                case Sessions.One one -> ofOneSession(x, y, left, alpha);
                case Sessions.Unknown unknown -> new RunsNeeded.NoNumber(RunsNeeded.Why.SESSIONS_UNKNOWN);
                case Sessions.Known known ->
                    Power.runs(runs -> known.withRuns(x, y, runs), left, alpha, Power.POWER)
                            .tooManyFor(RunsNeeded.Why.SESSIONS);
            };
            if (needed instanceof RunsNeeded.NoNumber no && no.why() != RunsNeeded.Why.SESSIONS_UNKNOWN) {
                notes.add(needed.words(
                        "can show a change of " + Figures.percent(effect),
                        a.resolution(b).words()));
            }
            return Optional.of(needed);
        }

        /**
         * Returns the runs by the rule that will decide. Too few blocks do not show how much pairs differ: then they are
         * taken to differ by what both runs do.
         */
        private RunsNeeded ofOneSession(double[] x, double[] y, double left, double alpha) {
            double both = Descriptive.sampleVariance(x) + Descriptive.sampleVariance(y);
            double ofPairs = blocks ? Student.pairs(x, y).se() * Math.sqrt(x.length) : Math.sqrt(both);
            return blocksWithMore
                    ? Power.runs(Power.Design.BLOCKS, ofPairs, left, alpha)
                    : Power.runs(Power.Design.GROUPS, Math.sqrt(both / 2), left, alpha);
        }
    }
}
