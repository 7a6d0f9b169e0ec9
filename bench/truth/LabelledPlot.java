import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * A LabelledPlot shows the speed of a fork over its iterations, twice: all of it, and within 15 % of its end. Iterations are on a
 * scale of square roots, because a warm-up is at the beginning.
 */
final class LabelledPlot {
    private static final int WIDTH = 740, HEIGHT = 400, LEFT = 40, RIGHT = 10;
    private static final List<Integer> TICKS = List.of(0, 10, 50, 100, 250, 500, 1000, 1500, 2000, 2500, 3000);

    private final StringBuilder svg = new StringBuilder();
    private final LabelledFork fork;
    private final Labelled.Judged judged;
    private final double[] speeds;

    private LabelledPlot(LabelledFork fork, Labelled.Judged judged) {
        this.fork = fork;
        this.judged = judged;
        speeds = fork.speeds();
    }

    static String svg(String number, LabelledFork fork, Labelled.Judged judged) {
        return new LabelledPlot(fork, judged).draw(number);
    }

    private String draw(String number) {
        svg.append("""
                <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif" font-size="11">
                <rect width="%d" height="%d" fill="white" stroke="#ccc"/>
                """.formatted(WIDTH, HEIGHT, WIDTH, HEIGHT));
        String name = fork.benchmark();
        text(8, 14, number + name.substring(0, Math.min(100, name.length())).replace("&", "&amp;").replace("<", "&lt;"));
        text(8, 28, String.format(
                Locale.ROOT,
                "fork %d, %.3g s/op. Label: %s (benchmark: %s), start %s. Kiln: %s, end/peak %.3f, T90 %s, T99 %s (%s to %s) s",
                fork.fork(),
                fork.times()[fork.times().length - 1],
                judged.kind(),
                judged.ofBenchmark(),
                seconds("label"),
                judged.verdict(),
                judged.endOverPeak(),
                seconds("T90"),
                seconds("T99"),
                seconds("T99 lo"),
                seconds("T99 hi")));
        double[] sorted = Arrays.stream(speeds).sorted().toArray();
        panel(36, 200, 0, Math.max(1.2, 1.05 * sorted[(int) (0.995 * (sorted.length - 1))]), 0.2);
        panel(212, 380, 0.85, 1.15, 0.05);
        return svg.append("</svg>\n").toString();
    }

    private String seconds(String point) {
        Labelled.Point at = judged.points().get(point);
        return at == null ? "-" : String.format(Locale.ROOT, "%.1f", at.seconds());
    }

    private void panel(int top, int bottom, double from, double to, double step) {
        // What Kiln knows of T99, and where the load begins that shows the peak.
        Labelled.Point lo = judged.points().get("T99 lo");
        if (lo != null) {
            Labelled.Point hi = judged.points().get("T99 hi");
            band(top, bottom, lo.iteration(), hi == null ? LabelledFork.MEASURED : hi.iteration(), "#ffe3b8");
        }
        band(top, bottom, LabelledFork.MEASURED, speeds.length, "#eeeeee");
        for (double y = from; y <= to + 1e-9; y += step) {
            double at = y(top, bottom, from, to, y);
            line(LEFT, at, WIDTH - RIGHT, at, Math.abs(y - 1) < 1e-9 ? "#888" : "#ddd", "");
            text(6, at + 4, String.format(Locale.ROOT, "%.2f", y));
        }
        for (int tick : TICKS) {
            text(x(tick) - 8, bottom + 12, Integer.toString(tick));
        }
        for (int change : fork.segments()) {
            line(x(change + 1), top, x(change + 1), bottom, "#9bbcff", "2 3");
        }
        curve(top, bottom, from, to, 1, "#c8c8c8");
        curve(top, bottom, from, to, 10, "#222");
        vertical(top, bottom, "T90", "#d00000", "4 2");
        vertical(top, bottom, "T99", "#e08000", "");
        vertical(top, bottom, "label", "#0040ff", "");
    }

    private void band(int top, int bottom, int from, int to, String colour) {
        svg.append(String.format(
                Locale.ROOT,
                "<rect x='%.1f' y='%d' width='%.1f' height='%d' fill='%s'/>%n",
                x(from),
                top,
                Math.max(0.5, x(to) - x(from)),
                bottom - top,
                colour));
    }

    private void vertical(int top, int bottom, String point, String colour, String dashes) {
        Labelled.Point at = judged.points().get(point);
        if (at != null) {
            line(x(at.iteration()), top, x(at.iteration()), bottom, colour, dashes);
        }
    }

    private void curve(int top, int bottom, double from, double to, int joined, String colour) {
        StringBuilder points = new StringBuilder();
        for (int i = 0; i + joined <= speeds.length; i += joined) {
            double mean = Arrays.stream(speeds, i, i + joined).average().orElseThrow();
            points.append(String.format(
                    Locale.ROOT,
                    "%.1f,%.1f ",
                    x(i + joined / 2.0),
                    y(top, bottom, from, to, Math.clamp(mean, from, to))));
        }
        svg.append("<polyline fill='none' stroke='").append(colour).append("' stroke-width='0.8' points='");
        svg.append(points).append("'/>\n");
    }

    private void line(double x, double y, double toX, double toY, String colour, String dashes) {
        svg.append(String.format(
                Locale.ROOT,
                "<line x1='%.1f' y1='%.1f' x2='%.1f' y2='%.1f' stroke='%s' stroke-dasharray='%s'/>%n",
                x,
                y,
                toX,
                toY,
                colour,
                dashes));
    }

    private void text(double x, double y, String text) {
        svg.append(String.format(Locale.ROOT, "<text x='%.1f' y='%.1f'>%s</text>%n", x, y, text));
    }

    private double x(double iteration) {
        return LEFT + (WIDTH - LEFT - RIGHT) * Math.sqrt(iteration / speeds.length);
    }

    private static double y(int top, int bottom, double from, double to, double value) {
        return bottom - (bottom - top) * (value - from) / (to - from);
    }
}
