package dev.kiln.gate;

import dev.kiln.compare.Calibration;
import dev.kiln.compare.Calibration.SplitShares;
import dev.kiln.compare.Gates.GateResult;
import dev.kiln.compare.Gates.GateResult.GateRow;
import dev.kiln.model.Controls;
import dev.kiln.model.experiment.GateSpec.Tolerance;
import dev.kiln.report.ComparisonText;
import dev.kiln.report.Grid;
import dev.kiln.report.Markdown;
import dev.kiln.report.TerminalStyle;
import dev.kiln.stats.Gate;
import dev.kiln.stats.Gate.GateChange;
import dev.kiln.text.Show;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.stream.Collectors;

/** GateText writes {@code kiln gate} on a terminal, as a summary in Markdown, and as JUnit XML. */
public final class GateText {
    private static final List<String> CALIBRATION =
            List.of("Metric", "Tolerance", "Runs", "Splits", "FAIL", "PASS", "INCONCLUSIVE", "under-powered", "shown");

    private GateText() {}

    public static String terminal(GateResult result, TerminalStyle style) {
        String conclusion = style.chars(conclusion(result));
        return grid(result).terminal(style) + "\n"
                + (result.verdict() == Gate.Verdict.PASS ? style.bold(conclusion) : style.warn(conclusion)) + "\n\n"
                + style.notes(notes(result));
    }

    /** Returns the result in Markdown, to be appended to the summary of a CI job. */
    public static String markdown(GateResult result) {
        return "### " + Markdown.escape(conclusion(result)) + "\n\n"
                + grid(result).markdown() + "\n" + Markdown.notes(notes(result)) + "\n";
    }

    public static String calibration(List<Calibration> all, TerminalStyle style) {
        StringBuilder out = new StringBuilder();
        List<String> notes = new ArrayList<>();
        for (Calibration one : all) {
            List<List<String>> rows = one.rows().stream()
                    .map(row -> List.of(
                            row.label(),
                            tolerance(row.tolerance()),
                            Integer.toString(row.runs()),
                            Show.whole(row.splits()),
                            share(row.share(SplitShares::failed)),
                            share(row.share(SplitShares::passed)),
                            share(row.share(SplitShares::inconclusive)),
                            share(row.share(SplitShares::underPowered)),
                            share(row.share(SplitShares::differenceShown))))
                    .toList();
            out.append(style.bold(style.chars(one.name() + " against itself"))).append("\n\n");
            out.append(Grid.of(CALIBRATION, rows).terminal(style));
            out.append('\n');
            one.rows().stream()
                    .filter(row -> !row.note().isEmpty())
                    .forEach(row -> notes.add(row.label() + ": " + row.note()));
            if (one.rows().stream().anyMatch(row -> !row.all())) {
                notes.add(one.name() + ": too many ways to split the runs, so as many as shown were drawn at random");
            }
        }
        double shown = 100 * all.getFirst().confidence();
        notes.add("each split makes a baseline and a current half of runs of one configuration, so every FAIL is a"
                + " false alarm (at most 5 % are promised); shown: share of splits whose " + percent(shown)
                + " interval excludes zero change (" + percent(100 - shown) + " are expected)");
        notes.add("splits share their runs: the rates hold for this machine in these hours, not for differences"
                + " between days");
        return out + style.notes(notes);
    }

    private static String share(OptionalDouble share) {
        return Show.or(share, value -> Show.points(100 * value));
    }

    private static Grid grid(GateResult result) {
        double level = level(result);
        String interval = level > 0 ? percent(100 * level) + " interval" : "Interval";
        List<String> heads =
                List.of("Metric", "Current", "Baseline", "Change", "Tolerance", interval, "Detectable", "Verdict");
        return Grid.of(
                heads, result.rows().stream().map(row -> cells(row, level)).toList(), 7);
    }

