package dev.kiln.report.html;

import dev.kiln.explain.Curves.JitPoint;
import dev.kiln.explain.Replica;
import dev.kiln.explain.RunResult;
import dev.kiln.explain.study.ExperimentResult;
import dev.kiln.explain.window.CpuUse;
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
        Html.HtmlTable table = new Html.HtmlTable(2, HEADS);
        for (int i = 0; i < result.variants().size(); i++) {
            for (RunResult run : result.variants().get(i).runs()) {
                if (!run.replicas().isEmpty()) {
                    table.group(Html.variant(i, run.variant()) + " <small>run " + run.run() + "</small>");
                }
                run.replicas().forEach(replica -> table.row(row(replica)));
            }
        }
        return table.isEmpty()
                ? ""
                : table.html("Replicas")
                        + Html.caption(
                                "CPU in the second half of the warm-up. The throughput is that of all replicas. The time to"
                                        + " its peak of each is " + Replica.NO_TIME + ".");
    }

    private static List<String> row(Replica replica) {
        return List.of(
                Html.escape(replica.name()),
                replica.left().text(),
                percent(replica.cpu()),
                replica.c2().map(use -> percent(OptionalDouble.of(use.cpu()))).orElse(Show.ABSENT),
                replica.c2().map(CpuUse::waiting).map(Show::three).orElse(Show.ABSENT),
                quiet(replica.cleared()),
                curve(replica.jit()));
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

    /** Returns a picture of C2's seconds under load: what it got, and above that what it waited for, up to two CPUs. */
    private static String curve(List<JitPoint> points) {
        List<JitPoint> loaded =
                points.stream().filter(point -> point.second() >= 0).toList();
        if (loaded.isEmpty()) {
            return Show.ABSENT;
        }
        double most = Math.max(
                1,
                loaded.stream()
                        .mapToDouble(point -> point.c2Cpu() + point.c2Wait())
                        .max()
                        .orElse(1));
        double end = loaded.getLast().second() + 1;
        String bars = loaded.stream()
                .map(point -> bar(point.second() / end, 1 / end, 0, point.c2Cpu() / most, "0.9")
                        + bar(point.second() / end, 1 / end, point.c2Cpu() / most, point.c2Wait() / most, "0.3"))
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
