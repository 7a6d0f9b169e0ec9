package dev.kiln.compare;

import dev.kiln.compare.Comparison.Against;
import dev.kiln.compare.Comparison.MetricComparison;
import dev.kiln.compare.Comparison.MetricComparison.Form;
import dev.kiln.compare.EarlierSessions.Scale;
import dev.kiln.explain.study.Precision;
import dev.kiln.model.Metric;
import dev.kiln.stats.AnalysisConfig;
import dev.kiln.stats.Conclusion;
import dev.kiln.stats.Figures;
import dev.kiln.stats.Multiplicity;
import dev.kiln.stats.Sessions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

/** A Comparer compares configurations with the first: the primary metric by Holm, others by Benjamini and Hochberg. */
public final class Comparer {
    /** This change, as a share, is what needed runs are computed for where nobody asked for another. */
    public static final double EFFECT = AnalysisConfig.DELTA;

    private final Configuration baseline;
    private final List<Configuration> others;
    private final EarlierSessions earlier;
    private final String primary;
    private final double effect;
    private final double alpha;

    private Comparer(
            List<Configuration> configurations, EarlierSessions earlier, String primary, double effect, double alpha) {
        this.baseline = configurations.getFirst();
        this.others = configurations.subList(1, configurations.size());
        this.earlier = earlier;
        this.primary = primary;
        this.effect = effect;
        this.alpha = alpha;
    }

    /** Compares two configurations or more; Holm tests the metric primary, runs needed are for the share effect. */
    public static Comparison of(
            List<Configuration> configurations, String primary, double effect, AnalysisConfig config) {
        return of(configurations, EarlierSessions.NONE, primary, effect, config);
    }

    /** Compares at least two configurations; earlier sessions of the same say how much two sessions differ. */
    public static Comparison of(
            List<Configuration> configurations,
            EarlierSessions earlier,
            String primary,
            double effect,
            AnalysisConfig config) {
        return of(configurations, earlier, primary, effect, config, config.confidence());
    }

    /** Compares as one of several comparisons, each at a confidence at which all of them hold together. */
    public static Comparison of(
            List<Configuration> configurations,
            EarlierSessions earlier,
            String primary,
            double effect,
            AnalysisConfig config,
            double confidence) {
        Comparer comparer = new Comparer(configurations, earlier, primary, effect, 1 - confidence);
        List<Against> found = comparer.explored(comparer.holm());
        List<String> notes = new ArrayList<>();
        found.forEach(against -> against.differences().forEach(d -> notes.add("NOT A FAIR COMPARISON: " + d)));
        found.forEach(against -> comparer.sessions(against).ifPresent(notes::add));
        configurations.forEach(configuration -> notes.addAll(configuration.namedNotes()));
        return new Comparison(comparer.baseline, found, primary, effect, notes, confidence, config);
    }

    /** Compares by the peak where all have one, else by the first metric that they share; empty without one. */
    public static Optional<Comparison> of(List<Configuration> all, AnalysisConfig config) {
        if (all.size() < 2) {
            return Optional.empty();
        }
        List<String> shared = all.getFirst().metrics().stream()
                .map(measured -> measured.metric().id())
                .filter(id -> all.stream().allMatch(other -> other.metric(id).isPresent()))
                .toList();
        String peak = Metric.PEAK.id();
        return shared.isEmpty()
                ? Optional.empty()
                : Optional.of(of(all, shared.contains(peak) ? peak : shared.getFirst(), EFFECT, config));
    }

    /** Computes the p of each comparison alone, and compares each again at the level that Holm leaves it. */
    private List<Against> holm() {
        double[] p = others.stream()
                .mapToDouble(other -> ofPrimary(against(other, alpha)).orElse(1))
                .toArray();
        double share = others.stream()
                .mapToDouble(other -> share(other, primary))
                .min()
                .orElse(1);
        double[] levels = Multiplicity.holmLevels(p, alpha * share);
        double[] adjusted = Multiplicity.holm(p);
        List<Against> out = new ArrayList<>();
        for (int i = 0; i < p.length; i++) {
            double all = Math.min(1, adjusted[i] / share);
            Against against = against(others.get(i), levels[i]);
            List<MetricComparison> metrics = against.metrics().stream()
                    .map(m -> isPrimary(m) && m.tests().p().isPresent() ? m.adjusted(all, 1, "Holm") : m)
                    .toList();
            out.add(new Against(against.other(), metrics, against.differences()));
        }
        return out;
    }

