package dev.kiln.importer;

import dev.kiln.importer.format.LoadSource;
import dev.kiln.importer.format.LoadSource.LoadSink;
import dev.kiln.importer.format.LoadSource.LoadSink.LoadRow;
import dev.kiln.model.load.Latency.LatencyInterval;
import dev.kiln.model.load.Latency.Quantiles;
import dev.kiln.model.load.LoadBin;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.HdrHistogram.Histogram;

/** A ToolOutput is what a load program reported of one phase to Kiln's parsers, in ns since launch. */
public final class ToolOutput {
    private ToolOutput() {}

    /**
     * A ToolPhase is one phase of a program's output.
     *
     * @param bins in the order of time; a single one for a program that reports only totals
     * @param seconds of a program that reports each request
     * @param quantiles of a program that reports quantiles of each bin
     * @param total of a program that reports only totals
     * @param endNanos when it was over, if the program reports that; otherwise the end of the last bin
     * @param gaps what could not be read, with file and line
     */
    public record ToolPhase(
            String name,
            List<LoadBin> bins,
            List<ToolSecond> seconds,
            List<LatencyInterval> quantiles,
            Optional<LatencyInterval> total,
            long endNanos,
            List<String> gaps) {
        private static final long SECOND = 1_000_000_000L;

        /** Agents end a phase some ms after one another; a bin as short as that says nothing. */
        private static final long SHORTEST_NANOS = SECOND / 10;

        public ToolPhase {
            bins = List.copyOf(bins);
            seconds = List.copyOf(seconds);
            quantiles = List.copyOf(quantiles);
            gaps = List.copyOf(gaps);
        }

        /** Returns the phase with empty seconds added at its end: a program may leave out those in which no request began. */
        public ToolPhase filledUntil(long nanos) {
            List<LoadBin> filled = new ArrayList<>(bins);
            fill(filled, nanos);
            return new ToolPhase(name, filled, seconds, quantiles, total, endNanos, gaps);
        }
    }

    private static void fill(List<LoadBin> bins, long nanos) {
        while (!bins.isEmpty() && nanos - bins.getLast().endNanos() >= ToolPhase.SHORTEST_NANOS) {
            LoadBin last = bins.getLast();
            long end = Math.min(last.endNanos() + ToolPhase.SECOND, nanos);
            bins.add(new LoadBin(last.phase(), last.endNanos(), end, 0, 0, LoadBin.Errors.NONE, last.backlog(), 0));
        }
    }

    /** A ToolSecond has the latencies of the requests that completed in it. */
    public record ToolSecond(long startNanos, long endNanos, Histogram latencies) {}

    /**
     * Returns all that the sources report, whatever their own phases.
     *
     * @param phase the name of Kiln's phase
     * @param zeroNanos the launch, by the clock of the sources
     * @param connections that the program kept busy; 0 where that is not known
     */
    public static ToolPhase of(List<LoadSource> sources, String phase, long zeroNanos, int connections) {
        Taking taking = new Taking(phase, zeroNanos, connections);
        sources.forEach(source -> source.read(taking));
        return taking.phase();
    }

    /** A Taking keeps a source's load in memory. In a closed loop every connection has a request in flight at any time. */
    private static final class Taking implements LoadSink {
        private final String name;
        private final long zero;
        private final int connections;
        private final List<LoadBin> bins = new ArrayList<>();
        private final List<ToolSecond> seconds = new ArrayList<>();
        private final List<LatencyInterval> quantiles = new ArrayList<>();
        private final List<String> gaps = new ArrayList<>();
        private Optional<LatencyInterval> total = Optional.empty();
        private int phases;
        private long end = Long.MIN_VALUE;

        Taking(String name, long zero, int connections) {
            this.name = name;
            this.zero = zero;
            this.connections = connections;
        }

        ToolPhase phase() {
            return new ToolPhase(name, bins, seconds, quantiles, total, end, gaps);
        }

        @Override
        public void phase(String file, long startNanos) {
            // Named by the protocol. What its log tells as two loads is a phase in which nothing was answered for a
            // while.
            fill(bins, startNanos - zero);
            phases++;
            total = Optional.empty();
        }

        @Override
        public void row(LoadRow row) {
            bins.add(new LoadBin(
                    name,
                    row.startNanos() - zero,
                    row.endNanos() - zero,
                    row.started(),
                    row.completed(),
                    row.errors(),
                    connections,
                    0));
            end = Math.max(end, row.endNanos() - zero);
            if (row.latencies().quantiles() && row.completed() > 0) {
                LoadBin bin = bins.getLast();
                quantiles.add(new LatencyInterval(
                        name,
                        bin.startNanos(),
                        bin.endNanos(),
                        new Quantiles(
                                row.completed(),
                                row.latencies().p50Nanos(),
                                row.latencies().p99Nanos(),
                                row.latencies().maxNanos())));
            }
        }

        @Override
        public void latencies(long startNanos, long endNanos, Histogram latencies) {
            seconds.add(new ToolSecond(startNanos - zero, endNanos - zero, latencies));
        }

        @Override
        public void end(long endNanos) {
            end = Math.max(end, endNanos - zero);
        }

        @Override
        public void total(Quantiles quantiles) {
            // Those of several phases cannot be joined.
            total = phases > 1
                    ? Optional.empty()
                    : Optional.of(new LatencyInterval(
                            name, bins.getFirst().startNanos(), bins.getLast().endNanos(), quantiles));
        }

        @Override
        public void gap(String what) {
            gaps.add(what);
        }
    }
}
