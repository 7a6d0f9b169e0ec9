package dev.kiln.stats;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Two configurations compared on a positive quantity (peak, requests served, uncensored times); b over a. No bootstrap: its
 * intervals cover 80 % at 3 runs and 88 % at 5 for a nominal 95 %.
 *
 * @param permutation for at most 6 runs a side, where it is the cross-check; else the rank test is
 */
public record RatioComparison(
        Summary a,
        Summary b,
        WelchRatio welch,
        HodgesLehmann hodgesLehmann,
        Optional<Permutation> permutation,
        Conclusion conclusion,
        List<Warning> warnings) {
    private static final int MOST_RUNS_PERMUTED = 6;

    public RatioComparison {
        warnings = List.copyOf(warnings);
    }

    /** Of at least two runs a side; empty with fewer. */
    public static Optional<RatioComparison> of(double[] a, double[] b, AnalysisConfig config) {
        if (Math.min(a.length, b.length) < 2) {
            return Optional.empty();
        }
        double alpha = 1 - config.confidence();
        WelchRatio welch = WelchRatio.of(a, b, config.confidence());
        HodgesLehmann ranks = HodgesLehmann.of(a, b, config.confidence());
        Optional<Permutation> permutation =
                Math.max(a.length, b.length) <= MOST_RUNS_PERMUTED ? Permutation.ofRatios(a, b) : Optional.empty();
        double exactP = permutation.map(Permutation::p).orElse(ranks.exactP());
        double smallest = SmallestP.unpaired(a.length, b.length);
        Conclusion conclusion =
                Conclusion.of(Math.log(welch.ratio()), welch.p(), OptionalDouble.of(exactP), smallest, alpha);
        List<Warning> warnings = new ArrayList<>(conclusion.warnings(SmallestP.runsNeeded(alpha)));
        warnings.addAll(ranks.warnings());
        return Optional.of(
                new RatioComparison(Summary.of(a), Summary.of(b), welch, ranks, permutation, conclusion, warnings));
    }
}
