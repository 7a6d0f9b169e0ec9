package dev.kiln.evidence;

import dev.kiln.model.load.CallBin;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A CallFile is {@code calls.csv}: the calls of a mix of requests, with one row for each call and second. It exists
 * only if a load has several calls. Rows reach the operating system on {@link #flush()}.
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

    /** Opens the file of a run, and appends to it if it exists already. */
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

    /** Returns all complete rows; the list is empty for a run without the file. */
    static List<CallBin> read(Path directory, Gaps gaps) {
        return Files.exists(directory.resolve(NAME)) ? TABLE.read(directory, gaps) : List.of();
    }
}
