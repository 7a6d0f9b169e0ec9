package dev.kiln.load;

import dev.kiln.evidence.LatencyLogWriter;
import dev.kiln.evidence.LoadWriter;
import dev.kiln.model.LoadBin;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.HdrHistogram.IntCountsHistogram;

/** Writes the bins of one phase to the evidence files, sums them, and tells of each second. On the writer's thread. */
final class PhaseLog {
    /**
     * A phase as the evidence files have it.
     *
     * @param longBins bins that grew beyond their length because the writer had fallen behind
     */
    record Totals(long started, long completed, LoadBin.Errors errors, long longBins) {}

    private final String phase;
    private final long launchNanos;
    private final long binNanos;
    private final int binsPerTick;
    private final LoadWriter loadFile;
    private final LatencyLogWriter latencyFile;
    private final Consumer<Tick> ticks;
    private final CompletableFuture<Totals> totals = new CompletableFuture<>();

    private final IntCountsHistogram second = new IntCountsHistogram(Bin.MAX_LATENCY_NANOS, 3);
    private long secondStart = Long.MIN_VALUE;
    private long secondCompleted;
    private long secondErrors;
    private int seconds;
    private int bins;
    private long started;
    private long completed;
    private long longBins;
    private LoadBin.Errors errors = LoadBin.Errors.NONE;

    PhaseLog(
            String phase,
            long launchNanos,
            long binNanos,
            int binsPerTick,
            LoadWriter loadFile,
            LatencyLogWriter latencyFile,
            Consumer<Tick> ticks) {
        this.phase = phase;
        this.launchNanos = launchNanos;
        this.binNanos = binNanos;
        this.binsPerTick = binsPerTick;
        this.loadFile = loadFile;
        this.latencyFile = latencyFile;
        this.ticks = ticks;
    }

    CompletableFuture<Totals> totals() {
        return totals;
    }

    void write(Bin bin) {
        LoadBin row = bin.toLoadBin(phase, launchNanos);
        loadFile.write(row);
        latencyFile.write(phase, row.startNanos(), row.endNanos(), bin.latencies);
        started += row.started();
        completed += row.completed();
        errors = errors.plus(row.errors());
        if (row.endNanos() - row.startNanos() > binNanos) {
            longBins++;
        }
        addToSecond(row, bin);
    }

    private void addToSecond(LoadBin row, Bin bin) {
        if (secondStart == Long.MIN_VALUE) {
            secondStart = row.startNanos();
        }
        second.add(bin.latencies);
        secondCompleted += row.completed();
        secondErrors += row.errors().total();
        if (++bins % binsPerTick == 0 || bin.last) {
            long nanos = row.endNanos() - secondStart;
            double perSecond = nanos == 0 ? 0 : secondCompleted * 1e9 / nanos;
            ticks.accept(new Tick(phase, ++seconds, perSecond, second.getValueAtPercentile(99), secondErrors));
            second.reset();
            secondStart = Long.MIN_VALUE;
            secondCompleted = 0;
            secondErrors = 0;
        }
    }

    void flush() throws IOException {
        loadFile.flush();
        latencyFile.flush();
    }

    void complete() {
        totals.complete(new Totals(started, completed, errors, longBins));
    }

    void fail(Throwable cause) {
        totals.completeExceptionally(cause);
    }
}
