package dev.kiln.report;

import dev.kiln.compare.Comparison;
import dev.kiln.compare.Comparison.Against;
import dev.kiln.compare.Comparison.MetricComparison;
import dev.kiln.compare.Comparison.MetricComparison.Form;
import dev.kiln.compare.Comparison.MetricComparison.Side;
import dev.kiln.model.Metric;
import dev.kiln.stats.RunsNeeded;
import dev.kiln.text.Show;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A ComparisonText is {@code kiln compare} on a terminal, and in Markdown for a pull request.
 *
 * @param verbose also tells what the conclusions rest on: ratios, exact p, runs needed, methods and constants
 */
public record ComparisonText(Comparison comparison, boolean verbose) {
    /** Returns one comparison after the other; notes that hold for all stand at the end, once. */
    public static String terminal(List<Comparison> comparisons, boolean verbose, TerminalStyle style) {
        StringBuilder out = new StringBuilder();
        comparisons.forEach(comparison -> new ComparisonText(comparison, verbose).terminal(out, style));
        List<String> general = new ArrayList<>(general(comparisons, verbose));
        if (verbose) {
            general.add(Facts.constantsToSet(comparisons.getFirst().config()));
        }
        return out + style.notes(general);
    }

    private void terminal(StringBuilder out, TerminalStyle style) {
        for (Against against : comparison.others()) {
            out.append(style.bold(style.chars(words().title(against)))).append("\n\n");
            String conclusion = style.conclusion(words().conclusion(against));
            String table = grid(against).terminal(style);
            String notes = style.notes(notes(against));
            Stream.of(words().tooFew(against) ? conclusion : table, words().tooFew(against) ? table : conclusion, notes)
                    .filter(part -> !part.isEmpty())
                    .forEach(part -> out.append(part).append('\n'));
        }
    }

    public static String markdown(List<Comparison> comparisons, boolean verbose) {
        return comparisons.stream()
                        .map(comparison -> new ComparisonText(comparison, verbose).sections())
                        .collect(Collectors.joining("\n"))
                + Markdown.notes(general(comparisons, verbose));
    }

    private String sections() {
        return comparison.others().stream()
                .map(against -> {
                    String conclusion = words().conclusion(against);
                    return "### " + Markdown.escape(words().title(against)) + "\n\n"
                            + (conclusion.isEmpty() ? "" : "**" + Markdown.escape(conclusion) + "**\n\n")
                            + grid(against).markdown() + "\n"
                            + Markdown.notes(notes(against));
                })
                .collect(Collectors.joining("\n"));
    }

    private ComparisonWords words() {
        return new ComparisonWords(comparison);
    }

    /** Returns the metrics of one comparison, a row each. */
    public Grid grid(Against against) {
        String first = comparison.baseline().name();
        String other = against.other().name();
        return verbose
                ? Grid.of(
                        List.of(
                                "metric",
                                first,
                                other,
                                "ratio",
                                "interval",
                                "exact p",
                                "verdict",
                                "runs for " + Show.ascii(100 * comparison.effect(), 0) + " %"),
                        against.metrics().stream().map(this::verboseRow).toList(),
                        6)
                : isShown(against)
                        ? Grid.of(
                                List.of("metric", first, other, "change", "interval"),
                                against.metrics().stream().map(this::row).toList(),
                                3)
                        : Grid.of(
                                List.of("metric", first, other),
                                against.metrics().stream()
                                        .map(m -> row(m).subList(0, 3))
                                        .toList());
    }

    /** Tells whether there are runs enough for any change: where there are not, the sentence over the table says so once. */
    private static boolean isShown(Against against) {
        return against.metrics().stream().anyMatch(m -> m.tests().tooFew().isEmpty());
    }

    private List<String> row(MetricComparison m) {
        return List.of(
                m.metric().title(),
                side(m, m.sides().a()),
                side(m, m.sides().b()),
                ComparisonWords.verdict(m),
                ComparisonWords.interval(m) + level(m));
    }

    private List<String> verboseRow(MetricComparison m) {
        return List.of(
                m.metric().title(),
                side(m, m.sides().a()),
                side(m, m.sides().b()),
                m.change().estimate().isEmpty()
                        ? Show.ABSENT
                        : ComparisonWords.sign(m)
                                + figure(m, m.change().estimate().getAsDouble())
                                + (m.change().form() == Form.RATIO ? "" : ComparisonWords.unit(m)),
                ComparisonWords.interval(m, end -> figure(m, end), "") + level(m),
                m.tests().crossCheck().map(check -> Show.p(check.p())).orElse(Show.ABSENT),
                ComparisonWords.verdict(m),
                m.runsNeeded().map(ComparisonText::needed).orElse(Show.ABSENT));
    }

    private static String needed(RunsNeeded needed) {
        return switch (needed) {
            case RunsNeeded.Runs runs -> Show.whole(runs.aSide());
            case RunsNeeded.NoNumber no -> no.why() == RunsNeeded.Why.SESSIONS_UNKNOWN ? Show.ABSENT : "no number";
        };
    }

    private String confidence() {
        return ComparisonWords.level(comparison.confidence());
    }

    /** Returns the level of all pairs together, which is that of the constants; blank where the pairs have it themselves. */
    private String atSet() {
        double set = comparison.config().confidence();
        return set == comparison.confidence() ? "" : " at " + ComparisonWords.level(set);
    }

