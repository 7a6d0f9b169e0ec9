package dev.kiln.report;

import dev.kiln.compare.GateResult;
import dev.kiln.compare.GateRow;
import dev.kiln.compare.GateRow.Outcome;
import dev.kiln.model.Tolerance;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

/** What every rendering of a gate says in the same words. */
final class GateWords {
    private GateWords() {}

    static Grid grid(GateResult result) {
        String interval = result.rows().stream()
                .filter(row -> row.lo().isPresent())
                .findFirst()
                .map(row -> confidence(row) + " interval")
                .orElse("Interval");
        List<String> heads =
                List.of("Metric", "Current", "Baseline", "Variance", "Tolerance", interval, "Detectable", "Verdict");
        return new Grid(heads, result.rows().stream().map(GateWords::cells).toList(), List.of(7));
    }

    private static List<String> cells(GateRow row) {
        String interval = row.lo().isPresent() && row.hi().isPresent()
                ? Figure.fixed(row.lo().getAsDouble(), 1) + " to "
                        + Figure.percent(row.hi().getAsDouble())
                : Text.ABSENT;
        return List.of(
                row.label(),
                figure(row.current()),
                figure(row.baseline()),
                percent(row.variance()),
                tolerance(row.tolerance()),
                interval,
                percent(row.minimalDetectableEffect()),
                word(row.outcome()));
    }

    private static String confidence(GateRow row) {
        double percent = 100 * row.confidence();
        return Figure.fixed(percent, Math.abs(percent - Math.rint(percent)) < 0.05 ? 0 : 1) + " %";
    }

    /** A decimal, as performance tables have it; more for small figures. */
    static String figure(OptionalDouble value) {
        if (value.isEmpty()) {
            return Text.ABSENT;
        }
        double figure = value.getAsDouble();
        return Math.abs(figure) < 9.995 ? Figure.value(figure) : Figure.fixed(figure, 1);
    }

    static String percent(OptionalDouble value) {
        return value.isPresent() ? Figure.percent(value.getAsDouble()) : Text.ABSENT;
    }

    static String tolerance(Tolerance tolerance) {
        return (tolerance.eitherWay() ? "\u00b1" : "") + Figure.percent(tolerance.percent());
    }

    static String word(Outcome outcome) {
        return switch (outcome) {
            case PASS -> "PASS";
            case FAIL -> "FAIL";
            case INCONCLUSIVE -> "INCONCLUSIVE";
            case UNDER_POWERED -> "UNDER-POWERED";
        };
    }

    /** {@code FAIL: 2 of 6 metrics fail, 1 is inconclusive}. */
    static String conclusion(GateResult result) {
        Map<Outcome, Long> counts = result.rows().stream()
                .collect(Collectors.groupingBy(
                        GateRow::outcome, () -> new EnumMap<>(Outcome.class), Collectors.counting()));
        String parts = counts.entrySet().stream()
                .map(e -> e.getValue() + " " + word(e.getKey()))
                .collect(Collectors.joining(", "));
        return word(result.outcome()) + ": " + result.current() + " against " + result.baseline() + ", "
                + Text.plural(result.rows().size(), "metric") + ": " + parts;
    }

    static List<String> notes(GateResult result) {
        List<String> out = new ArrayList<>(result.notes());
        Map<String, List<String>> byNote = new LinkedHashMap<>();
        for (GateRow row : result.rows()) {
            for (String note : row.notes()) {
                byNote.computeIfAbsent(note, n -> new ArrayList<>()).add(row.metric());
            }
            if (row.outcome() == Outcome.UNDER_POWERED) {
                byNote.computeIfAbsent(
                                "by its interval alone it would be " + word(row.byInterval()), n -> new ArrayList<>())
                        .add(row.metric());
            }
        }
        byNote.forEach((note, metrics) -> out.add(
                metrics.size() == result.rows().size() && metrics.size() > 1
                        ? note
                        : String.join(", ", metrics) + ": " + note));
        out.add(
                "variance: 100 (current / baseline - 1); tolerance: positive where lower is better, negative where higher"
                        + " is");
        if (result.rows().stream().anyMatch(row -> row.lo().isPresent())) {
            out.add(
                    "the verdict is by the interval: PASS wholly inside the tolerance, FAIL wholly beyond it; detectable:"
                            + " the smallest change that these runs show with 80 % power"
                            + (result.looks() > 1 ? "; look " + result.look() + " of " + result.looks() : ""));
        }
        return out;
    }
}
