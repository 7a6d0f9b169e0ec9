package dev.kiln.report;

import dev.kiln.explain.RunResult;
import dev.kiln.explain.VariantResult;
import dev.kiln.explain.study.ExperimentResult;
import dev.kiln.explain.window.WindowStatistics;
import dev.kiln.explain.window.WindowStatistics.PartUse;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What the target used, and what the lab around it did to the measurement. */
record HtmlLab(ExperimentResult result) {

    String parts() {
        HtmlTable table = new HtmlTable(
                1, List.of("part", "CPU, % of one", "waiting for a CPU, threads", "CPU time of the run, s"));
        for (int i = 0; i < result.variants().size(); i++) {
            VariantResult variant = result.variants().get(i);
            Map<String, List<PartUse>> parts = new LinkedHashMap<>();
            Reading.readableRuns(variant)
                    .forEach(run -> run.observed()
                            .parts()
                            .forEach(p -> parts.computeIfAbsent(p.part(), key -> new ArrayList<>())
                                    .add(p)));
            if (!parts.isEmpty()) {
                table.group(Html.variant(i, variant.name()) + limits(variant));
            }
            parts.forEach((name, uses) -> {
                double cpu = Spread.median(uses, PartUse::cpuShare);
                table.row(List.of(
                        Html.escape(name),
                        Html.bar(cpu, Text.percent(cpu)),
                        Text.three(Spread.median(uses, PartUse::waitShare)),
                        Text.seconds(Spread.median(uses, PartUse::totalCpuSeconds))));
            });
        }
        return table.isEmpty()
                ? ""
                : Html.caption("Shares are of the second half of the warm-up; median of the runs.")
                        + table.html("Cost of each part of the lab");
    }

    private static String limits(VariantResult variant) {
        List<RunResult> runs = Reading.readableRuns(variant);
        String busy = share(runs, WindowStatistics::labBusy, "busiest CPU of load and database %s % busy");
        String steal = share(runs, WindowStatistics::stealShare, "%s % of the target's CPUs taken by the hypervisor");
        String throttled = Spread.over(runs, run -> run.observed().throttledSeconds())
                .filter(s -> s.max() > 0)
                .map(s -> "throttled for " + Text.seconds(s.median()) + " s")
                .orElse("");
        String all =
                Stream.of(busy, steal, throttled).filter(s -> !s.isEmpty()).collect(Collectors.joining(" \u00b7 "));
        return all.isEmpty() ? "" : " <span class=\"range inline\">" + Html.escape(all) + "</span>";
    }

    private static String share(
            List<RunResult> runs, Function<WindowStatistics, OptionalDouble> value, String sentence) {
        return Spread.over(runs, run -> value.apply(run.observed()))
                .map(s -> sentence.replace("%s", Text.percent(s.median())))
                .orElse("");
    }

    String memory() {
        HtmlTable table = new HtmlTable(1, List.of("variant", "highest RSS, MiB", "highest PSS, MiB"));
        for (int i = 0; i < result.variants().size(); i++) {
            VariantResult variant = result.variants().get(i);
            List<RunResult> runs = Reading.readableRuns(variant);
            table.row(List.of(
                    Html.variant(i, variant.name()),
                    megabytes(runs, WindowStatistics::maxRssBytes),
                    megabytes(runs, WindowStatistics::maxPssBytes)));
        }
        return table.isEmpty() ? "" : table.html("Memory");
    }

    private static String megabytes(List<RunResult> runs, Function<WindowStatistics, OptionalLong> bytes) {
        return Spread.over(runs, run -> {
                    OptionalLong value = bytes.apply(run.observed());
                    return value.isPresent() ? OptionalDouble.of((double) value.getAsLong()) : OptionalDouble.empty();
                })
                .map(s -> Html.cell(Cell.of(s, Text::megabytes)))
                .orElseGet(() -> Html.cell(Cell.absent("Memory was not recorded")));
    }
}
