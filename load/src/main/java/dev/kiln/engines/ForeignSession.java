package dev.kiln.engines;

import dev.kiln.evidence.LatencyLog;
import dev.kiln.evidence.LatencyTable;
import dev.kiln.evidence.LoadFile;
import dev.kiln.importer.ToolOutput;
import dev.kiln.load.LoadSession;
import dev.kiln.load.PhaseResult;
import dev.kiln.load.PhaseResult.Cost;
import dev.kiln.model.experiment.Protocol.Phase;
import dev.kiln.model.load.LoadBin;
import dev.kiln.model.load.LoadSpec;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** A ForeignSession is the load of one run by another program, whose figures become evidence after each phase. */
abstract class ForeignSession implements LoadSession {
    private static final long POLL_NANOS = 10_000_000;

    final LoadSpec spec;
    /** This is when the target was launched, by {@link System#nanoTime}. */
    final long launchNanos;

    private final LoadFile load;
    private final LatencyLog histograms;
    private final Optional<LatencyTable> quantiles;
    private volatile boolean cancelled;

    /** @param totals whether the program reports quantiles, of a phase or of each bin, in place of histograms */
    ForeignSession(LoadSpec spec, Path runDirectory, long launchNanos, boolean totals) {
        this.spec = spec;
        this.launchNanos = launchNanos;
        long launchMillis = System.currentTimeMillis() - (System.nanoTime() - launchNanos) / 1_000_000;
        load = new LoadFile(runDirectory);
        histograms = new LatencyLog(runDirectory, launchMillis);
        quantiles = totals ? Optional.of(new LatencyTable(runDirectory)) : Optional.empty();
    }

    @Override
    public final Probe awaitFirstResponse(Duration timeout, BooleanSupplier stillAlive) {
        return new FirstAnswer(question()).await(timeout, () -> !cancelled && stillAlive.getAsBoolean());
    }

    /** Returns how to ask the target whether it is up. */
    FirstAnswer.Question question() {
        return FirstAnswer.http(spec.calls().getFirst());
    }

    /** Waits until the pause is over or the session is cancelled; no program runs meanwhile. */
    @Override
    public final void pause(Phase.Pause phase) {
        long end = System.nanoTime() + phase.duration().toNanos();
        while (!cancelled && System.nanoTime() < end) {
            LockSupport.parkNanos(POLL_NANOS);
        }
    }

    @Override
    public final void cancel() {
        cancelled = true;
    }

    final boolean cancelled() {
        return cancelled;
    }

    /** Writes what the program reported of a phase into the run's folder. */
    final void record(ToolOutput.ToolPhase phase) {
        phase.bins().forEach(load::write);
        phase.seconds()
                .forEach(second ->
                        histograms.write(phase.name(), second.startNanos(), second.endNanos(), second.latencies()));
        quantiles.ifPresent(table -> phase.quantiles().forEach(table::second));
        phase.total().ifPresent(total -> quantiles.ifPresent(table -> table.phase(total)));
        load.flush();
        histograms.flush();
    }

    /**
     * Sums up the bins of a phase.
     *
     * @param startNanos since launch, used only for a phase without bins; likewise endNanos
     * @param unfinished whether requests that have no end in the bins were still in flight at the phase's end
     */
    static PhaseResult result(
            Phase.Load phase,
            List<LoadBin> bins,
            long startNanos,
            long endNanos,
            boolean unfinished,
            boolean cancelled,
            Cost cost,
            List<String> warnings) {
        LoadBin.Errors errors = bins.stream().map(LoadBin::errors).reduce(LoadBin.Errors.NONE, LoadBin.Errors::plus);
        long started = bins.stream().mapToLong(LoadBin::started).sum();
        long completed = bins.stream().mapToLong(LoadBin::completed).sum();
        return new PhaseResult(
                phase.name(),
                bins.isEmpty() ? startNanos : bins.getFirst().startNanos(),
                bins.isEmpty() ? endNanos : bins.getLast().endNanos(),
                new PhaseResult.Requests(
                        started,
                        completed,
                        errors,
                        unfinished ? Math.max(0, started - completed - errors.total()) : 0,
                        0,
                        0,
                        Optional.empty()),
                cancelled,
                PhaseResult.DriverWork.of(cost),
                warnings);
    }

    @Override
    public final void close() {
        try (load;
                histograms) {
            quantiles.ifPresent(LatencyTable::close);
        }
    }
}
