package dev.kiln.report;

import dev.kiln.compare.GateResult;
import dev.kiln.compare.GateResult.GateRow;
import dev.kiln.model.GateSpec.Tolerance;
import dev.kiln.stats.Gate;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/** What every rendering of a gate says in the same words. */
final class GateWords {
    private GateWords() {}

    static Grid grid(GateResult result) {
        String interval = result.rows().stream()
                .filter(GateWords::hasInterval)
                .findFirst()
                .map(row -> confidence(row) + " interval")
                .orElse("Interval");
        List<String> heads =
                List.of("Metric", "Current", "Baseline", "Variance", "Tolerance", interval, "Detectable", "Verdict");
        return new Grid(heads, result.rows().stream().map(GateWords::cells).toList(), List.of(7));
    }

    private static List<String> cells(GateRow row) {
        return List.of(
                row.label(),
                figure(row, Gate::current),
                figure(row, Gate::baseline),
                variance(row),
                tolerance(row.tolerance()),
                row.found().map(GateWords::interval).orElse(Text.ABSENT),
                percent(row.found().map(Gate::minimalDetectableEffectPct).orElse(OptionalDouble.empty())),
                word(row.verdict()));
    }

    /** An end that a lower bound leaves open is not there. */
    private static String interval(Gate gate) {
        if (gate.loPct().isEmpty()) {
            return gate.hiPct().isEmpty()
                    ? Text.ABSENT
                    : "<= " + Figure.percent(gate.hiPct().getAsDouble());
        }
        double lo = gate.loPct().getAsDouble();
        return gate.hiPct().isEmpty()
                ? ">= " + Figure.percent(lo)
                : Figure.fixed(lo, 1) + " to " + Figure.percent(gate.hiPct().getAsDouble());
    }

    private static boolean hasInterval(GateRow row) {
        return row.found().filter(gate -> !interval(gate).equals(Text.ABSENT)).isPresent();
    }

    private static String confidence(GateRow row) {
        double percent = 100 * row.found().orElseThrow().confidence();
        return Figure.fixed(percent, Math.abs(percent - Math.rint(percent)) < 0.05 ? 0 : 1) + " %";
    }

    static OptionalDouble of(GateRow row, ToDoubleFunction<Gate> value) {
        return row.found().stream().mapToDouble(value).findFirst();
    }

    /** A decimal, as performance tables have it; more for small figures. */
    static String figure(GateRow row, ToDoubleFunction<Gate> value) {
        OptionalDouble known = of(row, value);
        if (known.isEmpty()) {
            return Text.ABSENT;
        }
        double figure = known.getAsDouble();
        return Math.abs(figure) < 9.995 ? Figure.value(figure) : Figure.fixed(figure, 1);
    }

    static String variance(GateRow row) {
        return percent(of(row, Gate::variancePct));
    }

    private static String percent(OptionalDouble value) {
        return value.isPresent() ? Figure.percent(value.getAsDouble()) : Text.ABSENT;
    }

    static String tolerance(Tolerance tolerance) {
        return (tolerance.eitherWay() ? "\u00b1" : "") + Figure.percent(tolerance.percent());
    }

    static String word(Gate.Verdict verdict) {
        return switch (verdict) {
            case PASS -> "PASS";
            case FAIL -> "FAIL";
            case INCONCLUSIVE -> "INCONCLUSIVE";
            case UNDER_POWERED -> "UNDER-POWERED";
        };
    }

    /** {@code FAIL: 2 of 6 metrics fail, 1 is inconclusive}. */
    static String conclusion(GateResult result) {
        Map<Gate.Verdict, Long> counts = result.rows().stream()
                .collect(Collectors.groupingBy(
                        GateRow::verdict, () -> new EnumMap<>(Gate.Verdict.class), Collectors.counting()));
        String parts = counts.entrySet().stream()
                .map(e -> e.getValue() + " " + word(e.getKey()))
                .collect(Collectors.joining(", "));
        return word(result.verdict()) + ": " + result.current() + " against " + result.baseline() + ", "
                + Text.plural(result.rows().size(), "metric") + ": " + parts;
    }

    static List<String> notes(GateResult result) {
        List<String> out = new ArrayList<>(result.notes());
        Map<String, List<String>> byNote = new LinkedHashMap<>();
        for (GateRow row : result.rows()) {
            for (String note : row.notes()) {
                byNote.computeIfAbsent(note, n -> new ArrayList<>()).add(row.metric());
            }
        }
        byNote.forEach((note, metrics) -> out.add(
                metrics.size() == result.rows().size() && metrics.size() > 1
                        ? note
                        : String.join(", ", metrics) + ": " + note));
        out.add(
                "variance: 100 (current / baseline - 1); tolerance: positive where lower is better, negative where higher"
                        + " is");
        if (result.rows().stream().anyMatch(GateWords::hasInterval)) {
            out.add(
                    "the verdict is by the interval: PASS wholly inside the tolerance, FAIL wholly beyond it; detectable:"
                            + " the smallest change that these runs show with 80 % power"
                            + (result.interims() > 1 ? "; look " + result.interim() + " of " + result.interims() : ""));
        }
        return out;
    }
}
