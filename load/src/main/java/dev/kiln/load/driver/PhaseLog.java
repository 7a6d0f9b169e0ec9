package dev.kiln.load.driver;

import dev.kiln.evidence.LatencyLog;
import dev.kiln.evidence.LoadFile;
import dev.kiln.evidence.LoadFile.CallFile;
import dev.kiln.load.LoadSession.Tick;
import dev.kiln.load.driver.bins.Bin;
import dev.kiln.load.driver.bins.Bin.CallCounts;
import dev.kiln.load.driver.bins.Bin.SecondLatencies;
import dev.kiln.load.driver.http.Calls;
import dev.kiln.model.load.LoadBin;
import dev.kiln.model.load.LoadBin.CallBin;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * A PhaseLog writes the bins of one phase to the evidence files, sums them, and reports each second. It is used on the writer's
 * thread.
 */
final class PhaseLog {
    /**
     * PhaseTotals are the sums over a phase's bins.
     *
     * @param longBins bins that grew beyond their length because the writer had fallen behind
     */
    record PhaseTotals(long started, long completed, LoadBin.Errors errors, long longBins) {}

    private final String phase;
    private final long launchNanos;
    private final long binNanos;
    private final LoadFile loadFile;
    private final LatencyLog latencyFile;
    private final CallLog calls;
    private final Consumer<Tick> ticks;
    private final CompletableFuture<PhaseTotals> totals = new CompletableFuture<>();

    private long secondCompleted;
    private long secondErrors;
    private int seconds;
    private long started;
    private long completed;
    private long longBins;
    private LoadBin.Errors errors = LoadBin.Errors.NONE;

    PhaseLog(
            String phase,
            long launchNanos,
            long binNanos,
            LoadFile loadFile,
            LatencyLog latencyFile,
            CallLog calls,
            Consumer<Tick> ticks) {
        this.phase = phase;
        this.launchNanos = launchNanos;
        this.binNanos = binNanos;
        this.loadFile = loadFile;
        this.latencyFile = latencyFile;
        this.calls = calls;
        this.ticks = ticks;
    }

    CompletableFuture<PhaseTotals> totals() {
        return totals;
    }

    void write(Bin bin) {
        LoadBin row = bin.toLoadBin(phase, launchNanos);
        loadFile.write(row);
        started += row.started();
        completed += row.completed();
        errors = errors.plus(row.errors());
        if (row.endNanos() - row.startNanos() > binNanos) {
            longBins++;
        }
        secondCompleted += row.completed();
        secondErrors += row.errors().total();
        if (bin.latencies != null) {
            write(bin.latencies, row.endNanos());
        }
    }

    private void write(SecondLatencies latencies, long end) {
        long start = latencies.startNanos - launchNanos;
        latencyFile.write(phase, start, end, latencies.histogram);
        calls.write(phase, start, end, latencies.calls);
        double perSecond = end == start ? 0 : secondCompleted * 1e9 / (end - start);
        long p99 = latencies.histogram.getValueAtPercentile(99);
        ticks.accept(new Tick(phase, ++seconds, perSecond, p99, secondErrors));
        secondCompleted = 0;
        secondErrors = 0;
    }

    void flush() {
        loadFile.flush();
        latencyFile.flush();
        calls.flush();
    }

    void complete() {
        totals.complete(new PhaseTotals(started, completed, errors, longBins));
    }

    void fail(Throwable cause) {
        totals.completeExceptionally(cause);
    }

    /**
     * A CallLog writes the figures of each call of a mix to the evidence. It is used on the writer's thread.
     *
     * @param file empty where a load has one call
     * @param names by the calls' numbers
     */
    record CallLog(Optional<CallFile> file, List<String> names) implements AutoCloseable {
        /** @param directory of the run */
        static CallLog of(Calls calls, Path directory) {
            return new CallLog(
                    calls.counted() > 0 ? Optional.of(new CallFile(directory)) : Optional.empty(), calls.names());
        }

        /** @param startNanos since launch, as the end */
        void write(String phase, long startNanos, long endNanos, CallCounts counts) {
            file.ifPresent(rows -> {
                for (int i = 0; i < counts.calls(); i++) {
                    rows.write(new CallBin(
                            phase,
                            startNanos,
                            endNanos,
                            names.get(i),
                            counts.completed(i),
                            counts.failed(i),
                            counts.percentile(i, 50),
                            counts.percentile(i, 99)));
                }
            });
        }

        void flush() {
            file.ifPresent(CallFile::flush);
        }

        @Override
        public void close() {
            file.ifPresent(CallFile::close);
        }
    }
}
