package dev.kiln.report;

import dev.kiln.compare.Comparison;
import dev.kiln.compare.Comparison.MetricComparison;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

/** {@code kiln compare --csv}: a row a metric of each comparison, with every digit. */
public final class ComparisonCsv {
    private static final List<String> COLUMNS = List.of(
            "baseline",
            "variant",
            "metric",
            "unit",
            "baselineRuns",
            "variantRuns",
            "baselineValue",
            "variantValue",
            "form",
            "estimate",
            "lo",
            "hi",
            "bound",
            "confidence",
            "p",
            "pAdjusted",
            "exactP",
            "paired",
            "verdict",
            "meaning",
            "runsNeeded");

    private ComparisonCsv() {}

    public static String render(Comparison comparison) {
        String rows = comparison.others().stream()
                .flatMap(against -> against.metrics().stream()
                        .map(m -> row(
                                comparison.baseline().name(), against.other().name(), m)))
                .collect(Collectors.joining());
        return line(COLUMNS) + rows;
    }

    private static String row(String baseline, String variant, MetricComparison m) {
        return line(List.of(
                baseline,
                variant,
                m.metric().id(),
                m.metric().unit(),
                Integer.toString(m.a().runs()),
                Integer.toString(m.b().runs()),
                number(m.a().centre()),
                number(m.b().centre()),
                ComparisonJson.word(m.form()),
                number(m.estimate()),
                number(m.lo()),
                number(m.hi()),
                ComparisonJson.word(m.bound()),
                Text.plain(m.confidence()),
                number(m.p()),
                number(m.pAdjusted()),
                m.crossCheck().map(check -> Text.plain(check.p())).orElse(""),
                Boolean.toString(m.paired()),
                ComparisonJson.word(m.verdict()),
                ComparisonJson.word(m.meaning()),
                m.runsNeeded().isPresent() ? Integer.toString(m.runsNeeded().getAsInt()) : ""));
    }

    private static String number(OptionalDouble value) {
        return value.isPresent() && Double.isFinite(value.getAsDouble()) ? Text.plain(value.getAsDouble()) : "";
    }

    private static String line(List<String> cells) {
        return cells.stream()
                .map(cell -> cell.matches("(?s).*[\",\\n\\r].*") ? "\"" + cell.replace("\"", "\"\"") + "\"" : cell)
                .collect(Collectors.joining(",", "", "\n"));
    }
}
