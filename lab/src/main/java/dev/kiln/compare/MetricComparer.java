package dev.kiln.compare;

import dev.kiln.compare.MetricComparison.CrossCheck;
import dev.kiln.compare.MetricComparison.Form;
import dev.kiln.compare.MetricComparison.Side;
import dev.kiln.compare.MetricComparison.Verdict;
import dev.kiln.stats.AnalysisConfig;
import dev.kiln.stats.CensoredTimes;
import dev.kiln.stats.Conclusion;
import dev.kiln.stats.HodgesLehmann;
import dev.kiln.stats.Permutation;
import dev.kiln.stats.Power;
import dev.kiln.stats.SmallestP;
import dev.kiln.stats.Summary;
import dev.kiln.stats.Warning;
import dev.kiln.stats.WelchDifference;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/** One metric of two configurations, by the form that fits what was measured. */
final class MetricComparer {
    private final AnalysisConfig config;
    private final double effect;

    /**
     * With the constants of the analysis.
     *
     * @param effect the change, as a share, that runs needed are given for
     */
    MetricComparer(AnalysisConfig config, double effect) {
        this.config = config;
        this.effect = effect;
    }

    MetricComparison compare(Measured a, Measured b, boolean sameExperiment) {
        double[] x = a.values();
        double[] y = b.values();
        boolean positive = positive(x) && positive(y);
        if (a.metric().kind() == Metric.Kind.TIME && (a.anyCensored() || b.anyCensored() || !positive)) {
            return times(a, b);
        }
        if (a.metric().kind() == Metric.Kind.DIFFERENCE || !positive) {
            return difference(a, b);
        }
        return new RatioForm(config, runsNeeded(x, y)).compare(a, b, sameExperiment);
    }

    private static boolean positive(double[] values) {
        return Arrays.stream(values).allMatch(v -> v > 0);
    }

    private OptionalInt runsNeeded(double[] x, double[] y) {
        if (Math.min(x.length, y.length) < 2) {
            return OptionalInt.empty();
        }
        double a = Summary.of(x).cv();
        double b = Summary.of(y).cv();
        OptionalInt runs = Power.runsForEffect(Math.sqrt((a * a + b * b) / 2), effect);
        int fewest = SmallestP.runsNeeded(1 - config.confidence());
        return runs.isPresent() ? OptionalInt.of(Math.max(fewest, runs.getAsInt())) : runs;
    }

    private MetricComparison difference(Measured a, Measured b) {
        double[] x = a.values();
        double[] y = b.values();
        List<String> notes = new ArrayList<>();
        if (a.metric().kind() != Metric.Kind.DIFFERENCE) {
            notes.add("a run has 0, so this is a difference and no ratio");
        }
        OptionalDouble estimate = OptionalDouble.of(mean(y) - mean(x));
        if (Math.min(x.length, y.length) < 2) {
            return tooFew(a, b, Form.DIFFERENCE, estimate, notes);
        }
        WelchDifference welch = WelchDifference.of(x, y, config.confidence());
        Optional<CrossCheck> exact = permutation(Permutation.ofMeans(x, y));
        Conclusion conclusion = conclusion(welch.difference(), welch.p(), exact, x.length, y.length, notes);
        return new MetricComparison(
                a.metric(),
                side(a, mean(x)),
                side(b, mean(y)),
                Form.DIFFERENCE,
                estimate,
                OptionalDouble.of(welch.lo()),
                OptionalDouble.of(welch.hi()),
                OptionalDouble.of(welch.p()),
                OptionalDouble.empty(),
                exact,
                Optional.empty(),
                false,
                verdict(conclusion),
                OptionalInt.empty(),
                notes);
    }

