package dev.kiln.evidence;

import dev.kiln.model.KilnException;
import dev.kiln.model.load.LoadBin;
import dev.kiln.model.run.Sample.HeapSample;
import dev.kiln.model.run.Sample.MemorySample;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A RowStream passes on the rows of one run, one after the other, so that a run of days fits into memory. Rows that are
 * damaged or cut short are left out; a file that is missing has no rows.
 */
public record RowStream(Path run) {
    public void load(Consumer<LoadBin> bins) {
        lines(
                LoadFile.NAME,
                file -> CsvReader.lines(
                        file,
                        (number, line) -> {
                            if (number > 1) {
                                bin(line).ifPresent(bins);
                            }
                        },
                        (number, line) -> {}));
    }

    private static Optional<LoadBin> bin(String line) {
        try {
            return Optional.of(LoadFile.bin(line));
        } catch (IllegalArgumentException e) {
            // Damaged; the next one counts again.
            return Optional.empty();
        }
    }

    public void latencies(Consumer<LatencyLog.Entry> entries) {
        lines(LatencyLog.NAME, file -> LatencyLog.each(file, entries, gap -> {}));
    }

    public void memory(Consumer<MemorySample> samples) {
        rows(Table.MEMORY, samples);
    }

    public void heap(Consumer<HeapSample> samples) {
        rows(Table.HEAP, samples);
    }

    private <T> void rows(Table<T> table, Consumer<T> rows) {
        if (Files.exists(run.resolve(table.file()))) {
            table.read(run, rows, new Gaps());
        }
    }

    private interface Reading {
        void of(Path file) throws IOException;
    }

    private void lines(String name, Reading reading) {
        Path file = run.resolve(name);
        if (!Files.exists(file)) {
            return;
        }
        try {
            reading.of(file);
        } catch (IOException e) {
            throw KilnException.problem(e, "cannot read " + file, "restore the file, or delete it");
        }
    }
}
