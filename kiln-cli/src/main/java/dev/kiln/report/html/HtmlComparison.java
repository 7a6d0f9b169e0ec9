package dev.kiln.report.html;

import dev.kiln.compare.Comparer;
import dev.kiln.compare.Comparison;
import dev.kiln.compare.Configuration;
import dev.kiln.compare.VariantRuns;
import dev.kiln.explain.VariantResult;
import dev.kiln.explain.study.ExperimentResult;
import dev.kiln.model.Metric;
import dev.kiln.report.ComparisonText;
import dev.kiln.report.ComparisonWords;
import dev.kiln.report.Grid;
import dev.kiln.stats.AnalysisConfig;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/** HtmlComparison writes comparisons as a section of a page. */
final class HtmlComparison {
    /** The metrics are those that people choose a JDK by. */
    private static final List<Metric> OF_JDKS =
            List.of(Metric.START, Metric.T90, Metric.WARMUP_COST, Metric.PEAK, Metric.RSS);

    /** The pattern matches names of variants by JDK: {@code jdk21}, {@code spring-jdk21}, {@code jdk21-quota}. */
    private static final Pattern JDK = Pattern.compile("(.*\\b|)jdk-?\\d[\\d.+]*(-.*|)");

    private HtmlComparison() {}

    static String html(Comparison comparison) {
        return Html.section("compared", "Compared", tables(comparison) + general(List.of(comparison)));
    }

    /** Returns the comparison of each pair of JDKs whose variants differ by their JDK alone; empty if there is none. */
    static String byJdk(ExperimentResult result) {
        Map<String, List<Configuration>> groups = new LinkedHashMap<>();
        for (VariantResult variant : result.variants()) {
            Matcher name = JDK.matcher(variant.name());
            if (name.matches()) {
                groups.computeIfAbsent(name.group(1) + "jdk" + name.group(2), key -> new ArrayList<>())
                        .add(VariantRuns.of(result, variant, result.name()).only(OF_JDKS));
            }
        }
        groups.values().forEach(group -> group.removeIf(one -> one.metrics().isEmpty()));
        // The later ones against each that comes before them: so every pair is there once.
        List<List<Configuration>> families = groups.values().stream()
                .flatMap(group ->
                        IntStream.range(0, group.size() - 1).mapToObj(first -> group.subList(first, group.size())))
                .toList();
        if (families.isEmpty()) {
            return "";
        }
        // Each has a share of the error, so that all of them hold together.
        AnalysisConfig shared =
                result.config().withConfidence(1 - (1 - result.config().confidence()) / families.size());
        List<Comparison> comparisons = families.stream()
                .flatMap(family -> Comparer.of(family, shared).stream())
                .toList();
        StringBuilder tables = new StringBuilder();
        comparisons.forEach(comparison -> tables.append(tables(comparison)));
        return comparisons.isEmpty() ? "" : Html.section("jdks", "By JDK", tables + general(comparisons));
    }

    private static String tables(Comparison comparison) {
        ComparisonText text = new ComparisonText(comparison, false);
        ComparisonWords words = new ComparisonWords(comparison);
        StringBuilder out = new StringBuilder();
        for (Comparison.Against against : comparison.others()) {
            Grid grid = text.grid(against);
            Html.HtmlTable table = new Html.HtmlTable(1, Html.escape(grid.heads()));
            grid.rows()
                    .forEach(row -> table.row(
                            row.stream().map(cell -> Html.escape(cell.text())).toList()));
            out.append("<h3>").append(Html.escape(words.title(against))).append("</h3>\n");
            out.append(Html.caption(words.conclusion(against)));
            out.append(table.html(words.title(against)));
            out.append(Html.notes(text.notes(against)));
        }
        return out.toString();
    }

    private static String general(List<Comparison> comparisons) {
        return Html.notes(ComparisonText.general(comparisons, false));
    }
}
