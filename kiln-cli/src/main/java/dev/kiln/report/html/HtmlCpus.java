package dev.kiln.report.html;

import dev.kiln.explain.RunResult;
import dev.kiln.explain.VariantResult;
import dev.kiln.explain.study.ExperimentResult;
import dev.kiln.explain.window.WindowStatistics;
import dev.kiln.explain.window.WindowStatistics.PartUse;
import dev.kiln.explain.window.WindowStatistics.ThreadGroup;
import dev.kiln.report.Cell.Spread;
import dev.kiln.report.Reading;
import dev.kiln.text.Show;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** HtmlCpus shows who had the CPUs and who waited: the target's threads, and each part of the lab. */
record HtmlCpus(ExperimentResult result) {
    /** The table shows so many groups of each variant; the rest is one line. */
    private static final int SHOWN = 10;

    private static final List<String> HEADS = List.of(
            "thread group",
            "role",
            "threads",
            "CPU, % of one",
            "waiting for a CPU, threads",
            "voluntary switches /s and thread",
            "involuntary switches /s and thread");

    String threads() {
        Html.HtmlTable table = new Html.HtmlTable(2, HEADS);
        table.each(result.variants(), (named, variant) -> rows(table, named, variant));
        return table.isEmpty()
                ? ""
                : Html.caption("Second half of the warm-up; median of the runs. A thread that calls Thread.yield,"
                                + " as the carriers of virtual threads do, counts as switched involuntarily: so"
                                + " waiting for a CPU shows starvation, and involuntary switches do not. Bars:"
                                + " share of one CPU; share of the group's threads that were waiting.")
                        + table.html("Threads");
    }

    private static void rows(Html.HtmlTable table, String named, VariantResult variant) {
        Map<List<String>, List<ThreadGroup>> groups = new LinkedHashMap<>();
        for (RunResult run : Reading.readableRuns(variant)) {
            run.observed()
                    .threads()
                    .forEach(group -> groups.computeIfAbsent(
                                    List.of(group.name(), group.role()), key -> new ArrayList<>())
                            .add(group));
        }
        if (groups.isEmpty()) {
            return;
        }
        table.group(named);
        List<List<ThreadGroup>> order = groups.values().stream()
                .sorted(Comparator.comparingDouble(HtmlCpus::importance).reversed())
                .toList();
        order.stream().limit(SHOWN).forEach(group -> table.row(cells(group)));
        if (order.size() > SHOWN) {
            table.group("<span class=\"range\">and " + Show.plural(order.size() - SHOWN, "group")
                    + " with less CPU and less waiting</span>");
        }
    }

    private static double importance(Collection<ThreadGroup> group) {
        return Spread.median(group, ThreadGroup::cpuShare) + Spread.median(group, ThreadGroup::waitShare);
    }

    private static List<String> cells(List<ThreadGroup> group) {
        double cpu = Spread.median(group, ThreadGroup::cpuShare);
        double wait = Spread.median(group, ThreadGroup::waitShare);
        double threads = Spread.median(group, ThreadGroup::threads);
        return List.of(
                Html.escape(group.getFirst().name()),
                Html.escape(role(group.getFirst().role())),
                Show.whole(threads),
                Html.bar(cpu, Show.percent(cpu)),
                Html.bar(threads > 0 ? wait / threads : 0, Show.three(wait)),
                Show.three(Spread.median(group, ThreadGroup::voluntaryPerSecond)),
                Show.three(Spread.median(group, ThreadGroup::involuntaryPerSecond)));
    }

    private static String role(String role) {
        return switch (role) {
            case "C1" -> "C1 compiler";
            case "C2" -> "C2 compiler";
            case "GC" -> "garbage collector";
            case "VM" -> "JVM";
            case "WORKER" -> "worker";
            case "IO" -> "event loop";
            default -> role.toLowerCase(Locale.ROOT);
        };
    }

    /** Returns a table of what each part of the lab used, and what disturbed the measurement of a variant. */
    String parts() {
        Html.HtmlTable table = new Html.HtmlTable(
                1, List.of("part", "CPU, % of one", "waiting for a CPU, threads", "CPU time of the run, s"));
        table.each(result.variants(), (named, variant) -> {
            Map<String, List<PartUse>> parts = new LinkedHashMap<>();
            Reading.readableRuns(variant)
                    .forEach(run -> run.observed()
                            .parts()
                            .forEach(p -> parts.computeIfAbsent(p.part(), key -> new ArrayList<>())
                                    .add(p)));
            if (!parts.isEmpty()) {
                table.group(named + limits(variant));
            }
            parts.forEach((name, uses) -> {
                double cpu = Spread.median(uses, PartUse::cpuShare);
                table.row(List.of(
                        Html.escape(name),
                        Html.bar(cpu, Show.percent(cpu)),
                        Show.three(Spread.median(uses, PartUse::waitShare)),
                        uses.stream().allMatch(use -> use.totalCpuSeconds().isPresent())
                                ? Show.seconds(Spread.median(
                                        uses, use -> use.totalCpuSeconds().getAsDouble()))
                                : "-"));
            });
        });
        return table.isEmpty()
                ? ""
                : Html.caption("Shares are of the second half of the warm-up; median of the runs.")
                        + table.html("Cost of each part of the lab");
    }

    private static String limits(VariantResult variant) {
        List<RunResult> runs = Reading.readableRuns(variant);
        String busy = share(runs, WindowStatistics::labBusy, "busiest CPU of load and database %s % busy");
        String steal = share(runs, WindowStatistics::stealShare, "%s % of the target's CPUs taken by the hypervisor");
        String throttled = Spread.over(runs, run -> run.observed().totals().throttledSeconds())
                .filter(s -> s.max() > 0)
                .map(s -> "throttled for " + Show.seconds(s.median()) + " s")
                .orElse("");
        String all =
                Stream.of(busy, steal, throttled).filter(s -> !s.isEmpty()).collect(Collectors.joining(" \u00b7 "));
        return all.isEmpty() ? "" : " <span class=\"range inline\">" + Html.escape(all) + "</span>";
    }

    private static String share(
            List<RunResult> runs, Function<WindowStatistics, OptionalDouble> value, String sentence) {
        return Spread.over(runs, run -> value.apply(run.observed()))
                .map(s -> sentence.replace("%s", Show.percent(s.median())))
                .orElse("");
    }
}