    /** Returns the level of an interval where it is not that of the others. */
    private String level(MetricComparison m) {
        return hasOwnLevel(m) ? " (" + ComparisonWords.level(m.change().confidence()) + ")" : "";
    }

    private boolean hasOwnLevel(MetricComparison m) {
        return !ComparisonWords.interval(m).equals(Show.ABSENT)
                && Math.abs(m.change().confidence() - comparison.confidence()) > 1e-9;
    }

    /** Returns the mean of the runs with their standard deviation, or a median and how many runs got there. */
    private static String side(MetricComparison m, Side side) {
        String reached = side.reached() + " of " + side.runs();
        if (isPartlyReached(m, side)) {
            String median = (side.atLeast() ? ">= " : "") + Show.value(side.median());
            return (side.median().isPresent() ? median : "> " + Show.value(side.horizon())) + " (" + reached + ")";
        }
        return (side.atLeast() ? ">= " : "")
                + (side.centre().isPresent() && side.sd().isPresent()
                        ? Show.spread(side.centre().getAsDouble(), side.sd().getAsDouble())
                        : Show.value(side.centre()));
    }

    private static boolean isPartlyReached(MetricComparison m, Side side) {
        return m.metric().kind() == Metric.MetricKind.TIME && side.censored();
    }

    /** Returns a ratio, or a difference with its sign. */
    private static String figure(MetricComparison m, double value) {
        return m.change().form() == Form.RATIO ? Show.ratio(value) : Show.signed(value);
    }

    /** Returns what a reader must know of single metrics. */
    public List<String> notes(Against against) {
        boolean told = words().tooFew(against);
        return eachOnce(
                against.metrics(),
                m -> m.metric().label(),
                m -> verbose
                        ? m.allNotes()
                        : Stream.concat(
                                        m.tests().tooFew().filter(few -> !told).map(ComparisonWords::needed).stream(),
                                        m.notes().stream())
                                .toList());
    }

    /** Returns the notes that hold for a whole comparison, each once. */
    public static List<String> general(List<Comparison> comparisons, boolean verbose) {
        return comparisons.stream()
                .flatMap(comparison -> new ComparisonText(comparison, verbose).general(comparisons.size()).stream())
                .distinct()
                .toList();
    }

    /** @param pairs comparisons beside each other, of which each has a share of the error */
    private List<String> general(int pairs) {
        List<String> out = new ArrayList<>(comparison.notes());
        out.add(
                "a figure is the mean of the runs (the geometric mean where the change is a ratio) \u00b1 their standard deviation");
        if (metrics()
                .anyMatch(m -> isPartlyReached(m, m.sides().a())
                        || isPartlyReached(m, m.sides().b()))) {
            out.add("a time that not all runs reached is the median, and how many reached it");
        }
        if (verbose) {
            out.addAll(methods(pairs));
            levels().ifPresent(out::add);
            return out;
        }
        if (comparison.others().stream().noneMatch(ComparisonText::isShown)) {
            return out;
        }
        out.add("the interval is that of the change, at " + confidence()
                + (pairs > 1 ? ", so that those of all " + pairs + " pairs hold together" + atSet() : ""));
        levels().ifPresent(out::add);
        if (comparison.others().stream().anyMatch(against -> against.metrics().size() > 1)) {
            out.add("the conclusion is about " + comparison.primary() + "; what the other rows show is exploratory");
        }
        return out;
    }

    /** Returns why some intervals are of another level than the others; empty where none is. */
    private Optional<String> levels() {
        if (metrics().noneMatch(this::hasOwnLevel)) {
            return Optional.empty();
        }
        List<String> why = new ArrayList<>();
        int others = comparison.others().size();
        if (others > 1) {
            why.add(comparison.primary() + " is tested in " + others + " comparisons (Holm)");
        }
        if (comparison.baseline().adaptive()
                || comparison.others().stream()
                        .anyMatch(against -> against.other().adaptive())) {
            why.add("the width of the peak's interval decided how many runs there are");
        }
        return Optional.of("an interval that names its level is not at " + confidence() + ", because "
                + String.join(", and because ", why));
    }

    private Stream<MetricComparison> metrics() {
        return comparison.others().stream().flatMap(against -> against.metrics().stream());
    }

    private List<String> methods(int pairs) {
        boolean several = comparison.others().size() > 1;
        return List.of(
                "a ratio is of geometric means, its interval (" + confidence() + ") Welch's t on logarithms"
                        + (paired() ? " (of pairs: t on their ratios)" : "")
                        + "; a figure with a sign is a difference of means; exact p: "
                        + (paired() ? "permutation within blocks, else " : "")
                        + "Mann-Whitney; if interval and exact test disagree, the verdict is inconclusive",
                "the primary metric, " + comparison.primary() + ", is tested "
                        + (several
                                ? "under Holm for " + comparison.others().size()
                                        + " comparisons, its p and its interval"
                                : pairs > 1
                                        ? "at " + confidence() + " in each of " + pairs
                                                + " pairs, so that the intervals of all pairs hold together" + atSet()
                                        : "alone")
                        + "; the others are exploratory, corrected by Benjamini and Hochberg");
    }

    private boolean paired() {
        return metrics().anyMatch(m -> m.sides().paired());
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
