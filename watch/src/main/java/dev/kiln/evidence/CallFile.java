package dev.kiln.evidence;

import dev.kiln.model.load.CallBin;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * {@code calls.csv}: the calls of a mix, one row each for a second. There only if a load has several. Rows reach the operating
 * system on {@link #flush()}.
 */
public final class CallFile implements AutoCloseable {
    public static final String NAME = "calls.csv";

    private static final Table<CallBin> TABLE = new Table<>(
            NAME,
            List.of("phase", "start_ns", "end_ns", "call", "completed", "errors", "p50_ns", "p99_ns"),
            (row, bin) -> row.field(bin.phase())
                    .field(bin.startNanos())
                    .field(bin.endNanos())
                    .field(bin.call())
                    .field(bin.completed())
                    .field(bin.errors())
                    .fieldOrEmpty(bin.p50Nanos())
                    .fieldOrEmpty(bin.p99Nanos()),
            r -> new CallBin(
                    r.text(),
                    r.figure(),
                    r.figure(),
                    r.text(),
                    r.figure(),
                    r.figure(),
                    r.figureOrNone(),
                    r.figureOrNone()));

    private final CsvWriter rows;

    /** Appends to the run's file if there is one. */
    public CallFile(Path directory) {
        rows = CsvWriter.append(directory.resolve(NAME), TABLE.columns());
    }

    public void write(CallBin bin) {
        TABLE.write(rows, bin);
    }

    public void flush() {
        rows.flush();
    }

    @Override
    public void close() {
        rows.close();
    }

    /** The rows as far as they were written; none of a run without the file. */
    static List<CallBin> read(Path directory, Gaps gaps) {
        return Files.exists(directory.resolve(NAME)) ? TABLE.read(directory, gaps) : List.of();
    }
}
