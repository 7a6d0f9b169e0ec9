package dev.kiln.report;

import dev.kiln.explain.RunResult;
import dev.kiln.explain.VariantResult;
import dev.kiln.explain.study.ExperimentResult;
import dev.kiln.explain.window.WindowStatistics.ThreadGroup;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** Who had the CPU, who waited for it, and how often they were switched. */
record HtmlThreads(ExperimentResult result) {
    /** Groups shown of each variant; the rest is one line. */
    private static final int SHOWN = 10;

    private static final List<String> HEADS = List.of(
            "thread group",
            "role",
            "threads",
            "CPU, % of one",
            "waiting for a CPU, threads",
            "voluntary switches /s and thread",
            "involuntary switches /s and thread");

    String html() {
        HtmlTable table = new HtmlTable(2, HEADS);
        for (int i = 0; i < result.variants().size(); i++) {
            rows(table, i, result.variants().get(i));
        }
        return table.isEmpty()
                ? ""
                : Html.caption("Second half of the warm-up; median of the runs. A thread that calls Thread.yield, as"
                                + " the carriers of virtual threads do, is counted as switched involuntarily: it is"
                                + " waiting for a CPU, not involuntary switches, that shows starvation. Bars: share of one"
                                + " CPU; share of the group's threads that were waiting.")
                        + table.html("Threads");
    }

    private static void rows(HtmlTable table, int index, VariantResult variant) {
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
        table.group(Html.variant(index, variant.name()));
        List<List<ThreadGroup>> order = groups.values().stream()
                .sorted(Comparator.comparingDouble(HtmlThreads::importance).reversed())
                .toList();
        order.stream().limit(SHOWN).forEach(group -> table.row(cells(group)));
        if (order.size() > SHOWN) {
            table.group("<span class=\"range\">and " + Text.plural(order.size() - SHOWN, "group")
                    + " with less CPU and less waiting</span>");
        }
    }

    private static double importance(Collection<ThreadGroup> group) {
        return median(group, ThreadGroup::cpuShare) + median(group, ThreadGroup::waitShare);
    }

    private static List<String> cells(List<ThreadGroup> group) {
        double cpu = median(group, ThreadGroup::cpuShare);
        double wait = median(group, ThreadGroup::waitShare);
        double threads = median(group, ThreadGroup::threads);
        return List.of(
                Html.escape(group.getFirst().name()),
                Html.escape(Roles.words(group.getFirst().role())),
                Text.whole(threads),
                Html.bar(cpu, Text.percent(cpu)),
                Html.bar(threads > 0 ? wait / threads : 0, Text.three(wait)),
                Text.three(median(group, ThreadGroup::voluntaryPerSecond)),
                Text.three(median(group, ThreadGroup::involuntaryPerSecond)));
    }

    private static double median(Collection<ThreadGroup> group, ToDoubleFunction<ThreadGroup> value) {
        return Spread.median(group, value);
    }
}
