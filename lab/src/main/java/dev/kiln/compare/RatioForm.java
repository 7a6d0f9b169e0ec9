package dev.kiln.compare;

import dev.kiln.compare.Measured.Observation;
import dev.kiln.compare.MetricComparison.CrossCheck;
import dev.kiln.compare.MetricComparison.Form;
import dev.kiln.stats.AnalysisConfig;
import dev.kiln.stats.Conclusion;
import dev.kiln.stats.HodgesLehmann;
import dev.kiln.stats.PairedRatio;
import dev.kiln.stats.RatioComparison;
import dev.kiln.stats.SmallestP;
import dev.kiln.stats.Summary;
import dev.kiln.stats.WelchRatio;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/** Ratios of geometric means: of runs, or of the pairs that one block holds. */
record RatioForm(AnalysisConfig config, OptionalInt runsNeeded) {
    /** Fewest pairs that are worth their loss of degrees of freedom: two leave one. */
    private static final int FEWEST_PAIRS = 3;

    /** What a test of the model says, paired or not. */
    private record Interval(double ratio, double lo, double hi, double p) {}

    MetricComparison compare(Measured a, Measured b, boolean sameExperiment) {
        List<String> notes = new ArrayList<>();
        if (sameExperiment) {
            Measured pairedA = a.only(partners(a, b));
            Measured pairedB = b.only(partners(b, a));
            int alone = a.runs().size() + b.runs().size() - 2 * pairedA.runs().size();
            if (pairedA.runs().size() >= FEWEST_PAIRS) {
                if (alone > 0) {
                    notes.add(alone + (alone == 1 ? " valid run has" : " valid runs have")
                            + " no partner in the same block, and no part in this");
                }
                return paired(pairedA, pairedB, notes);
            }
        }
        return unpaired(a, b, notes);
    }

    /** The runs whose block holds one run of each. */
    private static List<Observation> partners(Measured of, Measured with) {
        return of.runs().stream()
                .filter(run -> run.block() > 0
                        && of.runs().stream()
                                        .filter(r -> r.block() == run.block())
                                        .count()
                                == 1
                        && with.runs().stream()
                                        .filter(r -> r.block() == run.block())
                                        .count()
                                == 1)
                .sorted(Comparator.comparingInt(Observation::block))
                .toList();
    }

    private MetricComparison unpaired(Measured a, Measured b, List<String> notes) {
        double[] x = a.values();
        double[] y = b.values();
        if (Math.min(x.length, y.length) < 2) {
            double ratio = Summary.of(y).geomean() / Summary.of(x).geomean();
            return MetricComparer.tooFew(a, b, Form.RATIO, OptionalDouble.of(ratio), notes);
        }
        WelchRatio welch = WelchRatio.of(x, y, config.confidence());
        Interval interval = new Interval(welch.ratio(), welch.lo(), welch.hi(), welch.p());
        if (Math.max(x.length, y.length) > HodgesLehmann.MOST_RUNS) {
            notes.add("more than " + HodgesLehmann.MOST_RUNS + " runs a side: there is no exact cross-check");
            Conclusion alone = Conclusion.of(
                    Math.log(welch.ratio()), welch.p(), OptionalDouble.empty(), 0, 1 - config.confidence());
            return result(a, b, interval, Optional.empty(), Optional.empty(), false, alone, notes);
        }
        RatioComparison both = RatioComparison.of(x, y, config).orElseThrow();
        boolean ranked = both.permutation().isEmpty();
        both.warnings().stream()
                .filter(warning -> ranked || !both.hodgesLehmann().warnings().contains(warning))
                .forEach(warning -> notes.add(warning.text()));
        return result(
                a,
                b,
                interval,
                Optional.of(crossCheck(both)),
                Optional.of(both.hodgesLehmann()),
                false,
                both.conclusion(),
                notes);
    }

    private static CrossCheck crossCheck(RatioComparison both) {
        return MetricComparer.permutation(both.permutation())
                .orElseGet(() ->
                        new CrossCheck("Mann-Whitney", both.hodgesLehmann().exactP()));
    }

    /**
     * The exact test of pairs flips their signs; below 6 pairs it could not reject whatever they were. There, the
     * permutation of all runs is as exact under randomised blocks, only blunter where blocks differ.
     */
    private MetricComparison paired(Measured a, Measured b, List<String> notes) {
        double[] x = a.values();
        double[] y = b.values();
        double alpha = 1 - config.confidence();
        PairedRatio pairs = PairedRatio.of(x, y, config.confidence());
        Interval interval = new Interval(pairs.ratio(), pairs.lo(), pairs.hi(), pairs.p());
        boolean flips = pairs.smallestPossible() < alpha;
        Optional<RatioComparison> runs =
                x.length > HodgesLehmann.MOST_RUNS ? Optional.empty() : RatioComparison.of(x, y, config);
        Optional<CrossCheck> check = flips
                ? pairs.signFlipP().isPresent()
                        ? Optional.of(new CrossCheck(
                                "exact sign flips", pairs.signFlipP().getAsDouble()))
                        : Optional.empty()
                : runs.map(RatioForm::crossCheck);
        Conclusion conclusion = flips
                ? pairs.conclusion()
                : Conclusion.of(
                        Math.log(pairs.ratio()),
                        pairs.p(),
                        check.map(c -> OptionalDouble.of(c.p())).orElse(OptionalDouble.empty()),
                        SmallestP.unpaired(x.length, y.length),
                        alpha);
        if (conclusion == Conclusion.EXPLORATORY) {
            notes.add("exploratory: at least " + SmallestP.runsNeeded(alpha) + " runs a side can show a difference");
        } else if (conclusion == Conclusion.INCONCLUSIVE) {
            notes.add("inconclusive: the interval on logarithms and the exact test disagree");
        }
        return result(a, b, interval, check, runs.map(RatioComparison::hodgesLehmann), true, conclusion, notes);
    }

    private MetricComparison result(
            Measured a,
            Measured b,
            Interval interval,
            Optional<CrossCheck> check,
            Optional<HodgesLehmann> ranks,
            boolean paired,
            Conclusion conclusion,
            List<String> notes) {
        return new MetricComparison(
                a.metric(),
                MetricComparer.side(a, Summary.of(a.values()).geomean()),
                MetricComparer.side(b, Summary.of(b.values()).geomean()),
                Form.RATIO,
                OptionalDouble.of(interval.ratio()),
                OptionalDouble.of(interval.lo()),
                OptionalDouble.of(interval.hi()),
                OptionalDouble.of(interval.p()),
                OptionalDouble.empty(),
                check,
                ranks,
                paired,
                MetricComparer.verdict(conclusion),
                runsNeeded,
                notes);
    }
}
