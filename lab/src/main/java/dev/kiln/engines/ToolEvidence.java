package dev.kiln.engines;

import dev.kiln.evidence.LatencyLogWriter;
import dev.kiln.evidence.LatencyTableWriter;
import dev.kiln.evidence.LoadWriter;
import dev.kiln.importer.ToolOutput;
import dev.kiln.model.IoReason;
import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.Exit;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** The files of a run that its load fills, after each phase. */
final class ToolEvidence implements AutoCloseable {
    private final Path directory;
    private final LoadWriter load;
    private final LatencyLogWriter histograms;
    private final Optional<LatencyTableWriter> quantiles;

    /** @param totals whether the program tells quantiles, of a phase or of each bin, in place of histograms */
    ToolEvidence(Path directory, long launchNanos, boolean totals) {
        this.directory = directory;
        long launchMillis = System.currentTimeMillis() - (System.nanoTime() - launchNanos) / 1_000_000;
        try {
            load = new LoadWriter(directory.resolve("load.csv"));
            histograms = new LatencyLogWriter(directory.resolve("latency.hlog"), launchMillis);
        } catch (IOException e) {
            throw failed(e);
        }
        quantiles = totals ? Optional.of(new LatencyTableWriter(directory)) : Optional.empty();
    }

    void write(ToolOutput.Phase phase) {
        try {
            phase.bins().forEach(load::write);
            phase.seconds()
                    .forEach(second ->
                            histograms.write(phase.name(), second.startNanos(), second.endNanos(), second.latencies()));
            quantiles.ifPresent(table -> phase.quantiles().forEach(table::second));
            phase.total().ifPresent(total -> quantiles.ifPresent(table -> table.phase(total)));
            load.flush();
            histograms.flush();
        } catch (IOException e) {
            throw failed(e);
        }
    }

    private KilnException failed(IOException e) {
        return new KilnException(
                Exit.MACHINE, "cannot write to " + directory + ": " + IoReason.of(e), "check the disk's space", e);
    }

    @Override
    public void close() {
        try (load;
                histograms) {
            quantiles.ifPresent(LatencyTableWriter::close);
        } catch (IOException e) {
            throw failed(e);
        }
    }
}