    private static List<String> cells(GateRow row, double level) {
        return List.of(
                row.label(),
                figure(row, Gate::current),
                figure(row, Gate::baseline),
                change(row),
                tolerance(row.tolerance()),
                row.found().map(gate -> interval(gate.change())).orElse(Show.ABSENT)
                        + (hasOwnLevel(row, level) ? " (" + confidence(row) + ")" : ""),
                Show.points(
                        row.found().map(gate -> gate.change().detectablePct()).orElse(OptionalDouble.empty())),
                word(row.verdict()));
    }

    /** Returns the interval; the end that a lower bound leaves open is missing. */
    private static String interval(GateChange change) {
        if (change.loPct().isEmpty()) {
            return change.hiPct().isEmpty()
                    ? Show.ABSENT
                    : "<= " + Show.points(change.hiPct().getAsDouble());
        }
        double lo = change.loPct().getAsDouble();
        return change.hiPct().isEmpty()
                ? ">= " + Show.points(lo)
                : Show.ascii(lo, 1) + " to " + Show.points(change.hiPct().getAsDouble());
    }

    private static boolean hasInterval(GateRow row) {
        return row.found()
                .filter(gate -> !interval(gate.change()).equals(Show.ABSENT))
                .isPresent();
    }

    /** Returns the level of the intervals but those whose width decided how many runs there are; 0 without an interval. */
    private static double level(GateResult result) {
        return result.rows().stream()
                .filter(GateText::hasInterval)
                .mapToDouble(row -> row.found().orElseThrow().change().confidence())
                .min()
                .orElse(0);
    }

    private static boolean hasOwnLevel(GateRow row, double level) {
        return hasInterval(row) && row.found().orElseThrow().change().confidence() > level;
    }

    private static String percent(double percent) {
        return Show.ascii(percent, Math.abs(percent - Math.rint(percent)) < 0.05 ? 0 : 1) + " %";
    }

    private static String confidence(GateRow row) {
        return percent(100 * row.found().orElseThrow().change().confidence());
    }

    private static String figure(GateRow row, Function<Gate, Gate.Figure> side) {
        return row.found().map(side).map(GateText::figure).orElse(Show.ABSENT);
    }

    /** Returns a figure as a decimal, with more digits for small ones. One that is only a bound says so. */
    private static String figure(Gate.Figure figure) {
        double value = figure.value();
        return switch (figure.bound()) {
                    case EXACT -> "";
                    case AT_LEAST -> ">= ";
                    case BEYOND -> "> ";
                }
                + (Math.abs(value) < 9.995 ? Show.value(value) : Show.ascii(value, 1));
    }

    private static String change(GateRow row) {
        return row.found().map(GateText::change).orElse(Show.ABSENT);
    }

    /** Returns the change in percent: a bound if one side is a bound, and absent if both are. */
    private static String change(Gate gate) {
        boolean from = gate.baseline().bound() != Gate.FigureBound.EXACT;
        boolean to = gate.current().bound() != Gate.FigureBound.EXACT;
        return from && to
                ? Show.ABSENT
                : (from ? "<= " : to ? ">= " : "") + Show.points(gate.change().pct());
    }

    private static String tolerance(Tolerance tolerance) {
        return (tolerance.eitherWay() ? "\u00b1" : "") + Show.points(tolerance.percent());
    }

    public static String word(Gate.Verdict verdict) {
        return switch (verdict) {
            case PASS -> "PASS";
            case FAIL -> "FAIL";
            case INCONCLUSIVE -> "INCONCLUSIVE";
            case UNDER_POWERED -> "UNDER-POWERED";
        };
    }

    /** Returns the conclusion, such as {@code FAIL: 2 of 6 metrics fail, 1 is inconclusive}. */
    public static String conclusion(GateResult result) {
        Map<Gate.Verdict, Long> counts = result.rows().stream()
                .collect(Collectors.groupingBy(
                        GateRow::verdict, () -> new EnumMap<>(Gate.Verdict.class), Collectors.counting()));
        String parts = counts.entrySet().stream()
                .map(e -> e.getValue() + " " + word(e.getKey()))
                .collect(Collectors.joining(", "));
        return word(result.verdict()) + ": " + result.current() + " against " + result.baseline() + ", "
                + Show.plural(result.rows().size(), "metric") + ": " + parts
                + sessions(result);
    }

