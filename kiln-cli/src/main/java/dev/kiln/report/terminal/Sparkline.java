package dev.kiln.report.terminal;

import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** A Sparkline shows values as a row of bars, each of one character. */
public final class Sparkline {
    private static final String BARS = "\u2581\u2582\u2583\u2584\u2585\u2586\u2587\u2588";
    private static final String ASCII_BARS = "_.-=*#%@";

    /** Less than this share of the level never fills the height: noise must not look like news. */
    private static final double LEAST_SPAN = 0.2;

    /** Rounding must not make equal values look different. */
    private static final double TIE = 1e-9;

    private Sparkline() {}

    /**
     * Draws the last values, as many as fit, scaled from zero; blank where there was none.
     *
     * @param top the value of a full bar at the least, so that noise about zero does not fill the picture
     */
    public static String fromZero(List<Double> values, int width, double top, boolean unicode) {
        List<Double> last = values.subList(Math.max(0, values.size() - width), values.size());
        double full = Math.max(
                top, last.stream().mapToDouble(Double::doubleValue).max().orElse(0));
        return last.stream()
                .map(v -> Double.isFinite(v) ? bar(full > 0 ? Math.max(0, v) / full : 0, 0, unicode) : " ")
                .collect(Collectors.joining());
    }

    /**
     * Draws the last values, as many as fit, between the lowest and the highest of them.
     *
     * @param changes indices of values that begin a new level: a line stands before them
     */
    public static String aroundLevel(List<Double> values, Set<Integer> changes, int width, boolean unicode) {
        int from = Math.max(0, values.size() - Math.max(1, width - changes.size()));
        DoubleSummaryStatistics shown =
                values.stream().skip(from).mapToDouble(Double::doubleValue).summaryStatistics();
        double least = LEAST_SPAN * Math.max(Math.abs(shown.getMin()), Math.abs(shown.getMax()));
        double span = Math.max(shown.getMax() - shown.getMin(), least);
        double bottom = (shown.getMin() + shown.getMax() - span) / 2;
        StringBuilder out = new StringBuilder();
        for (int i = from; i < values.size(); i++) {
            if (changes.contains(i) && i > from) {
                out.append(unicode ? '\u2502' : '|');
            }
            out.append(bar(span == 0 ? 0 : (values.get(i) - bottom) / span, TIE, unicode));
        }
        return out.toString();
    }

    private static String bar(double share, double tie, boolean unicode) {
        int level = (int) Math.round(share * (BARS.length() - 1) - tie);
        return (unicode ? BARS : ASCII_BARS).substring(level, level + 1);
    }
}
