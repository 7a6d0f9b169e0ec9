package dev.kiln.report;

import java.util.List;
import java.util.stream.Collectors;

/** Values as bars of one character, scaled from zero. */
final class Sparkline {
    private static final String BARS = "\u2581\u2582\u2583\u2584\u2585\u2586\u2587\u2588";
    private static final String ASCII_BARS = "_.-=*#%@";

    private Sparkline() {}

    /** @param top the value of a full bar at the least, so that noise about zero does not fill the picture */
    static String of(List<Double> values, int width, double top, boolean unicode) {
        String bars = unicode ? BARS : ASCII_BARS;
        List<Double> last = values.subList(Math.max(0, values.size() - width), values.size());
        double full = Math.max(
                top, last.stream().mapToDouble(Double::doubleValue).max().orElse(0));
        return last.stream()
                .map(v -> Double.isFinite(v) ? (int) Math.round(Math.max(0, v) / full * (bars.length() - 1)) : -1)
                .map(level -> level < 0 ? " " : bars.substring(level, level + 1))
                .collect(Collectors.joining());
    }
}
