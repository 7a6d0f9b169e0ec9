package dev.kiln.report.html;

import dev.kiln.explain.Curves.JitPoint;
import dev.kiln.explain.Replica;
import dev.kiln.explain.RunResult;
import dev.kiln.explain.study.ExperimentResult;
import dev.kiln.text.Show;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

/** HtmlReplicas shows each process of a service that serves by several behind one address. */
record HtmlReplicas(ExperimentResult result) {
    private static final int WIDTH = 240;
    private static final int HEIGHT = 28;

    private static final List<String> HEADS = List.of(
            "replica",
            "C2 at the end",
            "CPU, % of one",
            "C2\u2019s CPU at the end, % of one",
            "C2 waiting at the end, threads",
            "C2 quiet from, s",
            "C2\u2019s CPU and wait of each second");

    /** Returns the table; empty where each service is one process. */
    String html() {
        double cpus = most();
        Html.HtmlTable table = new Html.HtmlTable(2, HEADS);
        for (int i = 0; i < result.variants().size(); i++) {
            for (RunResult run : result.variants().get(i).runs()) {
                if (!run.replicas().isEmpty()) {
                    table.group(Html.variant(i, run.variant()) + " <small>run " + run.run() + "</small>");
                }
                run.replicas().forEach(replica -> table.row(row(replica, cpus)));
            }
        }
        return table.isEmpty()
                ? ""
                : table.html("Replicas")
                        + Html.caption(
                                "CPU in the second half of the warm-up. The throughput is that of all replicas. The time to"
                                        + " its peak of each is " + Replica.NO_TIME
                                        + ". The pictures share one scale: their height is " + Show.fixed(cpus, 1)
                                        + " CPUs.");
    }

    /** Returns the CPUs that C2 got and waited for in any second of any replica, at most; at least 1. */
    private double most() {
        return result.variants().stream()
                .flatMap(variant -> variant.runs().stream())
                .flatMap(run -> run.replicas().stream())
                .flatMap(replica -> loaded(replica.jit()).stream())
                .mapToDouble(point -> point.c2Cpu() + point.c2Wait())
                .reduce(1, Math::max);
    }

    private static List<JitPoint> loaded(List<JitPoint> points) {
        return points.stream().filter(point -> point.second() >= 0).toList();
    }

    private static List<String> row(Replica replica, double cpus) {
        return List.of(
                Html.escape(replica.name()),
                replica.left().text(),
                percent(replica.cpu()),
                replica.c2().map(use -> percent(OptionalDouble.of(use.cpu()))).orElse(Show.ABSENT),
                replica.c2Waiting().map(Show::three).orElse(Show.ABSENT),
                quiet(replica.cleared()),
                curve(loaded(replica.jit()), cpus));
    }

    private static String percent(OptionalDouble share) {
        return share.isPresent() ? Show.fixed(100 * share.getAsDouble(), 1) : Show.ABSENT;
    }

    private static String quiet(OptionalDouble second) {
        return second.isEmpty()
                ? Show.ABSENT
                : Double.isInfinite(second.getAsDouble())
                        ? "not in the first load"
                        : Show.fixed(second.getAsDouble(), 0);
    }

    /** Returns a picture of C2's seconds: what it got, and above that what it waited for, of so many CPUs. */
    private static String curve(List<JitPoint> loaded, double cpus) {
        if (loaded.isEmpty()) {
            return Show.ABSENT;
        }
        double end = loaded.getLast().second() + 1;
        String bars = loaded.stream()
                .map(point -> bar(point.second() / end, 1 / end, 0, point.c2Cpu() / cpus, "0.9")
                        + bar(point.second() / end, 1 / end, point.c2Cpu() / cpus, point.c2Wait() / cpus, "0.3"))
                .collect(Collectors.joining());
        return "<svg class=\"replica\" width=\"" + WIDTH + "\" height=\"" + HEIGHT
                + "\" role=\"img\" aria-label=\"C2 used up to "
                + Show.fixed(
                        100 * loaded.stream().mapToDouble(JitPoint::c2Cpu).max().orElse(0), 0)
                + " % of one CPU in a second\">" + bars + "</svg>";
    }

    private static String bar(double from, double width, double below, double height, String opacity) {
        return height <= 0
                ? ""
                : String.format(
                        Locale.ROOT,
                        "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.2f\" height=\"%.1f\" fill=\"currentColor\" opacity=\"%s\"/>",
                        WIDTH * from,
                        HEIGHT * (1 - below - height),
                        WIDTH * width,
                        HEIGHT * height,
                        opacity);
    }
}
