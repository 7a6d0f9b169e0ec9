package dev.kiln.compare;

import dev.kiln.compare.Comparison.Against;
import dev.kiln.compare.MetricComparison.Verdict;
import dev.kiln.stats.AnalysisConfig;
import dev.kiln.stats.Multiplicity;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Predicate;

/** Several configurations against the first, all comparisons counted. */
public final class Comparer {
    private final AnalysisConfig config;
    private final MetricComparer metrics;

    private Comparer(AnalysisConfig config, double effect) {
        this.config = config;
        this.metrics = new MetricComparer(config, effect);
    }

    /**
     * Compares at least two configurations.
     *
     * @param primary id of the metric that is tested under Holm
     * @param effect the change, as a share, that runs needed are given for
     */
    public static Comparison of(
            List<Configuration> configurations, String primary, double effect, AnalysisConfig config) {
        Comparer comparer = new Comparer(config, effect);
        Configuration baseline = configurations.getFirst();
        List<Against> others = configurations.stream()
                .skip(1)
                .map(other -> comparer.against(baseline, other))
                .toList();
        List<Against> adjusted = comparer.adjust(others, m -> m.metric().id().equals(primary), "Holm");
        adjusted = comparer.adjust(adjusted, m -> !m.metric().id().equals(primary), "Benjamini and Hochberg");
        List<String> notes = new ArrayList<>();
        adjusted.forEach(against -> against.differences().forEach(d -> notes.add("NOT A FAIR COMPARISON: " + d)));
        configurations.forEach(configuration -> notes.addAll(configuration.namedNotes()));
        return new Comparison(baseline, adjusted, primary, effect, notes, config);
    }

    /** Metrics that both have, in the order of the baseline. */
    private Against against(Configuration a, Configuration b) {
        boolean same = a.experiment().isPresent() && a.experiment().equals(b.experiment());
        List<MetricComparison> out = new ArrayList<>();
        for (Measured mine : a.metrics()) {
            b.metric(mine.metric().id())
                    .flatMap(theirs -> inUnit(theirs, mine.metric().unit()))
                    .map(theirs -> metrics.compare(mine, theirs, same))
                    .ifPresent(out::add);
        }
        return new Against(b, out, a.differences(b));
    }

    /** Empty where a unit cannot be turned into the other: a ratio of milliseconds to bytes says nothing. */
    private static Optional<Measured> inUnit(Measured measured, String unit) {
        String own = measured.metric().unit();
        if (own.isEmpty() || unit.isEmpty()) {
            return Optional.of(measured);
        }
        OptionalDouble factor = Units.factor(own, unit);
        return factor.isEmpty() ? Optional.empty() : Optional.of(measured.scaled(factor.getAsDouble(), unit));
    }

    private List<Against> adjust(List<Against> all, Predicate<MetricComparison> which, String method) {
        Predicate<MetricComparison> tested =
                m -> which.test(m) && m.p().isPresent() && m.verdict() != Verdict.NOT_POOLED;
        double[] p = all.stream()
                .flatMap(against -> against.metrics().stream())
                .filter(tested)
                .mapToDouble(m -> m.p().orElseThrow())
                .toArray();
        double[] adjusted = method.equals("Holm") ? Multiplicity.holm(p) : Multiplicity.benjaminiHochberg(p);
        double alpha = 1 - config.confidence();
        List<Against> out = new ArrayList<>();
        int next = 0;
        for (Against against : all) {
            List<MetricComparison> metricsOut = new ArrayList<>();
            for (MetricComparison m : against.metrics()) {
                metricsOut.add(tested.test(m) ? m.adjusted(adjusted[next++], alpha, method) : m);
            }
            out.add(new Against(against.other(), metricsOut, against.differences()));
        }
        return out;
    }
}
