package dev.kiln.report;

import dev.kiln.compare.Comparison;
import dev.kiln.compare.Comparison.Against;
import dev.kiln.compare.Comparison.MetricComparison;
import dev.kiln.compare.Comparison.MetricComparison.Bound;
import dev.kiln.compare.Comparison.MetricComparison.Form;
import dev.kiln.compare.Comparison.MetricComparison.TooFew;
import dev.kiln.stats.Conclusion;
import dev.kiln.stats.RunsNeeded;
import dev.kiln.text.Show;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.DoubleFunction;
import java.util.stream.Stream;

/** ComparisonWords are the words of a comparison that every rendering shares. */
public record ComparisonWords(Comparison comparison) {
    private static final String TWO_SESSIONS = "two sessions; how much sessions differ is not known";

    /** A ratio from here on is told as such, and a smaller one as a change in per cent. */
    private static final double TIMES = 2;

    /** Returns who is compared with whom, and with how many runs; pairs are counted once. */
    public String title(Against against) {
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

    /** Returns one sentence about the primary metric. */
    public String conclusion(Against against) {
        return primary(against)
                .map(m -> (m.tests().tooFew().isPresent()
                                ? ""
                                : Show.sentence(m.metric().label()) + ": ")
                        + sentence(m, against.other().name()) + ".")
                .orElse("");
    }

    /** Tells whether the conclusion is that there are too few runs for one. */
    public boolean tooFew(Against against) {
        return primary(against).filter(m -> m.tests().tooFew().isPresent()).isPresent();
    }

    private Optional<MetricComparison> primary(Against against) {
        return against.metrics().stream()
                .filter(m -> m.metric().id().equals(comparison.primary()))
                .findFirst();
    }

    private String sentence(MetricComparison m, String other) {
        String first = comparison.baseline().name();
        return switch (m.verdict()) {
            case HIGHER, LOWER ->
                other + " is " + (m.change().bound() == Bound.NONE || isUnknown(m) ? "" : "at least ") + change(m)
                        + (isMultiple(m) ? " as " : " than ") + first + meaning(m) + known(m, "");
            case NO_DIFFERENCE_SHOWN ->
                "no difference between " + other + " and " + first + " is shown" + known(m, "") + runs(m);
            case INCONCLUSIVE ->
                "inconclusive, because the interval and the exact test of " + other + " against " + first + " disagree"
                        + known(m, "") + runs(m);
            case EXPLORATORY, NOT_ENOUGH_RUNS ->
                "Too few runs to tell " + other + " from " + first + ": "
                        + m.tests().tooFew().map(ComparisonWords::needed).orElse("") + runs(m);
            case TWO_SESSIONS ->
                "no conclusion, because " + other + " and " + first
                        + " are of two sessions, and how much sessions differ is not known" + known(m, " of these two")
                        + runs(m);
            case CANNOT_TELL ->
                "cannot tell " + other + " from " + first + ", because a figure is only known to be at least so much"
                        + known(m, "") + runs(m);
        };
    }

    /** Returns how many runs it takes to show anything. */
    static String needed(TooFew tooFew) {
        return tooFew.needed()
                .map(runs -> "at least " + runs + " can show a difference")
                .orElse("one run a side does not show how much runs differ");
    }

    private static String known(MetricComparison m, String of) {
        String interval = interval(m);
        return interval.equals(Show.ABSENT)
                ? ""
                : " (" + level(m.change().confidence()) + " interval" + of + " " + interval + ")";
    }

    /** Returns a confidence in per cent, such as {@code 97.5 %}. */
    static String level(double confidence) {
        return Show.trimmed(100 * confidence, 2) + " %";
    }

    private String runs(MetricComparison m) {
        return m.change().bound() == Bound.NONE
                ? m.runsNeeded().map(this::takes).orElse("")
                : "";
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

    /** Returns what is concluded of a metric, for a cell of a table. */
    public static String verdict(MetricComparison m) {
        return switch (m.verdict()) {
            case HIGHER, LOWER ->
                (m.change().bound() == Bound.NONE || isUnknown(m) ? "" : "at least ") + change(m) + meaning(m);
            case NO_DIFFERENCE_SHOWN -> "no difference shown";
            case INCONCLUSIVE -> "inconclusive";
            case EXPLORATORY, NOT_ENOUGH_RUNS -> "too few runs";
            case TWO_SESSIONS -> "two sessions";
            case CANNOT_TELL -> "cannot tell";
        };
    }

    private static boolean isUnknown(MetricComparison m) {
        return m.change().estimate().isEmpty();
    }

    private static String change(MetricComparison m) {
        String way = m.verdict() == Conclusion.HIGHER ? "higher" : "lower";
        if (isUnknown(m)) {
            return way;
        }
        double value = m.change().estimate().orElseThrow();
        if (m.change().form() == Form.DIFFERENCE) {
            return Show.value(Math.abs(value)) + unit(m) + " " + way;
        }
        return isMultiple(m)
                ? Show.value(value) + " times as high"
                : Show.ascii(100 * Math.abs(value - 1), decimals(m)) + " % " + way;
    }

    private static String meaning(MetricComparison m) {
        return switch (m.meaning()) {
            case BETTER -> ", better";
            case WORSE -> ", worse";
            case NEITHER -> "";
        };
    }

    /** Returns the interval of the change, as the change is told; a dash where there is none. */
    static String interval(MetricComparison m) {
        boolean difference = m.change().form() == Form.DIFFERENCE;
        return interval(
                m,
                end -> difference ? Show.signed(end) : isMultiple(m) ? Show.value(end) : percent(end, decimals(m)),
                difference ? unit(m) : isMultiple(m) ? " times" : " %");
    }

    /** Returns the interval with its ends in this form; a dash where there is none. */
    static String interval(MetricComparison m, DoubleFunction<String> form, String unit) {
        Optional<String> lo = m.change().lo().stream().mapToObj(form).findFirst();
        Optional<String> hi = m.change().hi().stream().mapToObj(form).findFirst();
        return lo.isPresent() && hi.isPresent()
                ? lo.get() + " to " + hi.get() + unit
                : lo.or(() -> hi).map(end -> sign(m) + end + unit).orElse(Show.ABSENT);
    }

    private static String percent(double ratio, int decimals) {
        return (ratio > 1 ? "+" : "") + Show.ascii(100 * (ratio - 1), decimals);
    }

    /** Returns the decimals of a change in per cent: what is shown does not read as none, down to a thousandth. */
    private static int decimals(MetricComparison m) {
        double least = Stream.of(
                        m.change().estimate(), m.change().lo(), m.change().hi())
                .flatMapToDouble(OptionalDouble::stream)
                .map(ratio -> Math.abs(100 * (ratio - 1)))
                .min()
                .orElse(1);
        return !m.verdict().shown() || least >= 0.05 ? 1 : least >= 0.005 ? 2 : 3;
    }

    private static boolean isMultiple(MetricComparison m) {
        return m.change().form() == Form.RATIO && m.change().estimate().orElse(0) >= TIMES;
    }

    static String sign(MetricComparison m) {
        return switch (m.change().bound()) {
            case AT_LEAST -> ">= ";
            case AT_MOST -> "<= ";
            case NONE, UNKNOWN -> "";
        };
    }

    static String unit(MetricComparison m) {
        return m.metric().unit().isEmpty() ? "" : " " + m.metric().unit();
    }
}