    /** Restricted means under a common horizon, with the exact permutation of them; no interval. */
    private MetricComparison times(Measured a, Measured b) {
        double horizon =
                Math.min(a.horizon().orElse(Double.MAX_VALUE), b.horizon().orElse(Double.MAX_VALUE));
        CensoredTimes.Comparison times = CensoredTimes.compare(a.values(), b.values(), horizon);
        List<String> notes =
                new ArrayList<>(times.warnings().stream().map(Warning::text).toList());
        OptionalDouble estimate = OptionalDouble.of(times.restrictedMeanDifference());
        if (Math.min(a.runs().size(), b.runs().size()) < 2) {
            return tooFew(a, b, Form.DIFFERENCE, estimate, notes);
        }
        Optional<CrossCheck> exact = permutation(times.permutation()).or(() -> ranks(a.values(), b.values(), horizon));
        OptionalDouble p = exact.map(check -> OptionalDouble.of(check.p())).orElse(OptionalDouble.empty());
        Conclusion conclusion = conclusion(
                times.restrictedMeanDifference(),
                p.orElse(1),
                exact,
                a.runs().size(),
                b.runs().size(),
                notes);
        return new MetricComparison(
                a.metric(),
                side(times.a()),
                side(times.b()),
                Form.DIFFERENCE,
                estimate,
                OptionalDouble.empty(),
                OptionalDouble.empty(),
                p,
                OptionalDouble.empty(),
                exact,
                Optional.empty(),
                false,
                verdict(conclusion),
                OptionalInt.empty(),
                notes);
    }

    /** Ranks do not change if all times are moved: a time of 0 has no logarithm. */
    private Optional<CrossCheck> ranks(double[] x, double[] y, double horizon) {
        if (Math.max(x.length, y.length) > HodgesLehmann.MOST_RUNS) {
            return Optional.empty();
        }
        double[] a = Arrays.stream(x).map(t -> Math.min(t, horizon) + 1).toArray();
        double[] b = Arrays.stream(y).map(t -> Math.min(t, horizon) + 1).toArray();
        return Optional.of(new CrossCheck(
                "Mann-Whitney", HodgesLehmann.of(a, b, config.confidence()).exactP()));
    }

    private Conclusion conclusion(
            double estimate, double p, Optional<CrossCheck> exact, int n, int m, List<String> notes) {
        double alpha = 1 - config.confidence();
        OptionalDouble exactP = exact.map(check -> OptionalDouble.of(check.p())).orElse(OptionalDouble.empty());
        Conclusion conclusion = Conclusion.of(estimate, p, exactP, SmallestP.unpaired(n, m), alpha);
        if (conclusion == Conclusion.EXPLORATORY) {
            notes.add("exploratory: at least " + SmallestP.runsNeeded(alpha) + " runs a side can show a difference");
        }
        return conclusion;
    }

    static Optional<CrossCheck> permutation(Optional<Permutation> permutation) {
        return permutation.map(test -> new CrossCheck("exact permutation", test.p()));
    }

    static MetricComparison tooFew(Measured a, Measured b, Form form, OptionalDouble estimate, List<String> notes) {
        List<String> more = new ArrayList<>(notes);
        more.add("one run on a side says nothing of how much runs differ: at least 4 a side can show a difference");
        return new MetricComparison(
                a.metric(),
                side(a, mean(a.values())),
                side(b, mean(b.values())),
                form,
                estimate,
                OptionalDouble.empty(),
                OptionalDouble.empty(),
                OptionalDouble.empty(),
                OptionalDouble.empty(),
                Optional.empty(),
                Optional.empty(),
                false,
                Verdict.NOT_ENOUGH_RUNS,
                OptionalInt.empty(),
                more);
    }

    static Verdict verdict(Conclusion conclusion) {
        return switch (conclusion) {
            case HIGHER -> Verdict.HIGHER;
            case LOWER -> Verdict.LOWER;
            case NO_DIFFERENCE_SHOWN -> Verdict.NO_DIFFERENCE_SHOWN;
            case INCONCLUSIVE -> Verdict.INCONCLUSIVE;
            case EXPLORATORY -> Verdict.EXPLORATORY;
        };
    }

    static Side side(Measured m, double centre) {
        int reached = (int) m.runs().stream().filter(run -> !run.censored()).count();
        double[] sorted = m.values();
        Arrays.sort(sorted);
        double median = (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
        return new Side(sorted.length, reached, OptionalDouble.of(centre), OptionalDouble.of(median), m.horizon());
    }

    private static Side side(CensoredTimes times) {
        return new Side(
                times.runs(),
                times.reached(),
                OptionalDouble.of(times.restrictedMean()),
                times.median(),
                OptionalDouble.of(times.horizon()));
    }

    private static double mean(double[] values) {
        return Arrays.stream(values).average().orElse(Double.NaN);
    }
}
