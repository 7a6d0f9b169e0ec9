package dev.kiln.report;

import dev.kiln.compare.Comparison;
import dev.kiln.compare.Comparison.MetricComparison;
import dev.kiln.compare.Comparison.MetricComparison.Bound;
import dev.kiln.compare.Comparison.MetricComparison.Form;
import dev.kiln.compare.Comparison.MetricComparison.Side;
import dev.kiln.model.Metric;
import dev.kiln.stats.Conclusion;
import dev.kiln.stats.RunsNeeded;
import dev.kiln.text.Show;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A ComparisonText is {@code kiln compare} on a terminal, in Markdown for a pull request, and the words that every
 * rendering shares.
 */
public record ComparisonText(Comparison comparison) {
    private static final String TWO_SESSIONS = "two sessions; how much sessions differ is not known";

    /** Returns one comparison after the other; notes that hold for all stand at the end, once. */
    public static String terminal(List<Comparison> comparisons, TerminalStyle style) {
        StringBuilder out = new StringBuilder();
        comparisons.forEach(comparison -> new ComparisonText(comparison).terminal(out, style));
        List<String> general = new ArrayList<>(general(comparisons));
        general.add(Facts.constantsToSet(comparisons.getFirst().config()));
        return out + style.notes(general);
    }

    private void terminal(StringBuilder out, TerminalStyle style) {
        for (Comparison.Against against : comparison.others()) {
            out.append(style.bold(style.chars(title(against)))).append("\n\n");
            out.append(grid(against).terminal(style)).append('\n');
            String conclusion = style.conclusion(conclusion(against));
            String notes = style.notes(notes(against));
            out.append(conclusion).append(conclusion.isEmpty() ? "" : "\n");
            out.append(notes).append(notes.isEmpty() ? "" : "\n");
        }
    }

    public static String markdown(List<Comparison> comparisons) {
        return comparisons.stream()
                        .map(comparison -> new ComparisonText(comparison).sections())
                        .collect(Collectors.joining("\n"))
                + Markdown.notes(general(comparisons));
    }

    /** Returns the notes that hold for a whole comparison, each once. */
    public static List<String> general(List<Comparison> comparisons) {
        return comparisons.stream()
                .flatMap(comparison -> new ComparisonText(comparison).general(comparisons.size()).stream())
                .distinct()
                .toList();
    }

    private String sections() {
        return comparison.others().stream()
                .map(against -> {
                    String conclusion = conclusion(against);
                    return "### " + Markdown.escape(title(against)) + "\n\n"
                            + (conclusion.isEmpty() ? "" : "**" + Markdown.escape(conclusion) + "**\n\n")
                            + grid(against).markdown() + "\n"
                            + Markdown.notes(notes(against));
                })
                .collect(Collectors.joining("\n"));
    }

    /** Returns the metrics of one comparison, a row each. */
    public Grid grid(Comparison.Against against) {
        List<String> heads = List.of(
                "metric",
                comparison.baseline().name(),
                against.other().name(),
                "ratio",
                confidence() + " interval",
                "exact p",
                "verdict",
                "runs for " + Show.ascii(100 * comparison.effect(), 0) + " %");
        return Grid.of(heads, against.metrics().stream().map(this::row).toList(), 6);
    }

    private List<String> row(MetricComparison m) {
        return List.of(
                m.metric().title(),
                side(m, m.sides().a()),
                side(m, m.sides().b()),
                estimate(m),
                interval(m),
                m.tests().crossCheck().map(check -> Show.p(check.p())).orElse(Show.ABSENT),
                verdict(m),
                m.runsNeeded().map(ComparisonText::needed).orElse(Show.ABSENT));
    }

    private static String needed(RunsNeeded needed) {
        return switch (needed) {
            case RunsNeeded.Runs runs -> Show.whole(runs.aSide());
            case RunsNeeded.NoNumber no -> no.why() == RunsNeeded.Why.SESSIONS_UNKNOWN ? Show.ABSENT : "no number";
        };
    }

    private String confidence() {
        return Show.trimmed(100 * comparison.config().confidence(), 2) + " %";
    }

    private static String side(MetricComparison m, Side side) {
        String reached = side.reached() + " of " + side.runs();
        if (m.metric().kind() == Metric.MetricKind.TIME && side.censored()) {
            return (side.median().isPresent() ? Show.value(side.median()) : "> " + Show.value(side.horizon())) + " ("
                    + reached + ")";
        }
        return (side.atLeast() ? ">= " : "") + Show.value(side.centre());
    }

    /** Returns the estimate: a difference has a sign and its unit, a ratio has neither. */
    private static String estimate(MetricComparison m) {
        if (m.change().estimate().isEmpty()) {
            return Show.ABSENT;
        }
        double value = m.change().estimate().getAsDouble();
        String unit = m.metric().unit().isEmpty() ? "" : " " + m.metric().unit();
        return sign(m) + (m.change().form() == Form.RATIO ? Show.ratio(value) : Show.signed(value) + unit);
    }

    private static String sign(MetricComparison m) {
        return switch (m.change().bound()) {
            case AT_LEAST -> ">= ";
            case AT_MOST -> "<= ";
            case NONE, UNKNOWN -> "";
        };
    }

    private static String interval(MetricComparison m) {
        Optional<String> lo = end(m, m.change().lo());
        Optional<String> hi = end(m, m.change().hi());
        return lo.isPresent() && hi.isPresent()
                ? lo.get() + " to " + hi.get()
                : lo.or(() -> hi).map(end -> sign(m) + end).orElse(Show.ABSENT);
    }

    private static Optional<String> end(MetricComparison m, OptionalDouble end) {
        return end.stream()
                .mapToObj(value -> m.change().form() == Form.RATIO ? Show.ratio(value) : Show.signed(value))
                .findFirst();
    }

