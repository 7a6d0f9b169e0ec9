package dev.kiln.report;

import dev.kiln.compare.Comparison;
import dev.kiln.compare.Metric;
import dev.kiln.compare.MetricComparison;
import dev.kiln.compare.MetricComparison.Form;
import dev.kiln.compare.MetricComparison.Meaning;
import dev.kiln.compare.MetricComparison.Side;
import dev.kiln.compare.MetricComparison.Verdict;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

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
        if (m.verdict() == Verdict.NOT_POOLED) {
            return reached;
        }
        if (m.metric().kind() == Metric.Kind.TIME && side.censored()) {
            return (side.median().isPresent() ? Figure.value(side.median()) : "> " + Figure.value(side.horizon()))
                    + " (" + reached + ")";
        }
        return Figure.value(side.centre());
    }

    /** A difference has a sign and its unit; a ratio has neither. */
    private static String estimate(MetricComparison m) {
        if (m.estimate().isEmpty()) {
            return Text.ABSENT;
        }
        double value = m.estimate().getAsDouble();
        String unit = m.metric().unit().isEmpty() ? "" : " " + m.metric().unit();
        return m.form() == Form.RATIO ? Figure.ratio(value) : Figure.signed(value) + unit;
    }

    private static String interval(MetricComparison m) {
        if (m.lo().isEmpty() || m.hi().isEmpty()) {
            return Text.ABSENT;
        }
        double lo = m.lo().getAsDouble();
        double hi = m.hi().getAsDouble();
        return m.form() == Form.RATIO
                ? Figure.ratio(lo) + " to " + Figure.ratio(hi)
                : Figure.signed(lo) + " to " + Figure.signed(hi);
    }

    static String verdict(MetricComparison m) {
        return switch (m.verdict()) {
            case HIGHER, LOWER -> size(m) + meaning(m);
            case NO_DIFFERENCE_SHOWN -> "no difference shown";
            case INCONCLUSIVE -> "inconclusive";
            case EXPLORATORY -> "exploratory";
            case NOT_POOLED -> "not pooled";
            case NOT_ENOUGH_RUNS -> "not enough runs";
        };
    }

    private static String size(MetricComparison m) {
        String way = m.verdict() == Verdict.HIGHER ? "higher" : "lower";
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
        String interval = m.lo().isPresent() ? " (" + confidence() + " interval " + interval(m) + ")" : "";
        boolean shown = m.meaning() != Meaning.NEITHER || m.verdict() == Verdict.HIGHER || m.verdict() == Verdict.LOWER;
        boolean counted = shown || m.runsNeeded().isEmpty();
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
                + "; a figure with a sign is a difference of means; exact p: permutation, Mann-Whitney or sign flips"
                + " beside it; where both disagree: inconclusive");
        out.add("the primary metric, " + comparison.primary() + ", is tested "
                + (several ? "under Holm for " + comparison.others().size() + " comparisons" : "alone")
                + "; the others are exploration, under Benjamini and Hochberg");
        return out;
    }

    private boolean paired() {
        return comparison.others().stream()
                .flatMap(against -> against.metrics().stream())
                .anyMatch(MetricComparison::paired);
    }
}