    /** Returns that sessions are of unknown variance, and of which metrics where that is not so of all. */
    private static String sessions(GateResult result) {
        List<GateRow> unknown = result.ofUnknownSessions();
        if (unknown.isEmpty()) {
            return "";
        }
        long found =
                result.rows().stream().filter(row -> row.found().isPresent()).count();
        return "; two sessions; how much sessions differ is not known"
                + (unknown.size() == found
                        ? ""
                        : unknown.stream().map(GateRow::metric).collect(Collectors.joining(", ", " of ", "")));
    }

    private static List<String> notes(GateResult result) {
        List<String> out = new ArrayList<>(result.notes());
        out.addAll(ComparisonText.eachOnce(result.rows(), GateRow::metric, GateRow::notes));
        out.add("change: 100 (current / baseline - 1); tolerance: positive where lower is better, negative"
                + " where higher is better");
        if (result.rows().stream().anyMatch(GateText::hasInterval)) {
            out.add(
                    "PASS: the interval lies inside the tolerance; FAIL: it lies beyond it. It is two one-sided tests, so"
                            + " that each side has " + percent(50 * (1 - level(result)))
                            + "; detectable: how far from the tolerance a change must lie for these"
                            + " runs to decide it with 80 % power"
                            + (result.rows().stream()
                                            .anyMatch(row -> row.found()
                                                    .filter(gate ->
                                                            gate.change().paired())
                                                    .isPresent())
                                    ? "; runs of one block are compared with one another"
                                    : "")
                            + (result.rows().stream().anyMatch(row -> hasOwnLevel(row, level(result)))
                                    ? "; an interval names its level where its width decided how many runs there are"
                                    : "")
                            + (result.interims() > 1 ? "; look " + result.interim() + " of " + result.interims() : ""));
        }
        result.together().ifPresent(out::add);
        return out;
    }

    /** Returns JUnit XML, which CI servers show: FAIL is a failure there, and what could not be decided is an error. */
    public static String junit(GateResult result) {
        List<GateRow> rows = result.rows();
        long failures =
                rows.stream().filter(row -> row.verdict() == Gate.Verdict.FAIL).count();
        long errors = rows.stream()
                .filter(row ->
                        row.verdict() == Gate.Verdict.UNDER_POWERED || row.verdict() == Gate.Verdict.INCONCLUSIVE)
                .count();
        StringBuilder out = new StringBuilder("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
        out.append("<testsuite name=\"kiln gate: ")
                .append(xml(result.current() + " against " + result.baseline()))
                .append("\" tests=\"")
                .append(rows.size())
                .append("\" failures=\"")
                .append(failures)
                .append("\" errors=\"")
                .append(errors)
                .append("\" skipped=\"0\">\n");
        rows.forEach(row -> out.append(testcase(row)));
        return out.append("</testsuite>\n").toString();
    }

    private static String testcase(GateRow row) {
        String open = "  <testcase classname=\"kiln.gate\" name=\"" + xml(row.label()) + "\"";
        if (row.verdict() == Gate.Verdict.PASS) {
            return open + "/>\n";
        }
        String element = row.verdict() == Gate.Verdict.FAIL ? "failure" : "error";
        return open + ">\n    <" + element + " type=\"" + word(row.verdict()) + "\" message=\""
                + xml(message(row)) + "\">" + xml(String.join("\n", row.notes())) + "</" + element
                + ">\n  </testcase>\n";
    }

    private static String message(GateRow row) {
        String interval = hasInterval(row)
                ? " (" + confidence(row) + " interval "
                        + interval(row.found().orElseThrow().change()) + ")"
                : "";
        return "change " + change(row) + interval + ", tolerance " + tolerance(row.tolerance())
                + ", current " + figure(row, Gate::current) + ", baseline "
                + figure(row, Gate::baseline);
    }

    /** Returns the text without control characters, which XML 1.0 does not allow even when they are escaped. */
    private static String xml(String text) {
        return Controls.text(text)
                .replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
