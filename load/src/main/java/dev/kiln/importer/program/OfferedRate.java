package dev.kiln.importer.program;

import dev.kiln.importer.program.SeriesGrid.SeriesRow;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/** An OfferedRate is the one rate of a load whose rows say what was offered: a run has one, and its end is judged by it. */
final class OfferedRate {
    /** Rows at the end of which it is the median: the fewest that Kiln calls an end. */
    private static final int END = 10;

    /** Rows that differ by less than this share have one rate, told by a clock that ticks a little early or late. */
    private static final double SAME = 0.01;

    private OfferedRate() {}

    /**
     * Requests per second; empty where the end has none.
     *
     * @param phases the last of several is the load after the pause; the one before it has the end
     * @param notes gets a note where rows differ
     */
    static OptionalDouble of(List<List<SeriesRow>> phases, List<String> notes) {
        List<SeriesRow> last = phases.get(Math.max(0, phases.size() - 2));
        double[] end = rates(last.subList(Math.max(0, last.size() - END), last.size()));
        Arrays.sort(end);
        double rate = end.length == 0 ? 0 : (end[(end.length - 1) / 2] + end[end.length / 2]) / 2;
        if (rate == 0) {
            return OptionalDouble.empty();
        }
        double[] all = rates(phases.stream().flatMap(List::stream).toList());
        double least = Arrays.stream(all).min().orElse(rate);
        double most = Arrays.stream(all).max().orElse(rate);
        if (most - least > SAME * rate) {
            notes.add(String.format(
                    Locale.ROOT,
                    "the offered rate changes between %,.0f and %,.0f requests per second: Kiln judges by that of the"
                            + " end, %,.0f (median of the last %d rows before the last pause)",
                    least,
                    most,
                    rate,
                    Math.min(END, last.size())));
        }
        return OptionalDouble.of(rate);
    }

    private static double[] rates(List<SeriesRow> rows) {
        return rows.stream().flatMapToDouble(row -> row.rate().stream()).toArray();
    }
}
