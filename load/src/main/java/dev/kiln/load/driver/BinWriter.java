package dev.kiln.load.driver;

import dev.kiln.evidence.LatencyLog;
import dev.kiln.evidence.LoadFile;
import dev.kiln.evidence.LoadFile.CallFile;
import dev.kiln.load.LoadSession.Tick;
import dev.kiln.load.driver.bins.Bin;
import dev.kiln.load.driver.bins.Bin.CallCounts;
import dev.kiln.load.driver.bins.Bin.SecondLatencies;
import dev.kiln.load.driver.bins.BinQueue;
import dev.kiln.load.driver.bins.BinSum;
import dev.kiln.load.driver.http.Calls;
import dev.kiln.model.KilnException;
import dev.kiln.model.load.LoadBin;
import dev.kiln.model.load.LoadBin.CallBin;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A BinWriter is the thread that writes full bins about once a second: no disk delays the I/O thread. */
final class BinWriter {
    /** The I/O thread wakes this thread once a second; this limit applies when the I/O thread itself stands still. */
    private static final long POLL_NANOS = 1_000_000_000;

    private final BinSum bins = new BinSum();
    private final Thread thread;
    private volatile @Nullable PhaseLog log;
    private volatile boolean stopped;

    BinWriter(BinQueue queue) {
        thread = new Thread(this::run, "kiln-writer");
        thread.setDaemon(true);
        queue.writer(thread);
        thread.start();
    }

    /** Returns the bins that the event loops hand over, added up. */
    BinSum bins() {
        return bins;
    }

    /** Sets the log of the next phase. It is called before the phase begins; until then there is nothing to write. */
    void begin(PhaseLog next) {
        log = next;
    }

    private void run() {
        while (!stopped) {
            LockSupport.parkNanos(POLL_NANOS);
            PhaseLog current = log;
            if (current != null) {
                drain(current);
            }
        }
    }

    private void drain(PhaseLog current) {
        boolean some = false;
        for (Bin bin = bins.next(); bin != null; bin = bins.next()) {
            some = true;
            try {
                current.write(bin);
            } catch (KilnException e) {
                current.fail(e);
            }
            bin.giveBack();
        }
        try {
            current.flush();
        } catch (KilnException e) {
            current.fail(e);
        }
        if (some && bins.hasEnded()) {
            current.complete();
        }
    }

    void stop() throws InterruptedException {
        stopped = true;
        LockSupport.unpark(thread);
        thread.join();
    }

    /** A PhaseLog writes and sums a phase's bins, and reports each second, on the writer's thread. */
    static final class PhaseLog {
        /** PhaseTotals sum a phase's bins; longBins outgrew their length while the writer was behind. */
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

        /** A CallLog writes each call's figures, by number, on the writer's thread; none for a single call. */
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
}
