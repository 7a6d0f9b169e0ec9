package dev.kiln.report;

import dev.kiln.explain.study.History.PastSeries;
import java.util.Set;
import java.util.stream.Collectors;

/** A series as a row of bars, with a line wherever its level changed. */
final class HistorySpark {
    private static final String BARS = "\u2581\u2582\u2583\u2584\u2585\u2586\u2587\u2588";
    private static final String ASCII_BARS = "_.-=*#%@";

    /** Less than this share of the level never fills the height: noise must not look like news. */
    private static final double LEAST_SPAN = 0.2;

    /** Rounding must not tell equal values apart. */
    private static final double TIE = 1e-9;

    private HistorySpark() {}

    /** The newest runs, as many as fit. */
    static String of(PastSeries series, int width, boolean unicode) {
        int runs = series.runs().size();
        Set<Integer> changes = series.shifts().stream()
                .flatMap(shifts -> shifts.shifts().stream())
                .map(shift -> shift.index())
                .collect(Collectors.toSet());
        int from = Math.max(0, runs - Math.max(1, width - changes.size()));
        double low = Double.POSITIVE_INFINITY;
        double high = Double.NEGATIVE_INFINITY;
        for (int i = from; i < runs; i++) {
            low = Math.min(low, series.value(i));
            high = Math.max(high, series.value(i));
        }
        double least = LEAST_SPAN * Math.max(Math.abs(low), Math.abs(high));
        double span = Math.max(high - low, least);
        double bottom = (low + high - span) / 2;
        StringBuilder out = new StringBuilder();
        for (int i = from; i < runs; i++) {
            if (changes.contains(i) && i > from) {
                out.append(unicode ? '\u2502' : '|');
            }
            int level = span == 0 ? 0 : (int) Math.round((series.value(i) - bottom) / span * (BARS.length() - 1) - TIE);
            out.append((unicode ? BARS : ASCII_BARS).charAt(level));
        }
        return out.toString();
    }
}