    /** Returns a metric's share of alpha: less than 1 where its interval decided how many runs there are. */
    private double share(Configuration other, String metric) {
        return Precision.share(baseline.adaptive() || other.adaptive(), metric);
    }

    private boolean isPrimary(MetricComparison m) {
        return m.metric().id().equals(primary);
    }

    private OptionalDouble ofPrimary(Against against) {
        return against.metrics().stream()
                .filter(this::isPrimary)
                .map(m -> m.tests().p())
                .findFirst()
                .orElse(OptionalDouble.empty());
    }

    /** Compares the metrics that both have, in the order of the baseline; the primary one at a level of its own. */
    private Against against(Configuration other, double level) {
        boolean same = baseline.sameExperiment(other);
        List<MetricComparison> out = new ArrayList<>();
        for (Measured mine : baseline.metrics()) {
            String id = mine.metric().id();
            double wanted = id.equals(primary) ? level : alpha * share(other, id);
            other.metric(id)
                    .flatMap(theirs -> inUnit(theirs, mine.metric().unit()))
                    .map(theirs -> new MetricComparer(1 - wanted, effect)
                            .compare(
                                    mine,
                                    theirs,
                                    same,
                                    scale -> earlier.between(baseline, other, mine.metric(), scale)))
                    .ifPresent(out::add);
        }
        return new Against(other, out, baseline.differences(other));
    }

    /** Returns the note that a reader needs where the sides are of two sessions; empty where they are of one. */
    private Optional<String> sessions(Against against) {
        if (baseline.sameSession(against.other())) {
            return Optional.empty();
        }
        String who = against.other().name() + " and " + baseline.name() + " are of two sessions; ";
        String known = against.metrics().stream()
                .filter(m -> m.verdict() != Conclusion.TWO_SESSIONS)
                .flatMap(m -> spread(against.other(), m).stream())
                .collect(Collectors.joining(", "));
        if (known.isEmpty()) {
            return Optional.of(who
                    + "how much sessions differ is not known, so the intervals hold for these two only. Earlier"
                    + " sessions of the same configuration tell it (--sessions DIR); runs of one experiment need none");
        }
        String unknown = against.metrics().stream()
                .filter(m -> m.verdict() == Conclusion.TWO_SESSIONS)
                .map(m -> m.metric().label())
                .collect(Collectors.joining(", "));
        return Optional.of(who + earlier.all().size()
                + " earlier ones say how much sessions differ, and the intervals take it in (standard deviation): "
                + known
                + (unknown.isEmpty()
                        ? ""
                        : "; they do not say it of " + unknown + ": an interval of that holds for these two only"));
    }

    /** Returns by how much sessions differ in a metric, with its name; empty where earlier ones do not say it. */
    private Optional<String> spread(Configuration other, MetricComparison m) {
        boolean ratio = m.change().form() == Form.RATIO;
        return earlier.between(baseline, other, m.metric(), ratio ? Scale.LOGARITHMS : Scale.VALUES)
                        instanceof Sessions.Known spread
                ? Optional.of(m.metric().label() + " "
                        + (ratio
                                ? Figures.percent(spread.sd())
                                : Figures.number(spread.sd()) + " " + m.metric().unit()))
                : Optional.empty();
    }

    /** Converts a metric into the unit; empty where that is not possible, as from bytes to milliseconds. */
    private static Optional<Measured> inUnit(Measured measured, String unit) {
        String own = measured.metric().unit();
        if (own.isEmpty() || unit.isEmpty()) {
            return Optional.of(measured);
        }
        OptionalDouble factor = Quantity.factor(own, unit);
        return factor.isEmpty() ? Optional.empty() : Optional.of(measured.scaled(factor.getAsDouble(), unit));
    }

    private List<Against> explored(List<Against> all) {
        double[] p = all.stream()
                .flatMap(against -> against.metrics().stream())
                .filter(this::isExplored)
                .mapToDouble(m -> m.tests().p().orElseThrow())
                .toArray();
        double[] adjusted = Multiplicity.benjaminiHochberg(p);
        List<Against> out = new ArrayList<>();
        int next = 0;
        for (Against against : all) {
            List<MetricComparison> metrics = new ArrayList<>();
            for (MetricComparison m : against.metrics()) {
                metrics.add(isExplored(m) ? m.adjusted(adjusted[next++], alpha, "Benjamini and Hochberg") : m);
            }
            out.add(new Against(against.other(), metrics, against.differences()));
        }
        return out;
    }

    private boolean isExplored(MetricComparison m) {
        return !isPrimary(m) && m.tests().p().isPresent();
    }
}
