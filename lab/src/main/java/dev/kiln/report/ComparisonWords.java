package dev.kiln.report;

import dev.kiln.compare.Comparison;
import dev.kiln.compare.Comparison.MetricComparison;
import dev.kiln.compare.Comparison.MetricComparison.Bound;
import dev.kiln.compare.Comparison.MetricComparison.Form;
import dev.kiln.compare.Comparison.MetricComparison.Side;
import dev.kiln.model.Metric;
import dev.kiln.stats.Conclusion;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/** What every rendering of a comparison says in the same words. */
record ComparisonWords(Comparison comparison) {

    Grid grid(Comparison.Against against) {
        List<String> heads = List.of(
                "metric",
                comparison.baseline().name(),
                against.other().name(),
                "ratio",
                confidence() + " interval",
                "exact p",
                "verdict",
                "runs for " + Figure.fixed(100 * comparison.effect(), 0) + " %");
        return new Grid(heads, against.metrics().stream().map(this::row).toList(), List.of(6));
    }

    private List<String> row(MetricComparison m) {
        return List.of(
                m.metric().title(),
                side(m, m.a()),
                side(m, m.b()),
                estimate(m),
                interval(m),
                m.crossCheck().map(check -> Figure.p(check.p())).orElse(Text.ABSENT),
                verdict(m),
                m.runsNeeded().isPresent() ? Text.whole(m.runsNeeded().getAsInt()) : Text.ABSENT);
    }

    String confidence() {
        return Figure.fixed(100 * comparison.config().confidence(), 0) + " %";
    }

    private static String side(MetricComparison m, Side side) {
        String reached = side.reached() + " of " + side.runs();
        if (m.metric().kind() == Metric.Kind.TIME && side.censored()) {
            return (side.median().isPresent() ? Figure.value(side.median()) : "> " + Figure.value(side.horizon()))
                    + " (" + reached + ")";
        }
        return (side.atLeast() ? ">= " : "") + Figure.value(side.centre());
    }

    /** A difference has a sign and its unit; a ratio has neither. */
    private static String estimate(MetricComparison m) {
        if (m.estimate().isEmpty()) {
            return Text.ABSENT;
        }
        double value = m.estimate().getAsDouble();
        String unit = m.metric().unit().isEmpty() ? "" : " " + m.metric().unit();
        return sign(m) + (m.form() == Form.RATIO ? Figure.ratio(value) : Figure.signed(value) + unit);
    }

    private static String sign(MetricComparison m) {
        return switch (m.bound()) {
            case AT_LEAST -> ">= ";
            case AT_MOST -> "<= ";
            case NONE, UNKNOWN -> "";
        };
    }

    private static String interval(MetricComparison m) {
        Optional<String> lo = end(m, m.lo());
        Optional<String> hi = end(m, m.hi());
        return lo.isPresent() && hi.isPresent()
                ? lo.get() + " to " + hi.get()
                : lo.or(() -> hi).map(end -> sign(m) + end).orElse(Text.ABSENT);
    }

    private static Optional<String> end(MetricComparison m, OptionalDouble end) {
        return end.stream()
                .mapToObj(value -> m.form() == Form.RATIO ? Figure.ratio(value) : Figure.signed(value))
                .findFirst();
    }

    static String verdict(MetricComparison m) {
        return switch (m.verdict()) {
            case HIGHER, LOWER -> (m.bound() == Bound.NONE ? "" : "at least ") + size(m) + meaning(m);
            case NO_DIFFERENCE_SHOWN -> "no difference shown";
            case INCONCLUSIVE -> "inconclusive";
            case EXPLORATORY -> "exploratory";
            case NOT_ENOUGH_RUNS -> "not enough runs";
            case CANNOT_TELL -> "cannot tell";
        };
    }

    private static String size(MetricComparison m) {
        String way = m.verdict() == Conclusion.HIGHER ? "higher" : "lower";
        double value = m.estimate().orElse(1);
        if (m.form() == Form.DIFFERENCE) {
            String unit = m.metric().unit().isEmpty() ? "" : " " + m.metric().unit();
            return Figure.value(Math.abs(value)) + unit + " " + way;
        }
        return value >= 2 ? Figure.value(value) + " times" : Figure.percent(100 * Math.abs(value - 1)) + " " + way;
    }

    private static String meaning(MetricComparison m) {
        return switch (m.meaning()) {
            case BETTER -> ", better";
            case WORSE -> ", worse";
            case NEITHER -> "";
        };
    }

    /** One sentence on the primary metric. */
    String conclusion(Comparison.Against against) {
        return against.metrics().stream()
                .filter(m -> m.metric().id().equals(comparison.primary()))
                .findFirst()
                .map(m -> against.other().name() + " against "
                        + comparison.baseline().name() + ", " + m.metric().label() + ": " + sentence(m) + ".")
                .orElse("");
    }

    private String sentence(MetricComparison m) {
        String level = Figure.fixed(100 * m.confidence(), 2).replaceAll("\\.?0+$", "");
        boolean known = m.lo().isPresent() || m.hi().isPresent();
        String interval = known ? " (" + level + " % interval " + interval(m) + ")" : "";
        boolean counted = m.verdict().shown() || m.runsNeeded().isEmpty() || m.bound() != Bound.NONE;
        String runs = counted
                ? ""
                : "; to show a change of " + Figure.fixed(100 * comparison.effect(), 0) + " % takes "
                        + Text.plural(m.runsNeeded().getAsInt(), "run") + " a side";
        return verdict(m) + interval + runs;
    }

    /** Pairs are counted once. */
    String title(Comparison.Against against) {
        int a = against.metrics().stream().mapToInt(m -> m.a().runs()).max().orElse(0);
        int b = against.metrics().stream().mapToInt(m -> m.b().runs()).max().orElse(0);
        boolean paired = against.metrics().stream().anyMatch(MetricComparison::paired);
        return against.other().name() + " against " + comparison.baseline().name() + ", "
                + (paired ? Text.plural(a, "pair") + " of runs, by block" : b + " against " + Text.plural(a, "run"));
    }

    /** Each note once, naming the metrics it is true of. */
    static List<String> notes(Comparison.Against against) {
        Map<String, List<String>> byNote = new LinkedHashMap<>();
        against.metrics()
                .forEach(m -> m.notes()
                        .forEach(note -> byNote.computeIfAbsent(note, n -> new ArrayList<>())
                                .add(m.metric().label())));
        List<String> out = new ArrayList<>();
        byNote.forEach((note, metrics) -> out.add(
                metrics.size() == against.metrics().size() && metrics.size() > 1
                        ? note
                        : String.join(", ", metrics) + ": " + note));
        return out;
    }

    List<String> general() {
        List<String> out = new ArrayList<>(comparison.notes());
        boolean several = comparison.others().size() > 1;
        out.add("ratio of geometric means with Welch's t interval on logarithms"
                + (paired() ? ", of pairs that of t on their ratios" : "")
                + "; a figure with a sign is a difference of means; exact p: "
                + (paired() ? "permutation within blocks, else " : "")
                + "Mann-Whitney; where both disagree: inconclusive");
        out.add("the primary metric, " + comparison.primary() + ", is tested "
                + (several
                        ? "under Holm for " + comparison.others().size() + " comparisons, its p and its interval"
                        : "alone")
                + "; the others are exploration, under Benjamini and Hochberg");
        return out;
    }

    private boolean paired() {
        return comparison.others().stream()
                .flatMap(against -> against.metrics().stream())
                .anyMatch(MetricComparison::paired);
    }
}
