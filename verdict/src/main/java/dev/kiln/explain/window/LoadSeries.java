package dev.kiln.explain.window;

import dev.kiln.model.load.LoadBin;
import dev.kiln.stats.AnalysisConfig;
import dev.kiln.stats.series.Bins;
import java.util.Arrays;
import java.util.List;

/**
 * A LoadSeries is the load of one phase in bins of a second from its first request. The partial bin at the end is
 * dropped: a slice of 12 ms read as a second looks like a collapse.
 *
 * @param startNanos of the phase's first request, since launch
 * @param binSeconds length of a bin, the usual one where bins differ
 * @param completed successful responses per second, by bin
 * @param errors failed requests per second, by bin
 * @param lagNanos longest stall of the generator per bin
 */
public record LoadSeries(
        String phase, long startNanos, double binSeconds, double[] completed, double[] errors, long[] lagNanos) {
    private static final long SECOND = 1_000_000_000L;

    /** Returns a series whose bins are rows of a source, of any length; its figures are rates. */
    public static LoadSeries ofRows(String phase, List<LoadBin> all, double binSeconds) {
        List<LoadBin> rows =
                all.stream().filter(bin -> bin.phase().equals(phase)).toList();
        return new LoadSeries(
                phase,
                rows.isEmpty() ? 0 : rows.getFirst().startNanos(),
                binSeconds,
                rows.stream()
                        .mapToDouble(row -> row.completed() * 1e9 / (row.endNanos() - row.startNanos()))
                        .toArray(),
                rows.stream()
                        .mapToDouble(row -> row.errors().total() * 1e9 / (row.endNanos() - row.startNanos()))
                        .toArray(),
                rows.stream().mapToLong(LoadBin::lagNanos).toArray());
    }

    public static LoadSeries of(String phase, List<LoadBin> all) {
        List<LoadBin> bins =
                all.stream().filter(bin -> bin.phase().equals(phase)).toList();
        if (bins.isEmpty()) {
            return new LoadSeries(phase, 0, 1, new double[0], new double[0], new long[0]);
        }
        long start = bins.getFirst().startNanos();
        int whole = (int) ((bins.getLast().endNanos() - start) / SECOND);
        double[] completed = new double[whole];
        double[] errors = new double[whole];
        long[] lag = new long[whole];
        for (LoadBin bin : bins) {
            int i = (int) ((bin.startNanos() - start) / SECOND);
            if (bin.endNanos() - bin.startNanos() > SECOND) {
                spread(bin, start, completed, errors, lag);
            } else if (i < whole) {
                completed[i] += bin.completed();
                errors[i] += bin.errors().total();
                lag[i] = Math.max(lag[i], bin.lagNanos());
            }
        }
        return new LoadSeries(phase, start, 1, completed, errors, lag);
    }

    /** Spreads a bin that grew over a second, because the disk was slow, evenly over its seconds. */
    private static void spread(LoadBin bin, long start, double[] completed, double[] errors, long[] lag) {
        double length = bin.endNanos() - bin.startNanos();
        long shared = 0;
        for (int i = (int) ((bin.startNanos() - start) / SECOND); i < completed.length; i++) {
            long from = Math.max(bin.startNanos(), start + i * SECOND);
            long to = Math.min(bin.endNanos(), start + (i + 1) * SECOND);
            if (to <= from) {
                return;
            }
            completed[i] += bin.completed() * ((to - from) / length);
            // Whole errors, and none lost.
            long until = Math.round(bin.errors().total() * ((to - bin.startNanos()) / length));
            errors[i] += until - shared;
            shared = until;
            lag[i] = Math.max(lag[i], bin.lagNanos());
        }
    }

    public long endNanos() {
        return startNanos + Math.round(bins() * binSeconds * SECOND);
    }

    public int bins() {
        return completed.length;
    }

    /** Joins the bins of several phases into one series: pauses are no data. */
    public static double[] concatenated(List<LoadSeries> phases) {
        return phases.stream()
                .flatMapToDouble(phase -> Arrays.stream(phase.completed))
                .toArray();
    }

    /** Finds the bins of these phases, one after the other, that cannot be trusted. */
    public static Bins.Validity validity(List<LoadSeries> phases, AnalysisConfig config) {
        int bins = phases.stream().mapToInt(LoadSeries::bins).sum();
        double[] errors = new double[bins];
        boolean[] stalled = new boolean[bins];
        int at = 0;
        for (LoadSeries phase : phases) {
            for (int i = 0; i < phase.bins(); i++, at++) {
                errors[at] = phase.errors[i];
                stalled[at] = phase.lagNanos[i] > Thresholds.LATE_NANOS;
            }
        }
        return Bins.validity(concatenated(phases), errors, stalled, config);
    }
}