    public static String verdict(MetricComparison m) {
        return switch (m.verdict()) {
            case HIGHER, LOWER ->
                (m.change().bound() == Bound.NONE || m.change().estimate().isEmpty() ? "" : "at least ")
                        + size(m)
                        + meaning(m);
            case NO_DIFFERENCE_SHOWN -> "no difference shown";
            case INCONCLUSIVE -> "inconclusive";
            case EXPLORATORY -> "exploratory";
            case NOT_ENOUGH_RUNS -> "not enough runs";
            case TWO_SESSIONS -> "two sessions";
            case CANNOT_TELL -> "cannot tell";
        };
    }

    private static String size(MetricComparison m) {
        String way = m.verdict() == Conclusion.HIGHER ? "higher" : "lower";
        if (m.change().estimate().isEmpty()) {
            return way;
        }
        double value = m.change().estimate().getAsDouble();
        if (m.change().form() == Form.DIFFERENCE) {
            String unit = m.metric().unit().isEmpty() ? "" : " " + m.metric().unit();
            return Show.value(Math.abs(value)) + unit + " " + way;
        }
        return value >= 2 ? Show.value(value) + " times" : Show.points(100 * Math.abs(value - 1)) + " " + way;
    }

    private static String meaning(MetricComparison m) {
        return switch (m.meaning()) {
            case BETTER -> ", better";
            case WORSE -> ", worse";
            case NEITHER -> "";
        };
    }

    /** Returns one sentence about the primary metric. */
    public String conclusion(Comparison.Against against) {
        return against.metrics().stream()
                .filter(m -> m.metric().id().equals(comparison.primary()))
                .findFirst()
                .map(m -> against.other().name() + " against "
                        + comparison.baseline().name() + ", " + m.metric().label() + ": " + sentence(m) + ".")
                .orElse("");
    }

    private String sentence(MetricComparison m) {
        String level = Show.trimmed(100 * m.change().confidence(), 2);
        boolean known = m.change().lo().isPresent() || m.change().hi().isPresent();
        String of = m.verdict() == Conclusion.TWO_SESSIONS ? " % interval of these two " : " % interval ";
        String interval = known ? " (" + level + of + interval(m) + ")" : "";
        String runs = m.verdict().shown() || m.change().bound() != Bound.NONE
                ? ""
                : m.runsNeeded().map(this::takes).orElse("");
        return (m.verdict() == Conclusion.TWO_SESSIONS ? TWO_SESSIONS : verdict(m)) + interval + runs;
    }

    private String takes(RunsNeeded needed) {
        String change = "a change of " + Show.ascii(100 * comparison.effect(), 0) + " %";
        return switch (needed) {
            case RunsNeeded.Runs runs ->
                "; to show " + change + " takes " + Show.plural(runs.aSide(), "run") + " a side";
            case RunsNeeded.NoNumber no ->
                no.why() == RunsNeeded.Why.SESSIONS_UNKNOWN ? "" : "; no number of runs shows " + change;
        };
    }

    /** Returns who is compared with whom, and with how many runs; pairs are counted once. */
    public String title(Comparison.Against against) {
        int a = against.metrics().stream()
                .mapToInt(m -> m.sides().a().runs())
                .max()
                .orElse(0);
        int b = against.metrics().stream()
                .mapToInt(m -> m.sides().b().runs())
                .max()
                .orElse(0);
        boolean paired = against.metrics().stream().anyMatch(m -> m.sides().paired());
        return against.other().name() + " against " + comparison.baseline().name() + ", "
                + (paired ? Show.plural(a, "pair") + " of runs, by block" : b + " against " + Show.plural(a, "run"))
                + (against.twoSessions() ? "; " + TWO_SESSIONS : "");
    }

    public static List<String> notes(Comparison.Against against) {
        return eachOnce(against.metrics(), m -> m.metric().label(), MetricComparison::notes);
    }

    /** @param pairs comparisons beside each other, of which each has a share of the error */
    private List<String> general(int pairs) {
        List<String> out = new ArrayList<>(comparison.notes());
        boolean several = comparison.others().size() > 1;
        out.add("a ratio is of geometric means, its interval Welch's t on logarithms"
                + (paired() ? " (of pairs: t on their ratios)" : "")
                + "; a figure with a sign is a difference of means; exact p: "
                + (paired() ? "permutation within blocks, else " : "")
                + "Mann-Whitney; if interval and exact test disagree, the verdict is inconclusive");
        out.add("the primary metric, " + comparison.primary() + ", is tested "
                + (several
                        ? "under Holm for " + comparison.others().size() + " comparisons, its p and its interval"
                        : pairs > 1
                                ? "at " + confidence() + " in each of " + pairs
                                        + " pairs, so that the intervals of all pairs hold together"
                                : "alone")
                + "; the others are exploratory, corrected by Benjamini and Hochberg");
        return out;
    }

    private boolean paired() {
        return comparison.others().stream()
                .flatMap(against -> against.metrics().stream())
                .anyMatch(m -> m.sides().paired());
    }

    /** Returns each note once, naming the metrics that it holds for. */
    public static <T> List<String> eachOnce(
            List<T> metrics, Function<T, String> name, Function<T, List<String>> notes) {
        Map<String, List<String>> byNote = new LinkedHashMap<>();
        metrics.forEach(metric -> notes.apply(metric)
                .forEach(note ->
                        byNote.computeIfAbsent(note, n -> new ArrayList<>()).add(name.apply(metric))));
        return byNote.entrySet().stream()
                .map(e -> e.getValue().size() == metrics.size() && metrics.size() > 1
                        ? e.getKey()
                        : String.join(", ", e.getValue()) + ": " + e.getKey())
                .toList();
    }
}
